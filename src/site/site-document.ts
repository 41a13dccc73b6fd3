// Defines a site's document: a file that is no answer of a route.

import type { Only } from '#model/token.ts';
import type { Route } from '#routes/route.ts';
import type { Headers } from '#serving/headers.ts';
import type { StoreReader } from '#store/index-database.ts';

export interface DocumentFacts {
  readonly store: StoreReader;
  /** The routes that the build has. */
  readonly routes: readonly Route[];
  readonly publicUrl: string;
  readonly only?: Only | undefined;
}

export interface SiteDocument {
  /** Where it is in the build, and answered. */
  readonly file: string;
  readonly headers: Headers;
  /** True if it is answered at the path of its folder too, with and without a slash at its end. */
  readonly isPage?: boolean;
  /** The part of the index that changes it; undefined if only the program or the options of the build change it. */
  readonly changesWith?: 'index' | 'examples';
  /** True if pages name it with a version of its bytes as its query. */
  readonly isVersioned?: boolean;
  /** Loads what only some builds need. */
  readonly render: (facts: DocumentFacts) => string | Uint8Array | Promise<string>;
}
