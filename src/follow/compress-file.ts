// Compresses a file of the spool that is full and indexed; the archive that it is stays the same.
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';

export async function compressFile(path: string, signal: AbortSignal): Promise<void> {
  const part = `${path}.zst.part`;
  try {
    await pipeline(createReadStream(path), createZstdCompress(), createWriteStream(part, { flush: true }), { signal });
    await rename(part, `${path}.zst`);
  } catch (error) {
    // On a full disk, it would take the room that the next payload needs.
    rmSync(part, { force: true });
    throw error;
  }
  rmSync(path);
}
