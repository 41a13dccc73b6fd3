// The contract of a site's document: a file that is no answer of a route.
import type { Route } from '#routes/route.ts';
import type { Headers } from '#serving/headers.ts';
import type { StoreReader } from '#store/index-database.ts';

/** What documents are rendered from. */
export interface DocumentFacts {
  readonly store: StoreReader;
  /** Those that the build has. */
  readonly routes: readonly Route[];
  readonly publicUrl: string;
}

export interface SiteDocument {
  /** Where it is in the build, and answered. */
  readonly file: string;
  readonly headers: Headers;
  /** Whether it is answered at the path of its folder too, with and without a slash at its end. */
  readonly isPage: boolean;
  /** Whether it changes with the index; the others change only with the program and the options of the build. */
  readonly isOfIndex: boolean;
  /** Whether pages name it with a version of its bytes behind it, as its query. */
  readonly isVersioned?: boolean;
  /** What only some builds need is loaded here. */
  readonly render: (facts: DocumentFacts) => string | Uint8Array | Promise<string>;
}
