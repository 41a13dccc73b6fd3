// What a server must know to answer requests from a build: plain data, from which every host's configuration is rendered.
import type { HeaderRules } from './answer-headers.ts';

/** An answer of another status than 200. */
export interface ErrorRule {
  readonly status: number;
  readonly file: string;
  /** What the file holds. */
  readonly body: string;
}

/** Values of a query parameter that may have a file, and what they are called there. */
export interface VariantForm {
  /** Source of a regular expression without anchors. */
  readonly pattern: string;
  /** `{0}` for the value as it is, or a text, with `{1}` for the one group of the pattern. */
  readonly value: string;
}

/** A query parameter that chooses another answer for the same path. */
export interface VariantRule {
  readonly name: string;
  /** The first that a value has counts. */
  readonly forms: readonly VariantForm[];
  /** What is answered where an asked value has no file but the path has: the path's own answer, or an error. */
  readonly otherwise: 'answer' | ErrorRule;
}

/** A list in pages of one size: `?limit=&offset=` where a server can cut it, whole pages elsewhere. */
export interface ListRule {
  readonly pageSize: number;
  /** Largest `limit`. */
  readonly largestLimit: number;
  /** File of a page, counted from 1: `metadata/v1/ft/pages/{page}.json`. */
  readonly pageFile: string;
}

export interface RouteRule {
  readonly id: string;
  /** Path before the first parameter, without slashes at its ends: `metadata/v1/ft`. */
  readonly fixed: string;
  /** Form of each further segment, as sources of regular expressions without anchors; none: the route answers at `fixed` itself. */
  readonly segments: readonly string[];
  /** Further files below `fixed` that are answers of their own: source of a regular expression without anchors. */
  readonly files: string | undefined;
  readonly list: ListRule | undefined;
  readonly variants: readonly VariantRule[];
  readonly notFound: ErrorRule;
  readonly badRequest: ErrorRule;
  /** Whether single paths of it may have an answer of another status: `errors/<status>/<path>`. */
  readonly ownErrors: readonly number[];
}

/** A file that is no answer of a route: a page for people, its parts, the description of the API. */
export interface DocumentRule {
  /** Without a slash in front; empty for the root. */
  readonly path: string;
  readonly file: string;
  readonly type: string;
  readonly isPage: boolean;
}

export interface SiteRules {
  readonly headers: HeaderRules;
  readonly routes: readonly RouteRule[];
  readonly documents: readonly DocumentRule[];
  readonly notFound: ErrorRule;
  readonly badRequest: ErrorRule;
  readonly methodNotAllowed: ErrorRule;
}

/** Where the answer of a route without parameters stands, below its path. */
export const INDEX_FILE_NAME = 'index.json';
/** Top folder of the answers that a query parameter chooses. */
export const VARIANTS_FOLDER = 'variants';
/** Top folder of the answers of other statuses. */
export const ERRORS_FOLDER = 'errors';
