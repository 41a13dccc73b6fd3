// Pages of a list: takes slices, returns the files of every page size and their manifest.

import type { ZodType } from 'zod';
import { indexFile, listManifestFile, listNamesFile, listPageFile } from '#serving/layout.ts';
import type { ListManifest } from '#serving/list-slice.ts';
import type { ListPages, Page, RouteError, Zod } from './route.ts';

/** Error for a malformed path below that of collections, the same for a token and for a list. */
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

/** Results held at once: a whole number of pages of every size. */
export const SLICE_SIZE = 60;

/** Part of a list, starting at a multiple of {@link SLICE_SIZE}. */
interface ListSlice<Entry> {
  readonly offset: number;
  readonly total: number;
  readonly results: readonly Entry[];
}

/** The manifest comes with the text of the names file, if the list has one. */
export type ListPart<Entry> =
  | ListSlice<Entry>
  | { readonly manifest: ListManifest; readonly names?: string | undefined };

export const listSchema = <Entry extends ZodType>(z: Zod, entry: Entry) =>
  z.strictObject({
    limit: z.int().positive(),
    offset: z.int().nonnegative(),
    total: z.int().nonnegative(),
    results: z.array(entry),
  });

/**
 * Yields the pages of each size, including the empty page at the end of the list, for clients that read until they
 * reach it; or the manifest and the names. `path`: that of the list, filled in.
 */
export function* listPages<Entry>(path: string, { pageSizes }: ListPages, part: ListPart<Entry>): Generator<Page> {
  if ('manifest' in part) {
    yield { kind: 'answer', path: listManifestFile({ path }), body: JSON.stringify(part.manifest) };
    if (part.names !== undefined) yield { kind: 'answer', path: listNamesFile({ path }), body: part.names };
    return;
  }
  const { offset: from, total } = part;
  if (from === 0) yield { kind: 'answer', path: indexFile({ path }), body: pageBody(part, pageSizes[0], 0) };
  for (const limit of pageSizes) {
    for (let offset = from; offset < from + SLICE_SIZE && offset <= endOf(total, limit); offset += limit)
      yield { kind: 'answer', path: listPageFile({ path }, limit, offset), body: pageBody(part, limit, offset) };
  }
}

export function pageBody(
  { offset: from, total, results: slice }: ListSlice<unknown>,
  limit: number,
  offset: number,
): string {
  const results = slice.slice(offset - from, offset - from + limit);
  return JSON.stringify({ limit, offset, total, results });
}

/** Offset of the empty page at the end. */
export function endOf(total: number, limit: number): number {
  return Math.ceil(total / limit) * limit;
}
