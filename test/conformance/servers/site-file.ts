// Finds the file for a path, as hosts with a flat list of uploaded files do.
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the file whose name is exactly the path (encoded, without query), or undefined if it is missing. */
export function findSiteFile(dist: string, path: string): string | undefined {
  const segments = decodeSegments(path);
  if (segments === undefined) return undefined;
  const file = join(dist, ...segments);
  return isFile(file) ? file : undefined;
}

/**
 * Returns the decoded segments of a path. Returns undefined if no file can have that name: for empty segments, `.` and
 * `..`, encoded slashes, and bytes that are not UTF-8.
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
