// Defines the interface of a route. Files, statuses, host rules and the API description are derived from routes.

import type { infer as ZodInfer, ZodType, z } from 'zod';
import { errorFile, variantFile } from '#layout/response-files.ts';
import type { CollectionStandard, Only } from '#model/token.ts';
import type { Headers } from '#serving/headers.ts';
import type { RenderOptions, Subject } from './subject.ts';

/** A variable path segment. Paths written to disk are checked against its pattern. */
interface PathParameter {
  readonly name: string;
  readonly pattern: RegExp;
}

/** A query parameter that selects another response for the same path. */
export interface VariantParameter {
  readonly name: string;
  readonly summary: string;
  /** Source of a pattern, without anchors and with one group, for values that may have a file. */
  readonly pattern: string;
  /** The response to a value without a file: the response without the parameter (`response`), or an error. */
  readonly otherwise: 'response' | { readonly status: number; readonly body: ErrorBody };
}

/** Creates a schema with zod. Builds load zod only if they need schemas, since loading it takes a while. */
export type Schema = (z: Zod) => ZodType;
export type Zod = typeof z;
export type Described<S extends Schema> = ZodInfer<ReturnType<S>>;

export type ErrorBody = { readonly error: string; readonly message?: string };

export interface RouteError {
  readonly status: number;
  readonly body: ErrorBody;
}

/** A file of a route: the request path and the response body. */
export interface Page {
  readonly path: string;
  readonly body: string;
  /** The status; undefined for 200. */
  readonly status?: number;
  /** The query parameter that selects this page; undefined for the response without a query. */
  readonly variant?: readonly [parameter: string, value: string];
}

/** Pages of a list: `index.json` (the first), `pages/<limit>/<offset>.json`, and the manifest `pages/index.json`. */
export interface ListPages {
  /** Results per page: first the default of `limit`, last its maximum. */
  readonly pageSizes: readonly [number, ...number[]];
  /** Parameters that find and sort its rows on hosts with edge code, using `names.json`. */
  readonly search?: readonly SearchParameter[];
}

/** The page size of collections and of their tokens. It is large because a collection may have a million tokens. */
export const COLLECTION_PAGES: ListPages = { pageSizes: [60] };

/** Calls `make` for non-fungible and for semi-fungible collections. */
export function makeForEachKind<Made>(
  make: (standard: CollectionStandard, about: 'nft' | 'sft', prefix: 'non' | 'semi') => Made,
): readonly [nft: Made, sft: Made] {
  return [make('sip-009', 'nft', 'non'), make('sip-013', 'sft', 'semi')];
}

export interface SearchParameter {
  readonly name: string;
  readonly summary: string;
  /** All supported values, the default first; undefined if any value that matches `pattern` is supported. */
  readonly values?: readonly string[];
  /** The pattern of valid values; undefined if every text is valid. */
  readonly pattern?: RegExp;
}

export interface Route<Facts = unknown> {
  /** A short name, used in the records of builds. */
  readonly id: string;
  /** Path with parameters in braces: `metadata/v1/ft/{principal}`. Without parameters, it serves its `index.json`. */
  readonly path: string;
  /** Set if the path is the name of its file, for example `metadata/v1/tokenlist.json`. */
  readonly isFile?: true;
  readonly summary: string;
  readonly parameters: readonly PathParameter[];
  readonly variants?: readonly VariantParameter[];
  readonly list?: ListPages;
  /** Statuses other than 200 of files of the route. */
  readonly fileErrors?: readonly number[];
  /** The schema of a response with status 200. */
  readonly schema: Schema;
  /** Headers of a response with status 200, if they differ from the common headers. */
  readonly headers?: Headers;
  /** The errors for missing and malformed paths of the route; undefined for the errors of the whole site. */
  readonly notFound?: RouteError;
  readonly badRequest?: RouteError;
  /** Names that the public API accepts in place of the last parameter, for paths that this site does not serve. */
  readonly unserved?: readonly string[];
  /** Topic for `build --only`. Routes about `tokens` are in every build, limited to the selected tokens. */
  readonly about: 'contracts' | 'tokens' | 'ft' | 'nft' | 'sft';
  readonly subject: Subject<unknown, Facts>;
  /** Yields all pages of an entry of the subject; no pages if this route does not serve the entry. */
  render(facts: Facts, options: RenderOptions): Iterable<Page>;
}

export function isIncluded({ about }: Pick<Route, 'about'>, only: Only | undefined): boolean {
  return only === undefined || about === only || about === 'tokens' || (only === 'tokens' && about !== 'contracts');
}

export function listParameters({ search = [] }: ListPages): string[] {
  return ['limit', 'offset', ...search.map(({ name }) => name)];
}

export function jsonPage(path: string, content: unknown): Page {
  return { path, body: JSON.stringify(content) };
}

export function pageFile({ path, status, variant }: Page): string {
  if (variant !== undefined) return variantFile(...variant, path);
  return status === undefined ? path : errorFile(status, path);
}
