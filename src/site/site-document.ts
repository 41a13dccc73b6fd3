// Defines a document of a site: a file that is not a response of a route.

import type { Only } from '#model/token.ts';
import type { Route } from '#routes/route.ts';
import type { Headers } from '#serving/headers.ts';
import type { StoreReader } from '#store/index-database.ts';

export interface DocumentFacts {
  readonly store: StoreReader;
  /** The routes of the build. */
  readonly routes: readonly Route[];
  readonly publicUrl: string;
  readonly only?: Only | undefined;
}

export interface SiteDocument {
  /** The path of the file in the build, and of its requests. */
  readonly file: string;
  readonly headers: Headers;
  /** True if the path of its folder serves it too, with and without a slash at the end. */
  readonly isPage?: boolean;
  /** The part of the index that changes it; undefined if only the program or the options of the build change it. */
  readonly changesWith?: 'index' | 'examples';
  /** True if pages load it with a hash of its content as the query. */
  readonly isVersioned?: boolean;
  /** Renders the content. Loads modules that only some builds need. */
  readonly render: (facts: DocumentFacts) => string | Uint8Array | Promise<string>;
}
