// Defines the rules that map requests to files of a build, as plain data. Programs interpret the rules, and the
// configuration of every host is rendered from them.
import type { HeaderRules, Headers } from './headers.ts';

/** A response whose body is the same for all paths. */
export interface FixedResponse {
  readonly status: number;
  readonly file: string;
}

/** A response of a rule. In `file` and `needs`, `{path}` is the requested path, and `{value}` the group of `query`. */
export interface RuleResponse {
  readonly status: number;
  readonly file: string;
  /** The file that must exist; undefined if the response always applies. */
  readonly needs?: string;
  /**
   * The required values of parameters: sources of patterns without anchors, empty for a parameter that must be missing.
   * At most one pattern has a group, which is `{value}`. If a parameter is repeated, the first value counts. An empty
   * value counts as missing.
   */
  readonly query?: Readonly<Record<string, string>>;
  /** Parameters, at least one of them with a value. */
  readonly anyOf?: readonly string[];
}

/** A list in pages. Hosts with a program cut and search it; other hosts serve only entire pages. */
export interface ListRule {
  /** The page sizes: first the default of `limit`, last its maximum. */
  readonly pageSizes: readonly number[];
  /** The file of a page: `metadata/v1/ft/pages/{limit}/{offset}.json`, or a file below `{path}`. */
  readonly pageFile: string;
  /** The file with the digests of the names file and of the pages of the largest size. */
  readonly manifestFile: string;
  /** Set if clients can search and sort the rows. */
  readonly search?: {
    /** The names file: principal, name, symbol and `hasMetadata` of each row. */
    readonly file: string;
    /** The supported values by parameter, as sources of regular expressions without anchors. */
    readonly forms: Readonly<Record<string, string>>;
  };
  readonly badRequest: FixedResponse;
}

/** The responses to a set of paths. The first one that applies is sent; the last one always applies. */
export interface SiteRule {
  /** For hosts without patterns: the path, or with `isFolder` the folder of all paths. No slash at either end. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Source of a pattern without anchors for the decoded path without its leading slash. Its group is `{path}`. */
  readonly match: string;
  /** Headers of a response with status 200, in addition to the common headers; undefined for the default headers. */
  readonly headers?: Headers;
  /** The caching of a response if the query is a version. `query` is the source of a pattern without anchors. */
  readonly version?: { readonly query: string; readonly caching: string };
  readonly list?: ListRule;
  readonly responses: readonly RuleResponse[];
}

/** Describes the path for several tokens, on hosts with a program. */
export interface BatchRule {
  readonly path: string;
  /** The maximum number of tokens in a request. */
  readonly maxTokens: number;
  /** Source of a pattern without anchors with two groups: principal and number. */
  readonly identifier: string;
  /** Paths of tokens by kind, for example `metadata/v1/nft/{principal}/{token_id}`. */
  readonly kinds: Readonly<Record<'ft' | 'nft' | 'sft', string>>;
  /** The file with kind, principal and deploying transaction of each collection. */
  readonly collectionsFile: string;
  readonly badRequest: FixedResponse;
}

export interface SiteRules {
  readonly headers: HeaderRules;
  /** Paths in the folder `from` are treated as paths in the folder `to`, for example `metadata` and `metadata/v1`. */
  readonly unversioned: { readonly from: string; readonly to: string };
  readonly batch: BatchRule;
  /** The first matching rule applies. A path with an empty part is `notFound` before any rule. */
  readonly rules: readonly SiteRule[];
  /** The bodies of errors, by file. */
  readonly errors: Readonly<Record<string, string>>;
  readonly notFound: FixedResponse;
  /** The response to a path that cannot be decoded. */
  readonly badRequest: FixedResponse;
  readonly methodNotAllowed: FixedResponse;
}

/** Source of a pattern for names of files in a build: no leading dot, and no characters that need encoding. */
export const FILE_NAME = '[A-Za-z0-9_-][A-Za-z0-9._-]*';
/** Source of a pattern for the offset in the name of a page. */
export const PAGE_OFFSET = '(?:0|[1-9][0-9]{0,8})';

/** Returns the source of an anchored pattern for use within another pattern: without anchors and capturing groups. */
export function partSource({ source }: RegExp): string {
  return source.replace(/^\^(.*)\$$/, '$1').replaceAll(/\((?!\?)/g, '(?:');
}

/** Returns a path as the source of a pattern. Paths have no other special characters than dots. */
export function escapeDots(text: string): string {
  return text.replaceAll('.', '\\.');
}
