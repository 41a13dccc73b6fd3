// Defines the ways in which a request may be answered: files of a build, and parts of lists.
import type { Headers } from './headers.ts';
import type { ListRule, SiteRule } from './rules.ts';

/** A way to answer. The first candidate whose `needs` is in the build answers, with `file` as its body. */
export interface Candidate {
  readonly status: number;
  /** Path in the build, without a slash in front. */
  readonly file: string;
  /** A file that must be there; without it, the candidate always answers. */
  readonly needs?: string;
  /** Headers of an answer of status 200 that are not those of a route's answer. */
  readonly headers?: Headers | undefined;
  /** Set for a file that is named with a version of its bytes. */
  readonly version?: SiteRule['version'];
  /** The part of a list that is asked for, if it is not the whole of `file`. */
  readonly slice?: Slice;
  /** The tokens that are asked for, where the answer is made of theirs. */
  readonly identifiers?: readonly string[];
}

export type Query = Pick<URLSearchParams, 'get'>;

/** Part of a list, to be taken out of its pages. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
  /** Selects and sorts rows, if it is not the list as it is. */
  readonly search?: Search;
  readonly list: ListRule;
}

/** By what rows are found and sorted: texts that are empty where they are not asked for. */
export interface Search {
  /** Part of a name. */
  readonly name: string;
  readonly symbol: string;
  /** The beginning of a principal: the deployer's address, or more. */
  readonly address: string;
  readonly withMetadata: boolean;
  /** The one of a row's names by which it is sorted. */
  readonly column: 1 | 2;
  readonly direction: 1 | -1;
}
