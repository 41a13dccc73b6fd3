// Lists the files of a build that are for uploading.
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const RECORD_FOLDER = '.stxpress/';

/** Paths with slashes, relative to the output folder. */
export function siteFiles(dist: string): string[] {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.startsWith(RECORD_FOLDER));
}
