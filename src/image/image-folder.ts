// Stores images in a folder, named by the hash of their bytes. Each file is on disk before it gets its name, and its
// name before the index has a row for it.
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stop } from '#model/failure.ts';
import { type ImageFile, imageFile, thumbnailFile } from '#model/image-file.ts';
import type { DecodedImage } from './image-decoder.ts';

const UNFINISHED = '.new';
/** Number of files that this run has begun to write. */
let begun = 0;

/** Removes unfinished files of killed runs. */
export function removeUnfinished(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith(UNFINISHED)) rmSync(join(folder, name));
}

/** True if a file exists with this size; with any size if it is unknown. */
export function hasFile(folder: string, name: string, bytes: number | undefined): boolean {
  const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes === undefined ? size > 0 : size === bytes;
}

/** Throws FailureError `disk-full` or `index-unwritable`: a disk error is not a failure of the image. */
export function keepImage(folder: string, { sha256, extension, bytes, thumbnail }: DecodedImage): Promise<ImageFile[]> {
  return explained(folder, async () => {
    if (mkdirSync(folder, { recursive: true }) !== undefined) await syncNames(dirname(folder));
    return [
      await write(folder, imageFile(sha256, extension), bytes),
      await write(folder, thumbnailFile(sha256), thumbnail),
    ];
  });
}

/** Waits until the names of all stored files are on disk. Throws as {@link keepImage} does. */
export function syncImages(folder: string): Promise<void> {
  return explained(folder, () => syncNames(folder));
}

async function write(folder: string, name: string, bytes: Uint8Array): Promise<ImageFile> {
  const path = join(folder, name);
  // Several images with the same bytes may be stored at once.
  const beside = `${path}.${++begun}${UNFINISHED}`;
  const file = await open(beside, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  return { name, bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') };
}

async function syncNames(folder: string): Promise<void> {
  // Windows cannot open folders, and needs no such sync.
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function explained<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw stop(
      isFull ? 'disk-full' : 'index-unwritable',
      `The images folder ${folder} cannot be written (${(error as Error).message}).`,
      error,
    );
  }
}
