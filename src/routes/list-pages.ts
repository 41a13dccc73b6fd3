// The pages of a list: slices of it in, files for each size of page out.
import type { ZodType } from 'zod';
import { indexFile, type ListPages, listPageFile, type Page, type RouteError, type Zod } from './route.ts';

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

export const listSchema = <Entry extends ZodType>(z: Zod, entry: Entry) =>
  z.strictObject({
    limit: z.int().positive(),
    offset: z.int().nonnegative(),
    total: z.int().nonnegative(),
    results: z.array(entry),
  });

/**
 * The pages of each size, with the empty page at the end of the list, for clients that read until they reach it. `path`:
 * that of the list, filled in.
 */
export function* listPages<Entry>(
  path: string,
  { pageSizes }: ListPages,
  { offset: from, total, results: slice }: ListSlice<Entry>,
): Generator<Page> {
  const answer = (limit: number, offset: number): string => {
    const results = slice.slice(offset - from, offset - from + limit);
    return JSON.stringify({ limit, offset, total, results });
  };
  if (from === 0) yield { kind: 'answer', path: indexFile({ path }), body: answer(pageSizes[0], 0) };
  for (const limit of pageSizes) {
    for (let offset = from; offset < from + SLICE_SIZE && offset <= endOf(total, limit); offset += limit)
      yield { kind: 'answer', path: listPageFile({ path }, limit, offset), body: answer(limit, offset) };
  }
}

/** Offsets of the slices of a list, one for its empty page at the end included. */
export function* sliceOffsets(total: number): Generator<number> {
  for (let offset = 0; offset <= endOf(total, SLICE_SIZE); offset += SLICE_SIZE) yield offset;
}

/** In the order of the list. */
export function sliceKey(offset: number): string {
  return String(offset).padStart(12, '0');
}

/** The offset of the empty page at the end. */
function endOf(total: number, limit: number): number {
  return Math.ceil(total / limit) * limit;
}
