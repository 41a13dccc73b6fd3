// Recognizes paths that a build can write. Only objects at such paths, or named by the local record, are ever removed.

import { TABLE_NAMES } from '#dump/tables.ts';
import { DUMP_FOLDER, SEED_FOLDER, SEED_MANIFEST, SEED_PART_NAME } from '#layout/data-files.ts';
import { IMAGE_FOLDER } from '#layout/image-files.ts';
import { ERRORS_FOLDER, VARIANTS_FOLDER } from '#layout/response-files.ts';
import { planResponse } from '#serving/plan-response.ts';
import { SITE_RULES } from '#site/site-rules.ts';

/** Matches the folders of a variant, or of the status of an error, above the path of a response. */
const OUTER_FOLDERS = new RegExp(`^(?:${VARIANTS_FOLDER}/[^/]+/[^/]+|${ERRORS_FOLDER}/\\d+)/`);
const TABLE_FILE = new RegExp(`^(?:${TABLE_NAMES.join('|')})\\.`);
/** Tests for file names, by folder. The rules of these folders also serve files with other names. */
const WRITTEN_NAMES: Readonly<Partial<Record<string, (name: string) => boolean>>> = {
  [IMAGE_FOLDER]: (name) => /^[0-9a-f]{64}\./.test(name),
  [DUMP_FOLDER]: (name) => TABLE_FILE.test(name),
  [SEED_FOLDER]: (name) => name === SEED_MANIFEST || SEED_PART_NAME.test(name),
  [VARIANTS_FOLDER]: () => false,
};

/** Returns true if a build can write a file at this path. False for files of hosts, which other programs also write. */
export function isSiteFile(path: string): boolean {
  if (Object.hasOwn(SITE_RULES.errors, path)) return true;
  const file = path.replace(OUTER_FOLDERS, '');
  const [folder = '', ...names] = file.split('/');
  if (WRITTEN_NAMES[folder]?.(names.join('/')) === false) return false;
  return planResponse(`/${file}`, new URLSearchParams(), SITE_RULES)[0]?.file === file;
}
