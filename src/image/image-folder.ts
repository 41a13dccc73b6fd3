// Stores images in a folder, named by the hash of their bytes. They are flushed to disk before the index refers to
// them.
import { hash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFull } from '#files/disk-errors.ts';
import { makeFolder, syncNames, writeAtomically } from '#files/write-atomically.ts';
import { type ImageFile, imageFile, thumbnailFile } from '#layout/image-files.ts';
import { stop } from '#model/failure.ts';
import type { DecodedImage } from './image-decoder.ts';

const UNFINISHED = '.new';
/** The number of files that this process began to write. */
let startedFiles = 0;

/** Removes unfinished files of killed runs. */
export function removeUnfinished(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith(UNFINISHED)) rmSync(join(folder, name));
}

/** True if the file exists and has this size; if the size is unknown, true for any file that is not empty. */
export function hasFile(folder: string, name: string, bytes: number | undefined): boolean {
  const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes === undefined ? size > 0 : size === bytes;
}

/**
 * Stores an image and its thumbnail. Throws FailureError `disk-full` or `index-unwritable`, since an error of the disk
 * is not a failure of the image.
 */
export function storeImage(
  folder: string,
  { sha256, extension, bytes, thumbnail }: DecodedImage,
): Promise<ImageFile[]> {
  return explained(folder, async () => {
    await makeFolder(folder);
    return [
      await write(folder, imageFile(sha256, extension), bytes),
      await write(folder, thumbnailFile(sha256), thumbnail),
    ];
  });
}

/** Flushes the names of stored files to disk. Throws the errors of {@link storeImage}. */
export function syncImages(folder: string): Promise<void> {
  return explained(folder, () => syncNames(folder));
}

async function write(folder: string, name: string, bytes: Uint8Array): Promise<ImageFile> {
  const path = join(folder, name);
  // Uses a different temporary path each time, since images with the same bytes may be stored at the same time.
  const temporaryPath = `${path}.${++startedFiles}${UNFINISHED}`;
  await writeAtomically(path, bytes, { temporaryPath, isDurable: true });
  return { name, bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') };
}

async function explained<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = `The images folder ${folder} cannot be written (${(error as Error).message}).`;
    throw stop(isDiskFull(error) ? 'disk-full' : 'index-unwritable', message, error);
  }
}
