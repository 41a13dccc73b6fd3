// Follows a link to the index, or to a spool: what belongs beside the index lies beside the file itself.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The file that a link leads to, which need not be there yet; any other path stays as it is. */
export function followLink(path: string): string {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
    return realpathSync.native(path);
  } catch (error) {
    // What is wrong with any other path, such as a circle of links, is told when it is opened.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return path;
    return followLink(resolve(dirname(path), readlinkSync(path)));
  }
}
