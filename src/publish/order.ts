// Orders files for sending and removing, so that no file that is there ever names one that is not.

import { IMAGE_FOLDER } from '#layout/image-files.ts';
import { ERRORS_FOLDER, fixedPart, indexFile, VARIANTS_FOLDER } from '#layout/response-files.ts';
import { ROUTES } from '#routes/all.ts';
import { contractGraphPage } from '#routes/contract-graph.ts';
import { planAnswer } from '#serving/plan-answer.ts';
import { DOCUMENTS } from '#site/documents.ts';
import { SITE_RULES } from '#site/site-rules.ts';

/** Each names at most what is in those before it, and is sent after them. */
const KINDS = ['images', 'parts', 'answers', 'lists', 'pages', 'status'] as const;
type Kind = (typeof KINDS)[number];

/** Each is complete before the next begins. What names others is removed before them, and last of all. */
export const PHASES: readonly string[] = [...KINDS, ...KINDS.map((kind) => `${kind} to remove`).toReversed()];

/** The position of the first phase that removes files. */
export const FIRST_REMOVAL = KINDS.length;

/** They say how far the site is. */
const LAST = new Set([
  ...ROUTES.filter(({ subject }) => subject.showsSiteHash).map(indexFile),
  ...DOCUMENTS.filter(({ changesWith }) => changesWith === 'index').map(({ file }) => file),
]);
const ANSWERS = new Set([ERRORS_FOLDER, ...ROUTES.map(({ path }) => path.split('/')[0])]);
/** Of answers: their variants, and what they show only the beginning of. */
const PART = new RegExp(`^(?:${VARIANTS_FOLDER}|${fixedPart(contractGraphPage)})/`);
/** Lists, fences of search files, and what lists are searched by. */
const LIST = /\/pages\/|\/(?:index|names)\.json$/;
const OWN_ERROR = new RegExp(`^${ERRORS_FOLDER}/\\d+/`);
const FILES = new Set(ROUTES.filter(({ isFile }) => isFile).map(({ path }) => path));

/** The position in {@link PHASES} of a file by its path. */
export function phaseOf(path: string, isRemoved: boolean): number {
  const position = KINDS.indexOf(kindOf(path));
  return isRemoved ? PHASES.length - 1 - position : position;
}

/** Returns false for files that no route of this version has, and for files of hosts. */
export function isServed(path: string): boolean {
  const answered = path.replace(OWN_ERROR, '');
  return planAnswer(`/${answered}`, new URLSearchParams(), SITE_RULES)[0]?.file === answered;
}

function kindOf(path: string): Kind {
  if (LAST.has(path)) return 'status';
  const [folder] = path.split('/');
  if (folder === IMAGE_FOLDER) return 'images';
  if (PART.test(path)) return 'parts';
  if (!ANSWERS.has(folder)) return 'pages';
  return LIST.test(path) || FILES.has(path) ? 'lists' : 'answers';
}
