// Turns the bytes of an image into what is kept of it: the original, or a PNG if it is an SVG or TIFF, and a thumbnail.
// sharp is libvips for Node: fast, maintained, and decodes every format that tokens use.
// @ts-check
import sharp from 'sharp';

/** @import { Metadata, Sharp } from 'sharp' */
/** @import { FailureCode } from '#model/failure.ts' */

/**
 * `bytes` is undefined where the original is kept; `thumbnail` is a WebP of at most {@link THUMBNAIL_PX} in both
 * directions.
 * @typedef {{ extension: 'png' | 'jpg' | 'webp' | 'gif' | 'avif', bytes?: Uint8Array, thumbnail: Uint8Array }} Processed
 */

const THUMBNAIL_PX = 300;
/** An SVG may claim any size, and a TIFF is often a scan: neither is served as it is. */
const RASTERISED_PX = 1_024;
/** The cost of an SVG is not in its pixels: it counts as an image of so many. */
const SVG_PIXELS = 8_000_000;
/** Nor is it in its bytes: a large one is made to be costly. */
const MAX_SVG_BYTES = 1_000_000;
/**
 * Formats that are kept as they came, by the names that libvips gives them.
 * @type {ReadonlyMap<string, Processed['extension']>}
 */
const KEPT = new Map([
  ['png', 'png'],
  ['jpeg', 'jpg'],
  ['webp', 'webp'],
  ['gif', 'gif'],
]);

/** Why an image is not kept. */
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
 * Throws {@link Refusal}, or what libvips says of an image that it cannot decode.
 * @param {Uint8Array} bytes
 * @param {number} maxPixels Checked before anything is decoded.
 * @param {(pixels: number) => Promise<void>} allow Waits until an image of so many pixels may be decoded.
 * @returns {Promise<Processed>}
 */
export async function processImage(bytes, maxPixels, allow) {
  // libvips would decompress an SVG, without a limit.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw new Refusal('image-unsupported', 'Compressed images are not kept.');
  if (isSvg(bytes) && bytes.length > MAX_SVG_BYTES)
    throw new Refusal('too-large', `The SVG is larger than ${MAX_SVG_BYTES} bytes.`);
  const metadata = await open(bytes, maxPixels).metadata();
  const { format, width, height } = metadata;
  if (width * height > maxPixels) {
    const size = `${width} x ${height} pixels`;
    throw new Refusal('image-too-many-pixels', `The image has ${size}, more than ${maxPixels} in all.`);
  }
  const extension = extensionOf(metadata);
  if (extension === undefined) throw new Refusal('image-unsupported', `Images of the format ${format} are not kept.`);
  await allow(format === 'svg' ? Math.min(SVG_PIXELS, maxPixels) : width * height);
  if (format !== 'svg' && format !== 'tiff') return { extension, thumbnail: await thumbnailOf(bytes, maxPixels) };
  const raster = await shrink(bytes, maxPixels, RASTERISED_PX).png().toBuffer();
  return { extension, bytes: raster, thumbnail: await thumbnailOf(raster, maxPixels) };
}

/**
 * @param {Uint8Array} bytes
 * @param {number} maxPixels
 */
function thumbnailOf(bytes, maxPixels) {
  return shrink(bytes, maxPixels, THUMBNAIL_PX).webp().toBuffer();
}

/**
 * As it is looked at: turned as its EXIF orientation says, the first frame of an animation.
 * @param {Uint8Array} bytes
 * @param {number} maxPixels
 * @param {number} px
 */
function shrink(bytes, maxPixels, px) {
  return open(bytes, maxPixels).rotate().resize(px, px, { fit: 'inside', withoutEnlargement: true });
}

/**
 * @param {Uint8Array} bytes
 * @param {number} maxPixels
 * @returns {Sharp}
 */
function open(bytes, maxPixels) {
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true });
}

/**
 * XML, or text with an svg element near its beginning: whatever libvips could take for an SVG.
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
