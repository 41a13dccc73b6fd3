// Compresses a file of the spool that is full and indexed; the archive that it is stays the same.
import { createReadStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { writeWhole } from '#files/write-whole.ts';

export async function compressFile(path: string, signal: AbortSignal): Promise<void> {
  const write = (compressed: AsyncIterable<Uint8Array>) =>
    writeWhole(`${path}.zst`, compressed, { beside: `${path}.zst.part`, isDurable: true });
  await pipeline(createReadStream(path), createZstdCompress(), write, { signal });
  rmSync(path);
}
