// Keeps images in a folder, named by the hash of their bytes: written beside and renamed, so none is ever incomplete.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from '#model/failure.ts';
import { imageFile, thumbnailFile } from '#model/image-file.ts';
import type { ProcessedImage } from './process-image.ts';

/** Whether a copy and its thumbnail are still there. */
export function hasImage(folder: string, copy: { readonly sha256: string; readonly extension: string }): boolean {
  return [imageFile(copy.sha256, copy.extension), thumbnailFile(copy.sha256)].every((name) =>
    existsSync(join(folder, name)),
  );
}

/** Throws FailureError `disk-full` or `index-unwritable`: trouble with the disk is not a failure of the image. */
export function keepImage(folder: string, image: ProcessedImage): void {
  try {
    mkdirSync(folder, { recursive: true });
    write(join(folder, imageFile(image.sha256, image.extension)), image.bytes);
    write(join(folder, thumbnailFile(image.sha256)), image.thumbnail);
  } catch (error) {
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw stop(
      isFull ? 'disk-full' : 'index-unwritable',
      `The images folder ${folder} cannot be written (${(error as Error).message}).`,
      error,
    );
  }
}

function write(path: string, bytes: Uint8Array): void {
  const beside = `${path}.${process.pid}.new`;
  writeFileSync(beside, bytes);
  renameSync(beside, path);
}
