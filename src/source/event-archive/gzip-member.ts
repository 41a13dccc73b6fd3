// Reads the parts of a gzip member around its compressed data (RFC 1952, 2.3). Node's own reader of gzip cannot tell
// other data after a member from damage.
import { crc32 } from 'node:zlib';
import type { ChunkReader } from './chunk-reader.ts';

export const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const DEFLATE = 8;
const HEADER_BYTES = 10;
const FLAGS = { headerSum: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;
const TRAILER_BYTES = 8;

/** Reads up to the compressed data. Throws an error for a header that is cut off or unknown. */
export async function readGzipHeader(input: ChunkReader): Promise<void> {
  const header = await take(input, HEADER_BYTES);
  const [method, flags] = [header.readUInt8(2), header.readUInt8(3)];
  if (method !== DEFLATE || (flags & FLAGS.reserved) !== 0) throw new Error('unknown compression method');
  if (flags & FLAGS.extra) await take(input, (await take(input, 2)).readUInt16LE());
  for (const flag of [FLAGS.name, FLAGS.comment]) if (flags & flag) while ((await take(input, 1))[0] !== 0);
  if (flags & FLAGS.headerSum) await take(input, 2);
}

/** The checksum and the size of decompressed data. */
export class GzipSum {
  #sum = 0;
  #size = 0;

  add(chunk: Buffer): void {
    this.#sum = crc32(chunk, this.#sum);
    this.#size += chunk.length;
  }

  /** Reads the end of the member. Throws an error if it is cut off, or belongs to other data. */
  async check(input: ChunkReader): Promise<void> {
    const trailer = await take(input, TRAILER_BYTES);
    const isIntact = trailer.readUInt32LE(0) === this.#sum && trailer.readUInt32LE(4) === this.#size % 2 ** 32;
    if (!isIntact) throw new Error('the checksum differs');
  }
}

async function take(input: ChunkReader, bytes: number): Promise<Buffer> {
  const taken = await input.take(bytes);
  if (taken.length < bytes) throw new Error('unexpected end of file');
  return taken;
}
