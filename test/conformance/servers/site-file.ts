// Finds the file that a path names, as a host does that keeps a flat list of the files that were uploaded.
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** The file on the disk, if the path (encoded, without query) is exactly its name. */
export function findSiteFile(dist: string, path: string): string | undefined {
  const segments = decodeSegments(path);
  if (segments === undefined) return undefined;
  const file = join(dist, ...segments);
  return isFile(file) ? file : undefined;
}

/**
 * Undefined for what no file is called: nothing between slashes, dots alone, an encoded slash, bytes that are no
 * text.
 */
function decodeSegments(path: string): string[] | undefined {
  try {
    const segments = path.split('/').slice(1).map(decodeURIComponent);
    return segments.every((segment) => /^(?!\.{1,2}$)[^/\0]+$/.test(segment)) ? segments : undefined;
  } catch {
    return undefined;
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
