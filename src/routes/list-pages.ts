// Cuts the rows of a list into slices, renders slices as pages of each size, and makes a manifest with digests of the
// pages.

import { hash } from 'node:crypto';
import type { ZodType } from 'zod';
import { indexFile, listManifestFile, listNamesFile, listPageFile } from '#layout/response-files.ts';
import { fitRow } from '#serving/fit-row.ts';
import type { ListManifest } from '#serving/list-slice.ts';
import { jsonPage, type ListPages, type Page, type RouteError, type Zod } from './route.ts';
import type { StoredEntry } from './subject.ts';

/** The error for a malformed request for a collection or its tokens. */
export const BAD_COLLECTION_REQUEST: RouteError = {
  status: 400,
  body: {
    error: 'Bad Request',
    message:
      'The principal, token_id, limit or offset is not supported. A principal is <contract address>.<contract ' +
      'name>, and a token_id is a number without leading zeros. Hosts without server code take limit=60 and an ' +
      'offset in the list that is a multiple of 60. Other hosts take a limit from 1 to 60 and an offset from 0.',
  },
};

/** The number of rows in a slice. It is a multiple of each page size. */
const SLICE_SIZE = 60;

/** A part of a list that begins at a multiple of {@link SLICE_SIZE}. */
interface ListSlice<Entry> {
  readonly offset: number;
  readonly total: number;
  readonly results: readonly Entry[];
}

/** A slice or the manifest of a list. `names` is the text of the names file, if the list has one. */
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
 * Renders a slice as pages of each size, or renders the manifest. The last page of a list is empty, for clients that
 * read until they get an empty page.
 */
export function* listPages<Entry>(path: string, { pageSizes }: ListPages, part: ListPart<Entry>): Generator<Page> {
  if ('manifest' in part) {
    yield jsonPage(listManifestFile({ path }), part.manifest);
    if (part.names !== undefined) yield { path: listNamesFile({ path }), body: part.names };
    return;
  }
  const { offset: from, total } = part;
  if (from === 0) yield { path: indexFile({ path }), body: pageBody(part, pageSizes[0], 0) };
  for (const limit of pageSizes) {
    for (let offset = from; offset < from + SLICE_SIZE && offset <= endOf(total, limit); offset += limit)
      yield { path: listPageFile({ path }, limit, offset), body: pageBody(part, limit, offset) };
  }
}

function pageBody({ offset: from, total, results: slice }: ListSlice<unknown>, limit: number, offset: number): string {
  const results = slice.slice(offset - from, offset - from + limit);
  return JSON.stringify({ limit, offset, total, results });
}

/** Returns the offset of the empty page after the last full or partly full page. */
function endOf(total: number, limit: number): number {
  return Math.ceil(total / limit) * limit;
}

interface ListRows<Row, Entry> {
  readonly total: number;
  readonly rows: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
  readonly read: (rows: readonly Row[]) => Promise<Entry[]>;
  readonly names?: string | undefined;
}

/** Yields the slices of a list, then its manifest. If the last slice is full, an empty slice follows it. */
export async function* listParts<Row, Entry extends object>(
  list: ListRows<Row, Entry>,
): AsyncGenerator<StoredEntry<ListPart<Entry>>[]> {
  const { total, rows, read, names } = list;
  let waiting: Row[] = [];
  const pages: string[] = [];
  const cut = async () => {
    const offset = pages.length * SLICE_SIZE;
    const slice = { offset, total, results: (await read(waiting.splice(0, SLICE_SIZE))).map(fitRow) };
    pages.push(digestOf(pageBody(slice, SLICE_SIZE, offset)));
    return [{ key: sliceKey(offset), stored: slice }];
  };
  for await (const page of rows) {
    waiting = [...waiting, ...page];
    while (waiting.length >= SLICE_SIZE) yield await cut();
  }
  while (pages.length < partCount(total) - 1) yield await cut();
  const manifest = { total, ...(names && { names: digestOf(names) }), pages };
  yield [{ key: MANIFEST_KEY, stored: { manifest, names } }];
}

/** Returns the number of parts of a list with `total` rows: its slices, and one manifest. */
export function partCount(total: number): number {
  return endOf(total, SLICE_SIZE) / SLICE_SIZE + 2;
}

/** The key of the manifest, which sorts after the keys of slices. */
const MANIFEST_KEY = 'manifest';

/** Returns the key of a slice. The keys sort in the order of the list. */
function sliceKey(offset: number): string {
  return String(offset).padStart(12, '0');
}

/** Returns the first 16 hex digits of the SHA-256. */
function digestOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}
