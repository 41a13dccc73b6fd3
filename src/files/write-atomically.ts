// Writes a file to a temporary path and then renames it: readers find the old file or the complete new one.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFolder } from './folders.ts';

interface WriteOptions {
  /** The path to write first, on the same file system. (default: the path with `.new` appended) */
  readonly temporaryPath?: string;
  /** True to flush the content to disk before the rename. {@link syncNames} flushes the new name. */
  readonly isDurable?: boolean;
}

export async function writeAtomically(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { temporaryPath = `${path}.new`, isDurable = false }: WriteOptions = {},
): Promise<void> {
  try {
    {
      await using file = await open(temporaryPath, 'w');
      await file.writeFile(content);
      if (isDurable) await file.sync();
    }
    await rename(temporaryPath, path);
  } finally {
    await rm(temporaryPath, { force: true });
  }
}

/** Creates a folder and its missing parents, and flushes their names to disk. */
export async function makeFolder(folder: string): Promise<void> {
  for (const made of createFolder(folder)) await syncNames(dirname(made));
}

/** Flushes the names of the files in a folder to disk. */
export async function syncNames(folder: string): Promise<void> {
  // Windows cannot open folders, and does not need this flush.
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
}
