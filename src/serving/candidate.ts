// Defines candidates: responses that may be sent for a request. They are files of a build, parts of lists, and batches
// of tokens.
import type { Headers } from './headers.ts';
import type { ListRule, SiteRule } from './rules.ts';

/**
 * A response that may be sent, with `file` as its body. A request has several candidates in order. The first one is
 * sent whose file `needs` exists in the build.
 */
export interface Candidate {
  readonly status: number;
  /** The path of the body in the build, without a leading slash. */
  readonly file: string;
  /** A file that must exist for this candidate to be sent; undefined if no file must exist. */
  readonly needs?: string;
  /** Headers of a response with status 200; undefined for the default headers. */
  readonly headers?: Headers | undefined;
  /** Set for a file that is cached forever if pages load it with a version in the query. */
  readonly version?: SiteRule['version'];
  /** The requested part of the list, if `file` is the manifest of a list. Undefined to send all of `file`. */
  readonly slice?: Slice;
  /** The requested tokens of a batch. Their responses are combined into one. */
  readonly identifiers?: readonly string[];
}

export type Query = Pick<URLSearchParams, 'get'>;

/** The requested part of a list. It is cut from the pages of the list. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
  /** How to select and sort rows; undefined for all rows in the order of the list. */
  readonly search?: Search;
  readonly list: ListRule;
}

/** Values to select and sort rows by. Texts are empty if the client did not request them. */
export interface Search {
  /** A part of the name of a row. */
  readonly name: string;
  readonly symbol: string;
  /** The beginning of the row's principal: all or part of the deployer's address, or more. */
  readonly address: string;
  readonly withMetadata: boolean;
  /** The column to sort by in a row of the names file: 1 is the name, 2 is the symbol. */
  readonly column: 1 | 2;
  readonly direction: 1 | -1;
}
