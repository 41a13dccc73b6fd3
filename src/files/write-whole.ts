// Writes a file beside its place, and then gives it its name: a reader finds the file as it was or as it will be.
import { execFile } from 'node:child_process';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

interface WriteOptions {
  /** The path that is written first, on the same file system. */
  readonly beside?: string;
  /** Bring the bytes to the disk before the file has its name; the name itself comes with {@link syncNames}. */
  readonly isDurable?: boolean;
  readonly onlyIfNew?: boolean;
}

/** Codes of a file system that has no hard links. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Returns whether it was written: only with `onlyIfNew`, it may not be. */
export async function writeWhole(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { beside = `${path}.new`, isDurable = false, onlyIfNew = false }: WriteOptions = {},
): Promise<boolean> {
  try {
    {
      await using file = await open(beside, 'w');
      await file.writeFile(content);
      if (isDurable) await file.sync();
    }
    if (onlyIfNew) return await linkIfNew(beside, path);
    await rename(beside, path);
    return true;
  } finally {
    await rm(beside, { force: true });
  }
}

/** Makes a folder, and those above it, with their names on the disk. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    await syncNames(dirname(made));
    if (made === first) return;
  }
}

/** Waits until the names of the files in a folder are on the disk. */
export async function syncNames(folder: string): Promise<void> {
  // Windows opens no folders, and needs no such sync.
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
}

/** Waits until all that was written to a folder's file system is on the disk. Returns false where nothing can do that. */
export async function syncFileSystem(folder: string): Promise<boolean> {
  // Elsewhere `sync` may return before the data is on the disk.
  if (process.platform !== 'linux') return false;
  return promisify(execFile)('sync', ['-f', folder]).then(
    () => true,
    () => false,
  );
}

async function linkIfNew(beside: string, path: string): Promise<boolean> {
  try {
    await link(beside, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
    // Two may write it at once: the caller finds out whose file stayed.
    await rename(beside, path);
    return true;
  }
}
