// Orders files for uploading and removing, so that no published file ever refers to a missing one.

import { SEED_FOLDER, SEED_MANIFEST } from '#layout/data-files.ts';
import { IMAGE_FOLDER } from '#layout/image-files.ts';
import { ERRORS_FOLDER, indexFile, VARIANTS_FOLDER } from '#layout/response-files.ts';
import { ROUTES } from '#routes/all.ts';
import { DOCUMENTS } from '#site/documents.ts';

/** Kinds of files in upload order. A file refers only to files of kinds that come earlier in this list. */
const KINDS = ['files with hashes', 'parts', 'responses', 'lists', 'pages', 'status'] as const;
type Kind = (typeof KINDS)[number];

/**
 * The phases of a publish: uploads by kind, then removals in reverse order. A phase begins when the previous phase is
 * done.
 */
export const PHASES: readonly string[] = [...KINDS, ...KINDS.map((kind) => `${kind} to remove`).toReversed()];

/** Files that describe the whole site, and pages, which name the hashes of scripts. They are uploaded last. */
const LAST = new Set([
  ...ROUTES.filter(({ subject }) => subject.showsSiteHash).map(indexFile),
  ...DOCUMENTS.filter(({ isPage }) => isPage).map(({ file }) => file),
]);
/** The top-level folders that contain responses. */
const RESPONSE_FOLDERS = new Set([ERRORS_FOLDER, ...ROUTES.map(({ path }) => path.split('/')[0])]);
/** Matches pages of lists, block indexes of search files, and `names.json`, the file in which lists are searched. */
const LIST = /\/pages\/|\/(?:index|names)\.json$/;
const FILES = new Set(ROUTES.filter(({ isFile }) => isFile).map(({ path }) => path));

/** Returns the index in {@link PHASES} of a file to upload or remove. */
export function phaseOf(path: string, isRemoved: boolean): number {
  const position = KINDS.indexOf(kindOf(path));
  return isRemoved ? PHASES.length - 1 - position : position;
}

function kindOf(path: string): Kind {
  if (LAST.has(path)) return 'status';
  const [folder] = path.split('/');
  if (folder === IMAGE_FOLDER) return 'files with hashes';
  // The manifest of a seed names its parts, so it is uploaded later.
  if (folder === SEED_FOLDER) return path === `${SEED_FOLDER}/${SEED_MANIFEST}` ? 'pages' : 'files with hashes';
  if (path.startsWith(`${VARIANTS_FOLDER}/`)) return 'parts';
  if (!RESPONSE_FOLDERS.has(folder)) return 'pages';
  return LIST.test(path) || FILES.has(path) ? 'lists' : 'responses';
}
