// Compresses a file of the spool that is full and indexed; the archive that it is stays the same.
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';

export async function compressFile(path: string): Promise<void> {
  const part = `${path}.zst.part`;
  await pipeline(createReadStream(path), createZstdCompress(), createWriteStream(part));
  const file = await open(part, 'r+');
  await file.sync();
  await file.close();
  await rename(part, `${path}.zst`);
  rmSync(path);
}
