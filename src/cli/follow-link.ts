// Resolves a symbolic link to the index or to a spool. Other files of the index are then created next to the link's
// target.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Returns the target of a symbolic link, which may not exist yet; returns any other path unchanged. */
export function followLink(path: string): string {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
    return realpathSync.native(path);
  } catch (error) {
    // Other errors, such as a circle of links, are reported when the file is opened.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return path;
    return followLink(resolve(realpathSync.native(dirname(path)), readlinkSync(path)));
  }
}
