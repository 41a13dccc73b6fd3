// Limits the memory of a process that decodes images. It is JavaScript, since the process runs without a compiler
// (decode-process.ts).

/** The memory of a process, in bytes, without a large image. A process that used more is replaced. */
export const BASE_MEMORY = 160_000_000;
/** The memory for a pixel, in bytes, in the worst case: an AVIF of 10 bits with an alpha channel. */
const MEMORY_PER_PIXEL = 24;
/** The number of copies of an image's bytes in memory: they are read, joined, and copied by some decoders. */
const COPIES_OF_BYTES = 4;

/** The number of pixels that is assumed for an SVG, since its cost does not depend on its size, and for a header. */
export const SVG_PIXELS = 8_000_000;

/**
 * Returns the maximum memory, in bytes, to decode an image with this many pixels.
 * @param {number} pixels
 * @param {number} [bytes] The size of the image's file.
 */
export function memoryFor(pixels, bytes = 0) {
  return BASE_MEMORY + MEMORY_PER_PIXEL * pixels + COPIES_OF_BYTES * bytes;
}
