// Turns the bytes of an image into what is kept of it: the original, or a PNG if it is an SVG or TIFF, and a thumbnail.
// sharp is libvips for Node: fast, maintained, and decodes every format that tokens use.
import { createHash } from 'node:crypto';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { rasteriseSvg } from './rasterise-svg.ts';

export interface ProcessedImage {
  /** SHA-256 of the bytes as they were fetched, hex. */
  readonly sha256: string;
  readonly extension: ImageExtension;
  readonly bytes: Uint8Array;
  /** WebP, at most {@link THUMBNAIL_PX} in both directions. */
  readonly thumbnail: Uint8Array;
}

export type ImageExtension = 'png' | 'jpg' | 'webp' | 'gif' | 'avif';

const THUMBNAIL_PX = 300;
/** An SVG may claim any size, and a TIFF is often a scan: neither is served as it is. */
const RASTERISED_PX = 1_024;
/** Formats that are kept as they came, by the names that libvips gives them. */
const KEPT: ReadonlyMap<string, ImageExtension> = new Map([
  ['png', 'png'],
  ['jpeg', 'jpg'],
  ['webp', 'webp'],
  ['gif', 'gif'],
]);
const RASTERISED: ReadonlySet<string> = new Set(['tiff']);

/** The cost of an SVG is not in its bytes: a large one is made to be costly. */
const MAX_SVG_BYTES = 1_000_000;
/** For an image of any other kind. */
const TIMEOUT_SECONDS = 30;

/** `maxPixels` is checked before anything is decoded. */
export async function processImage(
  bytes: Uint8Array,
  maxPixels: number,
  signal?: AbortSignal,
): Promise<ProcessedImage | Failure> {
  // libvips would decompress an SVG, without a limit.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return fail('image-unsupported', 'Compressed images are not kept.');
  // Of what was fetched, so that the same image has the same name whatever our encoder makes of it.
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  try {
    if (isSvg(bytes)) {
      if (bytes.length > MAX_SVG_BYTES) return fail('too-large', `The SVG is larger than ${MAX_SVG_BYTES} bytes.`);
      const raster = await rasteriseSvg(bytes, maxPixels, signal);
      if (isFailure(raster)) return raster;
      return { sha256, extension: 'png', bytes: raster, thumbnail: await thumbnailOf(raster, maxPixels) };
    }
    const metadata = await openImage(bytes, maxPixels).metadata();
    const { width, height } = metadata;
    if (width * height > maxPixels)
      return fail('image-too-many-pixels', `The image has ${width} x ${height} pixels, more than ${maxPixels} in all.`);
    const kind = kindOf(metadata);
    if (kind === undefined) return fail('image-unsupported', `Images of the format ${metadata.format} are not kept.`);
    if (kind !== 'rasterise') return { sha256, extension: kind, bytes, thumbnail: await thumbnailOf(bytes, maxPixels) };
    const raster = await rasterise(bytes, maxPixels);
    return { sha256, extension: 'png', bytes: raster, thumbnail: await thumbnailOf(raster, maxPixels) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/pixel limit/i.test(message)) return fail('image-too-many-pixels');
    return fail('image-undecodable', `The image cannot be decoded: ${message.split('\n')[0]}.`, error);
  }
}

/** A PNG of at most {@link RASTERISED_PX} in both directions. */
export function rasterise(bytes: Uint8Array, maxPixels: number): Promise<Buffer> {
  return shrink(bytes, maxPixels, RASTERISED_PX).png().toBuffer();
}

function thumbnailOf(bytes: Uint8Array, maxPixels: number): Promise<Buffer> {
  return shrink(bytes, maxPixels, THUMBNAIL_PX).webp().toBuffer();
}

function shrink(bytes: Uint8Array, maxPixels: number, px: number): Sharp {
  const image = openImage(bytes, maxPixels).timeout({ seconds: TIMEOUT_SECONDS });
  return image.rotate().resize(px, px, { fit: 'inside', withoutEnlargement: true });
}

export function openImage(bytes: Uint8Array, maxPixels: number): Sharp {
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' });
}

/** XML, or text with an svg element near its beginning: whatever libvips could take for an SVG. */
function isSvg(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1');
  return /^[\s\u00ef\u00bb\u00bf]*</.test(beginning) || /<svg/i.test(beginning);
}

function kindOf({ format, compression }: Metadata): ImageExtension | 'rasterise' | undefined {
  if (RASTERISED.has(format)) return 'rasterise';
  if (format === 'heif') return compression === 'av1' ? 'avif' : undefined;
  return KEPT.get(format);
}
