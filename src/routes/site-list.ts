// Makes a route for a list of all tokens or collections of the site. The list has pages.

import type { ZodType } from 'zod';
import type { TokenStandard } from '#model/token.ts';
import { hasTokenChanged } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { type ListPart, listPages, listParts, listSchema, partCount } from './list-pages.ts';
import type { ListPages, Route, RouteError, Zod } from './route.ts';
import { NO_CHANGES, type RenderOptions } from './subject.ts';

interface SiteList<Row, Entry extends object> extends Pick<Route, 'id' | 'path' | 'summary' | 'inBuilds'> {
  readonly badRequest: RouteError;
  readonly standard: TokenStandard;
  readonly list: ListPages;
  readonly entry: (z: Zod) => ZodType;
  /** Reads all rows of the list in order. */
  readonly rows: (store: StoreReader) => Promise<readonly Row[]>;
  readonly read: (store: StoreReader, rows: readonly Row[], options: RenderOptions) => Promise<Entry[]>;
  /** Returns the values of a row that clients search and sort by. */
  readonly names?: (row: Row) => readonly unknown[];
}

export function siteList<Row, Entry extends object>(definition: SiteList<Row, Entry>): Route<ListPart<Entry>> {
  const { id, path, summary, inBuilds, badRequest, standard, list, entry, rows, read, names } = definition;
  return {
    ...{ id, path, summary, inBuilds, badRequest, list },
    parameters: [],
    schema: (z) => listSchema(z, entry(z)),
    subject: {
      async changes(store, sinceRevision, options) {
        if (sinceRevision > 0 && !(await hasTokenChanged(store, sinceRevision, [standard]))) return NO_CHANGES;
        const all = await rows(store);
        const pages = listParts({
          total: all.length,
          rows: [all],
          read: (some: readonly Row[]) => read(store, some, options),
          names: names && JSON.stringify(all.map(names)),
        });
        return { count: partCount(all.length), pages, isComplete: true };
      },
      open: (stored) => stored as ListPart<Entry>,
    },
    render: (part) => listPages(path, list, part),
  };
}
