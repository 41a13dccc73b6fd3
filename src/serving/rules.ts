// Defines rules that map requests to files of a build, as plain data. Programs interpret the rules. For hosts without a
// program, they are converted into the host's configuration.
import type { HeaderRules, Headers } from './headers.ts';

/** A response that is the same for all paths. */
export interface FixedResponse {
  readonly status: number;
  readonly file: string;
}

/**
 * A response of a rule. In `file` and `needs`, `{path}` stands for the path of the request, and `{value}` for a value
 * of its query.
 */
export interface RuleResponse {
  readonly status: number;
  readonly file: string;
  /** A file that must exist for this response to be sent; undefined if no file must exist. */
  readonly needs?: string;
  /**
   * The pattern that the value of each parameter must match: the source of a regular expression without anchors. An
   * empty pattern means that the parameter must be missing or empty. `{value}` is what the group of a pattern matched;
   * at most one has a group. If a parameter is repeated, its first value counts.
   */
  readonly query?: Readonly<Record<string, string>>;
  /** Names of parameters. The response applies if at least one of them has a value. */
  readonly anyOf?: readonly string[];
}

/**
 * A list that is stored in pages. Hosts with a program cut slices from the pages and search the list. Other hosts send
 * only entire pages.
 */
export interface ListRule {
  /** The sizes of stored pages. The first is the default of the parameter `limit`, the last is its maximum. */
  readonly pageSizes: readonly number[];
  /** The path of a page: `metadata/v1/ft/pages/{limit}/{offset}.json`, or a path that begins with `{path}`. */
  readonly pageFile: string;
  /** The path of the manifest, which has the length of the list. */
  readonly manifestFile: string;
  /** Set if clients can search the rows and sort them. */
  readonly search?: {
    /** The path of the names file. It has the principal, name, symbol and `hasMetadata` of each row. */
    readonly file: string;
    /** The supported values of each parameter: the source of a regular expression without anchors. */
    readonly forms: Readonly<Record<string, string>>;
  };
  readonly badRequest: FixedResponse;
}

/** The responses to a set of paths. The first response that applies is sent, and the last one always applies. */
export interface SiteRule {
  /**
   * The path, or with `isFolder` the folder that contains all the paths. It has no slash at its ends. Used for hosts
   * without patterns.
   */
  readonly path: string;
  readonly isFolder: boolean;
  /**
   * Matches the paths of the rule: the source of a regular expression without anchors. It is compared with the decoded
   * path without its leading slash. Its group is `{path}`.
   */
  readonly match: string;
  /** Headers of a response with status 200, added to the common headers. Undefined for the default headers. */
  readonly headers?: Headers;
  /**
   * The caching of a response whose query is a version. `query` is the source of a regular expression without anchors.
   */
  readonly version?: { readonly query: string; readonly caching: string };
  readonly list?: ListRule;
  readonly responses: readonly RuleResponse[];
}

/** The rule for requests for several tokens, which only hosts with a program support. */
export interface BatchRule {
  readonly path: string;
  /** The maximum number of tokens in one request. */
  readonly maxTokens: number;
  /**
   * Matches the identifier of a token: the source of a regular expression without anchors. Its two groups are the
   * principal and the number.
   */
  readonly identifier: string;
  /** The path of a single token, for each kind of token, for example `metadata/v1/nft/{principal}/{token_id}`. */
  readonly kinds: Readonly<Record<'ft' | 'nft' | 'sft', string>>;
  /** The path of the file with the kind, the principal and the deploy transaction of each collection. */
  readonly collectionsFile: string;
  readonly badRequest: FixedResponse;
}

export interface SiteRules {
  readonly headers: HeaderRules;
  /**
   * A path in the folder `from` is treated as a path in the folder `to`. For example, `metadata` is treated as
   * `metadata/v1`.
   */
  readonly unversioned: { readonly from: string; readonly to: string };
  readonly batch: BatchRule;
  /**
   * The rules in order; the first rule that matches a path applies. Paths with an empty part match no rule: they get
   * `notFound`.
   */
  readonly rules: readonly SiteRule[];
  /** The content of each error file, by the path of the file. */
  readonly errors: Readonly<Record<string, string>>;
  readonly notFound: FixedResponse;
  /** The response if the path of a request cannot be decoded. */
  readonly badRequest: FixedResponse;
  readonly methodNotAllowed: FixedResponse;
}

/**
 * Matches names of files in a build, which have no leading dot and no characters that need encoding. It is the source
 * of a regular expression.
 */
export const FILE_NAME = '[A-Za-z0-9_-][A-Za-z0-9._-]*';
/** Matches the offset in the name of a page. It is the source of a regular expression. */
export const PAGE_OFFSET = '(?:0|[1-9][0-9]{0,8})';

/**
 * Converts a regular expression into a source that can be part of another one: removes anchors, and makes groups
 * non-capturing.
 */
export function partSource({ source }: RegExp): string {
  return source.replace(/^\^(.*)\$$/, '$1').replaceAll(/\((?!\?)/g, '(?:');
}

/** Converts a path into the source of a regular expression. A dot is the only special character of paths. */
export function escapeDots(text: string): string {
  return text.replaceAll('.', '\\.');
}
