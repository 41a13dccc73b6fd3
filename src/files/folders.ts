// Creates folders, finds out why a folder cannot be written, and recognizes files that are not content.
import { accessSync, constants, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Names of files that macOS, Windows and Linux create in folders, or in the root of a disk; in lower case. */
const SYSTEM_FILES: ReadonlySet<string> = new Set([
  ...['.ds_store', '.localized', '.apdisk', '.fseventsd', '.temporaryitems', '.trashes'],
  ...['.documentrevisions-v100', '.spotlight-v100'],
  ...['desktop.ini', 'thumbs.db', '$recycle.bin', 'system volume information'],
  ...['.directory', 'lost+found'],
]);

/** True for the name of a file that no person or program wants to keep, for example in an empty output folder. */
export function isSystemFile(name: string): boolean {
  return SYSTEM_FILES.has(name.toLowerCase()) || /^\.(?:_.|Trash-\d)/.test(name);
}

/**
 * Creates a folder and its missing parents. Returns the created folders, the innermost first. `mkdir` of Node with
 * `recursive` never ends on some file systems, such as /proc: they refuse new names with ENOENT.
 */
export function createFolder(folder: string): string[] {
  const parent = dirname(folder);
  const above = parent !== folder && !existsSync(parent) ? createFolder(parent) : [];
  try {
    mkdirSync(folder);
    return [folder, ...above];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
    return above;
  }
}

/**
 * Returns why a folder, or files in it, cannot be created: the problem as a clause, and the remedy as a sentence.
 * Undefined if nothing is in the way.
 */
export function findObstacle(folder: string): { readonly problem: string; readonly remedy: string } | undefined {
  let at = folder;
  while (!isFound(at) && dirname(at) !== at) at = dirname(at);
  if (!isFolder(at)) {
    const problem = isLink(at) ? `${at} is a link to a missing folder` : `${at} is not a folder`;
    return { problem, remedy: 'Choose another path.' };
  }
  try {
    accessSync(at, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
      ? { problem: `${at} is on a read-only file system`, remedy: 'Choose another path.' }
      : {
          problem: `this user may not write to ${at}`,
          remedy: 'Change its owner or permissions, or choose another path.',
        };
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** True if the path exists, even as a link to a missing file. False if a folder on the path cannot be searched. */
function isFound(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink() && !existsSync(path);
}
