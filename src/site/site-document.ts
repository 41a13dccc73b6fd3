// Defines a document of a site, which is a file that is not a response of a route.

import type { Route } from '#routes/route.ts';
import type { Headers } from '#serving/headers.ts';
import type { StoreReader } from '#store/index-database.ts';

export interface DocumentFacts {
  readonly store: StoreReader;
  /** The routes that the build contains. */
  readonly routes: readonly Route[];
  readonly publicUrl: string;
  /** The name of the site. */
  readonly name: string;
}

export interface SiteDocument {
  /** The path of the file in the build. Requests have the same path. */
  readonly file: string;
  readonly headers: Headers;
  /** True if requests for the path of its folder also get this file, with or without a trailing slash. */
  readonly isPage?: boolean;
  /** True if the file has examples from the index. Otherwise only the program or the options of a build change it. */
  readonly hasExamples?: boolean;
  /** True if pages load the file with a hash of its content as the query. */
  readonly isVersioned?: boolean;
  /** Renders the content of the file. Loads large modules only when it is called. */
  readonly render: (facts: DocumentFacts) => string | Uint8Array | Promise<string>;
}
