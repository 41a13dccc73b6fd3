// Makes a route that lists all tokens or collections of the site: takes its rows and their entries, returns the route.

import type { ZodType } from 'zod';
import type { TokenStandard } from '#model/token.ts';
import { hasTokenChanged } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import {
  type ListPart,
  listDigest,
  listPages,
  listSchema,
  MANIFEST_KEY,
  pageDigest,
  partCount,
  SLICE_SIZE,
  sliceKey,
  sliceOffsets,
} from './list-pages.ts';
import type { ListPages, Route, RouteError, Zod } from './route.ts';
import { NO_CHANGES, type RenderOptions, type StoredEntry } from './subject.ts';

interface SiteList<Row, Entry extends object> extends Pick<Route, 'id' | 'path' | 'summary' | 'about'> {
  readonly badRequest: RouteError;
  readonly standard: TokenStandard;
  readonly list: ListPages;
  /** Schema of an entry. */
  readonly entry: (z: Zod) => ZodType;
  /** All rows, in the order of the list. */
  readonly rows: (store: StoreReader) => Promise<readonly Row[]>;
  readonly read: (store: StoreReader, rows: readonly Row[], options: RenderOptions) => Promise<Entry[]>;
  /** The names of a row by which it is found and sorted. */
  readonly names?: (row: Row) => readonly unknown[];
}

export function siteList<Row, Entry extends object>(own: SiteList<Row, Entry>): Route<ListPart<Entry>> {
  const { id, path, summary, about, badRequest, standard, list, entry, rows, read, names } = own;
  return {
    ...{ id, path, summary, about, badRequest, list },
    parameters: [],
    schema: (z) => listSchema(z, entry(z)),
    subject: {
      name: id,
      spans: 'site',
      async changes(store, sinceRevision, options) {
        if (sinceRevision > 0 && !(await hasTokenChanged(store, sinceRevision, [standard]))) return NO_CHANGES;
        const all = await rows(store);
        const pages = partsOf(all, (some) => read(store, some, options), names);
        return { count: partCount(all.length), pages, isWhole: true };
      },
      open: (stored) => stored as ListPart<Entry>,
    },
    render: (part) => listPages(path, list, part),
  };
}

/** A slice may have megabytes, since a token's description may have one. The names file comes with the manifest. */
async function* partsOf<Row, Entry extends object>(
  rows: readonly Row[],
  read: (rows: readonly Row[]) => Promise<Entry[]>,
  namesOf?: (row: Row) => readonly unknown[],
): AsyncGenerator<StoredEntry<ListPart<Entry>>[]> {
  const total = rows.length;
  const pages: string[] = [];
  for (const offset of sliceOffsets(total)) {
    const slice = { offset, total, results: await read(rows.slice(offset, offset + SLICE_SIZE)) };
    pages.push(pageDigest(slice));
    const bytes = slice.results.reduce((sum, entry) => sum + bytesOf(entry), 0);
    yield [{ key: sliceKey(offset), stored: slice, bytes }];
  }
  const names = namesOf && JSON.stringify(rows.map(namesOf));
  yield [
    { key: MANIFEST_KEY, stored: { manifest: { total, ...(names && { names: listDigest(names) }), pages }, names } },
  ];
}

function bytesOf(entry: object): number {
  return Object.values(entry).reduce<number>((sum, value) => sum + String(value).length, 0);
}
