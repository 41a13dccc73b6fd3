// Moves staged files into place and removes others: readers see each as it was or will be. Again, it mends a crash.
import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { stop } from '#model/failure.ts';
import { assertRealFolder } from './open-output.ts';

const HALF_PLACED = 'What was put in place before stays; remove that, and build again to put the rest in place.';

/**
 * Moves `staging` over `target`, new folders and files in one step each. Folders first: the root's page names them.
 * `goes`: true for the path of a file that gives its place to a folder, and of a folder that gives it to a file.
 */
export async function placeFiles(
  staging: string,
  target: string,
  goes: (path: string) => Promise<boolean>,
  path = '',
): Promise<void> {
  if (!existsSync(join(staging, path))) return;
  const entries = readdirSync(join(staging, path), { withFileTypes: true });
  for (const entry of entries.sort((left, right) => Number(right.isDirectory()) - Number(left.isDirectory()))) {
    const placed = join(path, entry.name);
    const to = join(target, placed);
    const stats = lstatSync(to, { throwIfNoEntry: false });
    const isInTheWay = stats !== undefined && (entry.isDirectory() ? stats.isFile() : stats.isDirectory());
    if (isInTheWay && (await goes(placed))) rmSync(to, { recursive: true });
    if (entry.isDirectory() && existsAsItself(to)) {
      assertRealFolder(to, HALF_PLACED);
      await placeFiles(staging, target, goes, placed);
    } else {
      renameSync(join(staging, placed), to);
    }
  }
  rmdirSync(join(staging, path));
}

/**
 * Removes a file of ours and the folders that it leaves empty, up to `target`. Keeps a new folder
 * in its place, and a new file in the place of one of its folders.
 */
export function removeFile(target: string, path: string): void {
  const file = join(target, path);
  let folder = target;
  for (const part of path.split('/').slice(0, -1)) {
    folder = join(folder, part);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined || stats.isFile()) return;
    assertRealFolder(folder, HALF_PLACED);
  }
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return;
  if (stats !== undefined) unlinkSync(file);
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    try {
      rmdirSync(join(target, parent));
    } catch {
      return; // not empty
    }
  }
}

/** Brings the folder's whole file system to the disk: one call, not one a file. Throws FailureError `disk-full`. */
export async function syncToDisk(folder: string): Promise<void> {
  try {
    await promisify(execFile)('sync', ['-f', folder]);
  } catch (error) {
    const { code, stderr, message } = error as ExecFileException & { stderr?: string };
    // Where there is no such command (it is part of GNU coreutils), a power cut may cost the last build.
    if (code === 'ENOENT') return;
    throw stop(
      'disk-full',
      `The disk of ${folder} is full or failing, and does not hold what was written to it ` +
        `(${(stderr || message).trim()}). Make room or mend it, and build again.`,
      error,
    );
  }
}

/** True if there is an entry, a dangling symbolic link included. */
function existsAsItself(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
