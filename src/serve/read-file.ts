// Reads a file of a site by its path in the site, as the file system has it now. Links inside it are not followed.
import { closeSync, constants, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Follows no link, and does not wait for somebody to write into a pipe. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Errors for a name that no file can have, such as a text of 10 KB, or for a file that was removed meanwhile. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/**
 * The folder itself may be a link: who switches it (`current -> site-42`) switches the site with the next request.
 * Undefined where there is no folder.
 */
export function findRoot(folder: string): string | undefined {
  return orAbsent(() => realpathSync.native(folder));
}

/** Undefined for what is no file, or is behind a link: that may lead out of the site. */
export function readSiteFile(root: string, file: string): Buffer | undefined {
  const path = join(root, file);
  if (!path.startsWith(root + sep)) return undefined;
  return orAbsent(() => {
    const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
    // The real path is another one where any part of this one is a link, or differs in case from the name on the disk.
    if (!isFile || realpathSync.native(path) !== path) return undefined;
    const fd = openSync(path, OPEN_FLAGS);
    try {
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  });
}

function orAbsent<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
