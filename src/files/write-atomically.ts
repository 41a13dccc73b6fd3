// Writes a file to a temporary path and then renames it: readers find the old file or the complete new one.
import { execFile } from 'node:child_process';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

interface WriteOptions {
  /** The path to write first, on the same file system. (default: the path with `.new` appended) */
  readonly temporaryPath?: string;
  /** True to flush the content to disk before the rename. {@link syncNames} flushes the new name. */
  readonly isDurable?: boolean;
  readonly onlyIfNew?: boolean;
}

/** Error codes for a hard link that the file system cannot create. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Writes the file and returns true. Returns false only if `onlyIfNew` is set and the file exists. */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { temporaryPath = `${path}.new`, isDurable = false, onlyIfNew = false }: WriteOptions = {},
): Promise<boolean> {
  try {
    {
      await using file = await open(temporaryPath, 'w');
      await file.writeFile(content);
      if (isDurable) await file.sync();
    }
    if (onlyIfNew) return await linkIfNew(temporaryPath, path);
    await rename(temporaryPath, path);
    return true;
  } finally {
    await rm(temporaryPath, { force: true });
  }
}

/** Creates a folder and its missing parents, and flushes their names to disk. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    await syncNames(dirname(made));
    if (made === first) return;
  }
}

/** Flushes the names of the files in a folder to disk. */
export async function syncNames(folder: string): Promise<void> {
  // Windows cannot open folders, and does not need this flush.
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
}

/** Flushes all data of a folder's file system to disk. Returns false if the system cannot do that. */
export async function syncFileSystem(folder: string): Promise<boolean> {
  // On other platforms `sync` may return before the data is on the disk.
  if (process.platform !== 'linux') return false;
  return promisify(execFile)('sync', ['-f', folder]).then(
    () => true,
    () => false,
  );
}

async function linkIfNew(temporaryPath: string, path: string): Promise<boolean> {
  try {
    await link(temporaryPath, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
    // Without hard links, two processes may both write the file, and the second replaces the file of the first. The
    // caller checks which file stayed.
    await rename(temporaryPath, path);
    return true;
  }
}
