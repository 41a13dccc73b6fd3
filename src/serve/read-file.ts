// Reads a file of a site by its path in the site, as the file system has it now. Links inside it are not followed.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Errors for a name that no file can have, such as a text of 10 KB, or for a file that was removed meanwhile. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/** Whoever switches a link to the folder (`current -> site-42`) switches the site. Undefined where there is none. */
export function findRoot(folder: string): string | undefined {
  return orAbsent(() => realpathSync.native(folder));
}

/** Undefined for what is no file, or is behind a link: that may lead out of the site. */
export function readSiteFile(root: string, file: string): Buffer | undefined {
  const path = join(root, file);
  if (!path.startsWith(root + sep)) return undefined;
  return orAbsent(() => {
    // The real path is another one where any part of this one is a link, or differs in case from the name on the disk.
    const isFile = realpathSync.native(path) === path && statSync(path).isFile();
    return isFile ? readFileSync(path) : undefined;
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
