// Finds the file of a path as hosts do that store a flat list of files.
import { statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the path of the file with exactly this name; undefined if it is missing. `path` is percent-encoded and has no
 * query.
 */
export function findSiteFile(dist: string, path: string): string | undefined {
  const segments = decodeSegments(path);
  if (segments === undefined) return undefined;
  const file = join(dist, ...segments);
  return isFile(file) ? file : undefined;
}

/**
 * Decodes the segments of a path. Returns undefined if no file can have this path: it has an empty segment, `.`, `..`,
 * an encoded slash, or bytes that are not UTF-8.
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
