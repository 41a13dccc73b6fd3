// Converts the bytes of an image to the files to store: a thumbnail and the original bytes, or for an SVG or TIFF, a
// thumbnail and a PNG. sharp is libvips for Node: fast, maintained, and able to decode every format that tokens use.
import sharp from 'sharp';
import { SVG_PIXELS } from './decode-memory.js';
import { findUndrawable } from './find-undrawable.js';
import { decodeSvg, findUnsupported, unescapeTexts } from './find-unsupported.js';

/** @import { Metadata, Sharp } from 'sharp' */
/** @import { FailureCode } from '#model/failure.ts' */
/** @import { IMAGE_TYPES } from './media-types.ts' */

/**
 * The files to store. `bytes` is undefined if the fetched bytes are stored unchanged. `thumbnail` is a WebP of at most
 * {@link THUMBNAIL_PX} on each side.
 * @typedef {{ extension: keyof typeof IMAGE_TYPES, bytes?: Uint8Array, thumbnail: Uint8Array }} Processed
 */

const THUMBNAIL_PX = 300;
/** The size of rasterized images. An SVG can declare any size, and a TIFF is often a large scan. */
const RASTERIZED_PX = 1_024;
/** The maximum size of an SVG. Larger ones are usually made to be costly. */
const MAX_SVG_BYTES = 1_000_000;
/**
 * Formats that are stored unchanged, by their names in libvips.
 * @type {ReadonlyMap<string, Processed['extension']>}
 */
const KEPT = new Map([
  ['png', 'png'],
  ['jpeg', 'jpg'],
  ['webp', 'webp'],
  ['gif', 'gif'],
]);

/** The reason for rejecting an image. */
export class Refusal extends Error {
  /**
   * @param {FailureCode} code
   * @param {string} [detail]
   */
  constructor(code, detail) {
    super(detail);
    this.code = code;
    this.detail = detail;
  }
}

/**
 * Returns the files to store. Throws {@link Refusal}, or the error of libvips for an image that it cannot decode.
 * @param {Uint8Array} bytes
 * @param {number} maxPixels The maximum number of pixels, checked before decoding.
 * @param {string} fonts The path of the configuration of fonts.
 * @param {(pixels: number) => void} allow Called with the number of pixels before the image is decoded.
 * @returns {Promise<Processed>}
 */
export async function processImage(bytes, maxPixels, fonts, allow) {
  // Rejects gzip, since libvips would decompress an SVG without a limit.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw new Refusal('image-unsupported', 'Compressed images are not supported.');
  if (isSvg(bytes) && bytes.length > MAX_SVG_BYTES)
    throw new Refusal('too-large', `The SVG is larger than ${MAX_SVG_BYTES} bytes.`);
  const metadata = await open(bytes, maxPixels).metadata();
  const { format, width, height } = metadata;
  if (width * height > maxPixels) {
    const size = `${width} x ${height} pixels`;
    throw new Refusal('image-too-many-pixels', `The image has ${size}, more than the limit of ${maxPixels} in total.`);
  }
  const extension = extensionOf(metadata);
  if (extension === undefined)
    throw new Refusal('image-unsupported', `Images of the format ${format} are not supported.`);
  allow(format === 'svg' ? Math.min(SVG_PIXELS, maxPixels) : width * height);
  if (format === 'svg') checkSvg(bytes, fonts);
  const isUnchanged = format !== 'svg' && format !== 'tiff';
  const stored = isUnchanged ? bytes : await draw(bytes, maxPixels);
  const thumbnail = await shrink(stored, maxPixels, THUMBNAIL_PX, await visibleFrame(stored, maxPixels, metadata))
    .webp()
    .toBuffer();
  return { extension, thumbnail, ...(isUnchanged ? {} : { bytes: stored }) };
}

/**
 * Throws {@link Refusal} if a part or a character of the SVG would not be drawn.
 * @param {Uint8Array} bytes
 * @param {string} fonts
 */
function checkSvg(bytes, fonts) {
  /** @type {string[]} */
  const texts = [];
  const unsupported = findUnsupported(decodeSvg(bytes), texts);
  if (unsupported !== undefined)
    throw new Refusal('image-unsupported', `The SVG contains ${unsupported}, which cannot be drawn.`);
  const undrawable = findUndrawable(unescapeTexts(texts), fonts);
  if (undrawable !== undefined)
    throw new Refusal('image-unsupported', `The SVG contains ${undrawable}, which no installed font can draw.`);
}

/**
 * Rasterizes an SVG or TIFF. Throws {@link Refusal} if no pixel is visible.
 * @param {Uint8Array} bytes
 * @param {number} maxPixels
 */
async function draw(bytes, maxPixels) {
  const drawn = await shrink(bytes, maxPixels, RASTERIZED_PX).png().toBuffer();
  if (await isBlank(sharp(drawn))) throw new Refusal('image-blank');
  return drawn;
}

/**
 * Returns the number of the first frame. If that frame of an animation is transparent, returns the middle one.
 * @param {Uint8Array} bytes
 * @param {number} maxPixels
 * @param {Metadata} metadata
 */
async function visibleFrame(bytes, maxPixels, { pages = 1, hasAlpha, format }) {
  if (pages === 1 || !hasAlpha || format === 'tiff') return 0;
  const isHidden = await isBlank(shrink(bytes, maxPixels, THUMBNAIL_PX));
  return isHidden ? Math.floor(pages / 2) : 0;
}

/**
 * @param {Sharp} image
 */
async function isBlank(image) {
  const alpha = await image.ensureAlpha().extractChannel('alpha').raw().toBuffer();
  return alpha.equals(Buffer.alloc(alpha.length));
}

/**
 * Renders one frame of an image as shown by viewers: rotated by its EXIF orientation, and scaled down.
 * @param {Uint8Array} bytes
 * @param {number} maxPixels
 * @param {number} px
 * @param {number} [page]
 */
function shrink(bytes, maxPixels, px, page = 0) {
  return open(bytes, maxPixels, page).rotate().resize(px, px, { fit: 'inside', withoutEnlargement: true });
}

/**
 * @param {Uint8Array} bytes
 * @param {number} maxPixels
 * @param {number} [page]
 * @returns {Sharp}
 */
function open(bytes, maxPixels, page = 0) {
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true, page });
}

/**
 * True for any bytes that libvips could treat as an SVG: XML, or text with an svg element near its beginning.
 * @param {Uint8Array} bytes
 */
function isSvg(bytes) {
  const beginning = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1');
  return /^[\s\u00ef\u00bb\u00bf]*</.test(beginning) || /<svg/i.test(beginning);
}

/**
 * @param {Metadata} metadata
 * @returns {Processed['extension'] | undefined}
 */
function extensionOf({ format, compression }) {
  if (format === 'svg' || format === 'tiff') return 'png';
  if (format === 'heif') return compression === 'av1' ? 'avif' : undefined;
  return KEPT.get(format);
}
