// Defines the possible responses to a request: files of a build, parts of lists, and batches of tokens.
import type { Headers } from './headers.ts';
import type { ListRule, SiteRule } from './rules.ts';

/** A possible response with `file` as its body. The first candidate whose `needs` exists in the build is sent. */
export interface Candidate {
  readonly status: number;
  /** The path in the build, without a leading slash. */
  readonly file: string;
  /** The file that must exist; undefined if the candidate always applies. */
  readonly needs?: string;
  /** Headers of a response with status 200; undefined for the default headers. */
  readonly headers?: Headers | undefined;
  /** Set for a file that pages load with a version as the query. */
  readonly version?: SiteRule['version'];
  /** The requested part of a list; undefined for all of `file`. */
  readonly slice?: Slice;
  /** The requested tokens of a batch, whose responses are combined. */
  readonly identifiers?: readonly string[];
}

export type Query = Pick<URLSearchParams, 'get'>;

/** A part of a list, which is cut from its pages. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
  /** Selects and sorts rows; undefined for all rows in the order of the list. */
  readonly search?: Search;
  readonly list: ListRule;
}

/** The values to find and sort rows by. Texts that were not requested are empty. */
export interface Search {
  /** A part of the name. */
  readonly name: string;
  readonly symbol: string;
  /** A prefix of the principal: the address of the deployer, or more. */
  readonly address: string;
  readonly withMetadata: boolean;
  /** The position of the sort key in a row of the names file: 1 for the name, 2 for the symbol. */
  readonly column: 1 | 2;
  readonly direction: 1 | -1;
}
