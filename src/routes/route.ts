// Defines the interface of a route. The files of a site, its statuses, the rules of hosts and the API description are
// derived from routes.

import type { infer as ZodInfer, ZodType, z } from 'zod';
import { errorFile, variantFile } from '#layout/response-files.ts';
import type { CollectionStandard, Only } from '#model/token.ts';
import type { Headers } from '#serving/headers.ts';
import type { RenderOptions, Subject } from './subject.ts';

/** A part of a path that varies. Values must match the pattern before they become part of a file's path. */
interface PathParameter {
  readonly name: string;
  readonly pattern: RegExp;
}

/** A query parameter that selects a variant: another response for the same path. */
export interface VariantParameter {
  readonly name: string;
  readonly summary: string;
  /**
   * Matches values for which there may be a file: the source of a regular expression with one group, without anchors.
   */
  readonly pattern: string;
  /** The response if the value has no file: the response without the parameter (`response`), or an error. */
  readonly otherwise: 'response' | { readonly status: number; readonly body: ErrorBody };
}

/** A function that creates a schema. It receives zod, which only some builds load, since loading it takes time. */
export type Schema = (z: Zod) => ZodType;
export type Zod = typeof z;
export type Described<S extends Schema> = ZodInfer<ReturnType<S>>;

export type ErrorBody = { readonly error: string; readonly message?: string };

export interface RouteError {
  readonly status: number;
  readonly body: ErrorBody;
}

/** A file of a route, with the path that requests it and the body of the response. */
export interface Page {
  readonly path: string;
  readonly body: string;
  /** The status; undefined for 200. */
  readonly status?: number;
  /** The query parameter that selects this page; undefined for the response without a query. */
  readonly variant?: readonly [parameter: string, value: string];
}

/**
 * Describes the files of a list: `pages/<limit>/<offset>.json`, the manifest `pages/index.json`, and the first page as
 * `index.json`.
 */
export interface ListPages {
  /** The supported page sizes. The first is the default of `limit`, the last its maximum. */
  readonly pageSizes: readonly [number, ...number[]];
  /** Query parameters that find and sort rows of the list. Hosts with a program support them, using `names.json`. */
  readonly search?: readonly SearchParameter[];
}

/**
 * The page size in lists of collections and of their tokens. Other sizes would take many files, since a collection may
 * have a million tokens.
 */
export const COLLECTION_PAGES: ListPages = { pageSizes: [60] };

/** Calls `make` twice: for collections of non-fungible tokens, and for collections of semi-fungible tokens. */
export function makeForEachKind<Made>(
  make: (standard: CollectionStandard, kind: 'nft' | 'sft', prefix: 'non' | 'semi') => Made,
): readonly [nft: Made, sft: Made] {
  return [make('sip-009', 'nft', 'non'), make('sip-013', 'sft', 'semi')];
}

export interface SearchParameter {
  readonly name: string;
  readonly summary: string;
  /** All supported values, starting with the default. Undefined if each value that matches `pattern` is supported. */
  readonly values?: readonly string[];
  /** Matches supported values; undefined if every text is supported. */
  readonly pattern?: RegExp;
}

export interface Route<Facts = unknown> {
  /** A short name for the route, also used in the record of a build. */
  readonly id: string;
  /**
   * The path, with its parameters in braces: `metadata/v1/ft/{principal}`. The file of a path without parameters is its
   * `index.json`.
   */
  readonly path: string;
  /** Set if the path itself is a file's name, for example `metadata/v1/tokenlist.json`. */
  readonly isFile?: true;
  readonly summary: string;
  readonly parameters: readonly PathParameter[];
  readonly variants?: readonly VariantParameter[];
  readonly list?: ListPages;
  /** The statuses of files that the route renders, other than 200. */
  readonly fileErrors?: readonly number[];
  /** The schema of a response with status 200. */
  readonly schema: Schema;
  /** Headers of a response with status 200, if they differ from the common headers. */
  readonly headers?: Headers;
  /**
   * The error for a path of the route that does not exist; `badRequest` is for malformed paths. Undefined for the
   * errors of the whole site.
   */
  readonly notFound?: RouteError;
  readonly badRequest?: RouteError;
  /**
   * The builds that have the route. `all`: each build, with only the tokens that `--only` selects; `whole`: builds
   * without `--only`; a kind of token: whole builds, and builds of all tokens or of this kind.
   */
  readonly inBuilds: 'all' | 'whole' | 'ft' | 'nft' | 'sft';
  readonly subject: Subject<unknown, Facts>;
  /** Yields the pages of one entry of the subject. Yields nothing if the route does not serve the entry. */
  render(facts: Facts, options: RenderOptions): Iterable<Page>;
}

export function isIncluded({ inBuilds }: Pick<Route, 'inBuilds'>, only: Only | undefined): boolean {
  return only === undefined || inBuilds === only || inBuilds === 'all' || (only === 'tokens' && inBuilds !== 'whole');
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
