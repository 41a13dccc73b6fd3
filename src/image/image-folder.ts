// Keeps processed images in a folder, each under the hash of its bytes: written beside and renamed, so none is ever half there.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageFile, thumbnailFile } from '#model/image-file.ts';
import type { ProcessedImage } from './process-image.ts';

/** Writes an image and its thumbnail. Throws what the file system throws. */
export function keepImage(folder: string, image: ProcessedImage): void {
  mkdirSync(folder, { recursive: true });
  write(join(folder, imageFile(image.sha256, image.extension)), image.bytes);
  write(join(folder, thumbnailFile(image.sha256)), image.thumbnail);
}

function write(path: string, bytes: Uint8Array): void {
  const beside = `${path}.${process.pid}.new`;
  writeFileSync(beside, bytes);
  renameSync(beside, path);
}
