// The pages of a list: slices of it in, files for each size of page out, and a manifest of these.
import { hash } from 'node:crypto';
import type { ZodType } from 'zod';
import {
  indexFile,
  type ListPages,
  listManifestFile,
  listPageFile,
  type Page,
  type RouteError,
  type Zod,
} from './route.ts';

/** To what is malformed below the path of collections: it is told for a token and for a list alike. */
export const BAD_COLLECTION_REQUEST: RouteError = {
  status: 400,
  body: {
    error: 'Bad Request',
    message:
      'principal must be <contract address>.<contract name>, and token_id a number without leading zeros; of a list, ' +
      'limit must be a number from 1 to 60, and offset one from 0; a host without a program takes limit=60, and an ' +
      'offset within the list that is a multiple of it',
  },
};

/** Results that are held at once: whole pages of every size. */
export const SLICE_SIZE = 60;

/** A part of a list, which begins at a multiple of {@link SLICE_SIZE}. */
export interface ListSlice<Entry> {
  readonly offset: number;
  readonly total: number;
  readonly results: readonly Entry[];
}

/**
 * What the files of a list are in one build, by digests of their texts: files are replaced one by one, and a program
 * that reads several must not mix two builds.
 */
export interface ListManifest {
  readonly total: number;
  /** Of the file of names, where rows are found by it. */
  readonly names?: string;
  /** Of the pages of {@link SLICE_SIZE}, in their order. */
  readonly pages: readonly string[];
}

export type ListPart<Entry> = ListSlice<Entry> | { readonly manifest: ListManifest };

/** Key of a list's manifest, behind those of its slices. */
export const MANIFEST_KEY = 'manifest';

/** As programs at an edge compute it: the beginning of the text's SHA-256, in hex. */
export function listDigest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}

/** Of the page of {@link SLICE_SIZE} that a slice is. */
export function pageDigest(slice: ListSlice<unknown>): string {
  return listDigest(pageBody(slice, SLICE_SIZE, slice.offset));
}

export const listSchema = <Entry extends ZodType>(z: Zod, entry: Entry) =>
  z.strictObject({
    limit: z.int().positive(),
    offset: z.int().nonnegative(),
    total: z.int().nonnegative(),
    results: z.array(entry),
  });

/**
 * The pages of each size, with the empty page at the end of the list, for clients that read until they reach it; or the
 * manifest. `path`: that of the list, filled in.
 */
export function* listPages<Entry>(path: string, { pageSizes }: ListPages, part: ListPart<Entry>): Generator<Page> {
  if ('manifest' in part) {
    yield { kind: 'answer', path: listManifestFile({ path }), body: JSON.stringify(part.manifest) };
    return;
  }
  const { offset: from, total } = part;
  if (from === 0) yield { kind: 'answer', path: indexFile({ path }), body: pageBody(part, pageSizes[0], 0) };
  for (const limit of pageSizes) {
    for (let offset = from; offset < from + SLICE_SIZE && offset <= endOf(total, limit); offset += limit)
      yield { kind: 'answer', path: listPageFile({ path }, limit, offset), body: pageBody(part, limit, offset) };
  }
}

function pageBody({ offset: from, total, results: slice }: ListSlice<unknown>, limit: number, offset: number): string {
  const results = slice.slice(offset - from, offset - from + limit);
  return JSON.stringify({ limit, offset, total, results });
}

/** Offsets of the slices of a list, one for its empty page at the end included. */
export function* sliceOffsets(total: number): Generator<number> {
  for (let offset = 0; offset <= endOf(total, SLICE_SIZE); offset += SLICE_SIZE) yield offset;
}

/** Slices of a list of so many rows, and its manifest. */
export function partCount(total: number): number {
  return [...sliceOffsets(total)].length + 1;
}

/** In the order of the list. */
export function sliceKey(offset: number): string {
  return String(offset).padStart(12, '0');
}

/** The offset of the empty page at the end. */
function endOf(total: number, limit: number): number {
  return Math.ceil(total / limit) * limit;
}
