// Defines what a server must know to answer requests from a build: an ordered list of rules, as plain data. Programs
// interpret them, and the configuration of every host is printed from them.
import type { HeaderRules, Headers } from './headers.ts';

/** A text that is the same wherever it is answered. */
export interface FixedResponse {
  readonly status: number;
  readonly file: string;
}

/** In `file` and `needs`, `{path}` is the path that is asked for, and `{value}` the group of its query's patterns. */
export interface RuleResponse {
  readonly status: number;
  readonly file: string;
  /** A file that must be there; without it, the answer always applies. */
  readonly needs?: string;
  /**
   * The parameters that must be asked for: source of a pattern without anchors, empty for one that must not be. At most
   * one of them has a group, which is `{value}`. The first value counts if a parameter is repeated, and an empty one is
   * not asked for.
   */
  readonly query?: Readonly<Record<string, string>>;
  /** Parameters, one of which must be asked for, whatever its value is. */
  readonly asks?: readonly string[];
}

/** A list in pages of some sizes: any part of it where a program can cut and search it, whole pages elsewhere. */
export interface ListRule {
  /** The default `limit` first, the largest one last. */
  readonly pageSizes: readonly number[];
  /** File of a page: `metadata/v1/ft/pages/{limit}/{offset}.json`, or one below `{path}`. */
  readonly pageFile: string;
  /** File that says which bytes its pages of the largest size, and its names, have in one build. */
  readonly manifestFile: string;
  /** Set if its rows can be found and sorted. */
  readonly search?: {
    /** File of the names: principal, name, symbol and whether there is metadata, of each row. */
    readonly file: string;
    /** By parameter: the values that it takes, as the source of a regular expression without anchors. */
    readonly forms: Readonly<Record<string, string>>;
  };
  readonly badRequest: FixedResponse;
}

/** How a set of paths is answered: by the first of `answers` that applies. The last one always does. */
export interface SiteRule {
  /** For hosts without patterns: the path, or with `isFolder` the folder of all paths. No slash is at its ends. */
  readonly path: string;
  readonly isFolder: boolean;
  /** For the decoded path without its first slash: source of a pattern without anchors, with one group, `{path}`. */
  readonly match: string;
  /** Headers of an answer of status 200, besides those that all have; by default those of a route's answer. */
  readonly headers?: Headers;
  /** How long an answer is kept whose query is a version: source of a pattern without anchors. */
  readonly version?: { readonly query: string; readonly caching: string };
  readonly list?: ListRule;
  readonly answers: readonly RuleResponse[];
}

/** Several tokens in one answer, where a program runs. */
export interface BatchRule {
  readonly path: string;
  /** How many may be asked for at once. */
  readonly most: number;
  /** A principal and a number, in two groups: source of a pattern without anchors. */
  readonly identifier: string;
  /** Paths of tokens by kind: `metadata/v1/nft/{principal}/{token_id}`. */
  readonly kinds: Readonly<Record<'ft' | 'nft' | 'sft', string>>;
  /** File with the kind, the principal and the deploying transaction of each collection. */
  readonly collectionsFile: string;
  readonly badRequest: FixedResponse;
}

export interface SiteRules {
  readonly headers: HeaderRules;
  /** Paths in one folder are answered as if they were in the other, unless they are: `metadata`, `metadata/v1`. */
  readonly unversioned: { readonly from: string; readonly to: string };
  readonly batch: BatchRule;
  /** The first one that matches a path answers it. A path with an empty part is `notFound` before any rule. */
  readonly rules: readonly SiteRule[];
  /** The texts of the fixed errors, by file. */
  readonly errors: Readonly<Record<string, string>>;
  readonly notFound: FixedResponse;
  /** To a path that cannot be decoded. */
  readonly badRequest: FixedResponse;
  readonly methodNotAllowed: FixedResponse;
}

/** Sources of patterns. A name of the build's own: none begins with a dot, or needs to be encoded. */
export const FILE_NAME = '[A-Za-z0-9_-][A-Za-z0-9._-]*';
/** An offset, as it is in the name of a page. */
export const PAGE_OFFSET = '(?:0|[1-9][0-9]{0,8})';

/** Source of a pattern that has both anchors, as a part of another: without them, and without groups that count. */
export function partSource({ source }: RegExp): string {
  return source.replace(/^\^(.*)\$$/, '$1').replaceAll(/\((?!\?)/g, '(?:');
}

/** A path as a pattern: nothing else in one has a meaning. */
export function escapeDots(text: string): string {
  return text.replaceAll('.', '\\.');
}
