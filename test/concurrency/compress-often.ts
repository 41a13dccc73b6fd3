// A task for a thread.
import { zstdCompressSync } from 'node:zlib';

/** Compresses a text repeatedly. Returns the total size. */
export function work(times: number): number {
  let bytes = 0;
  for (let time = 0; time < times; time++) bytes += zstdCompressSync(`text ${time}`).length;
  return bytes;
}
