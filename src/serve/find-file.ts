// Finds a file of a site by its path in the site, as the file system has it now. Links inside it are not followed.
import { type BigIntStats, lstatSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

export interface FoundFile {
  readonly path: string;
  readonly stats: BigIntStats;
}

/**
 * The folder itself may be a link: who switches it (`current -> site-42`) switches the site with the next request.
 * Undefined where there is no folder.
 */
export function findRoot(folder: string): string | undefined {
  return orAbsent(() => realpathSync.native(folder));
}

/** Undefined for what is no file, or is behind a link: that may lead out of the site. */
export function findFile(root: string, file: string): FoundFile | undefined {
  const path = join(root, file);
  if (!path.startsWith(root + sep)) return undefined;
  return orAbsent(() => {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    // The real path is another one where any part of this one is a link, or differs in case from the name on the disk.
    return stats?.isFile() === true && realpathSync.native(path) === path ? { path, stats } : undefined;
  });
}

/** Whether a file is still the one that was looked at, unchanged. */
export function isSameFile(left: BigIntStats, right: BigIntStats): boolean {
  return (
    left.ino === right.ino &&
    left.ctimeNs === right.ctimeNs &&
    left.mtimeNs === right.mtimeNs &&
    left.size === right.size &&
    left.dev === right.dev
  );
}

/** What a name means that no file can have, such as a text of 10 KB, or one that was removed meanwhile. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

export function orAbsent<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
