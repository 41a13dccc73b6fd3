// Makes small images in every supported format, and edits PNG images so that their checksums stay correct.

import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import type { Random } from '../../support/random.ts';
import { u32 } from '../../support/transactions.ts';
import { byteEdit, type Edit } from './edits.ts';

const PNG_SIGNATURE_BYTES = 8;
const CHUNK_HEAD_BYTES = 8;
const CRC_BYTES = 4;
/** Types of chunks that a PNG of these images lacks. */
const TYPES = ['acTL', 'iCCP', 'zTXt', 'tRNS', 'PLTE'];

/** Returns images with random pixels, in each format and its variants. */
export async function sampleImages(random: Random): Promise<Buffer[]> {
  const still = noise(random, 24, 16, 3);
  const clear = noise(random, 17, 33, 4);
  const frames = noise(random, 8, 24, 4, 8);
  return Promise.all(
    [
      still.clone().png(),
      still.clone().png({ palette: true, progressive: true }),
      clear.clone().png({ compressionLevel: 0 }),
      clear.clone().withMetadata({ orientation: 6 }).png(),
      still.clone().jpeg(),
      still.clone().withMetadata({ orientation: 5, density: 72 }).jpeg({ progressive: true }),
      still.clone().greyscale().jpeg({ quality: 10 }),
      still.clone().webp(),
      clear.clone().webp({ lossless: true }),
      frames.clone().webp({ loop: 1 }),
      still.clone().gif(),
      frames.clone().gif({ delay: 10 }),
      still.clone().tiff(),
      clear.clone().tiff({ compression: 'lzw', tile: true, pyramid: true }),
      still.clone().tiff({ compression: 'jpeg' }),
      still.clone().avif({ effort: 0 }),
    ].map((image) => image.toBuffer()),
  );
}

function noise(random: Random, width: number, height: number, channels: 3 | 4, pageHeight = height): Sharp {
  return sharp(random.bytes(width * height * channels), { raw: { width, height, channels, pageHeight } });
}

/** An edit of a PNG that removes, repeats or edits a chunk, and corrects the chunk's length and checksum. */
export const pngEdit: fc.Arbitrary<Edit> = fc
  .tuple(
    fc.nat(),
    fc.nat(),
    byteEdit(fc.constant(Buffer.alloc(8))),
    fc.constantFrom('edit', 'remove', 'copy', ...TYPES),
  )
  .map(([from, to, edit, kind]) => (input) => {
    const chunks = pngChunks(input);
    const at = from % Math.max(chunks.length, 1);
    const chunk = chunks[at];
    if (chunk === undefined) return input;
    const type = chunk.subarray(0, 4);
    const body = chunk.subarray(4);
    const changed =
      {
        edit: () => chunks.with(at, Buffer.concat([type, edit(body)])),
        remove: () => chunks.toSpliced(at, 1),
        copy: () => chunks.toSpliced(to % chunks.length, 0, chunk),
      }[kind] ?? (() => chunks.toSpliced(at, 0, Buffer.concat([Buffer.from(kind), body])));
    return Buffer.concat([input.subarray(0, PNG_SIGNATURE_BYTES), ...changed().map(framed)]);
  });

/** Returns the chunks of a PNG, each as its type and body; an empty list if the input is not a PNG. */
function pngChunks(input: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  if (input.toString('latin1', 1, 4) !== 'PNG') return chunks;
  for (let at = PNG_SIGNATURE_BYTES; at + CHUNK_HEAD_BYTES + CRC_BYTES <= input.length; ) {
    const end = at + CHUNK_HEAD_BYTES + input.readUInt32BE(at);
    chunks.push(input.subarray(at + 4, end));
    at = end + CRC_BYTES;
  }
  return chunks;
}

/** Adds the length and the checksum to a chunk, given as its type and body. */
export function framed(chunk: Buffer): Buffer {
  return Buffer.concat([u32(Math.max(chunk.length - 4, 0)), chunk, u32(crc32(chunk))]);
}
