// The interface of a route: files, statuses, host rules and documentation are derived from objects that implement it.

import type { infer as ZodInfer, ZodType, z } from 'zod';
import { errorFile, variantFile } from '#layout/response-files.ts';
import type { CollectionStandard, Only } from '#model/token.ts';
import type { Headers } from '#serving/headers.ts';
import type { RenderOptions, Subject } from './subject.ts';

/** A variable path segment and its pattern. Everything written to disk has been checked against it. */
interface PathParameter {
  readonly name: string;
  readonly pattern: RegExp;
}

/** A query parameter that selects another answer for the same path. */
export interface VariantParameter {
  readonly name: string;
  readonly summary: string;
  /** Of values that may have a file, in a group: source without anchors, the same in each route with it. */
  readonly pattern: string;
  /** For a value without a variant, unless it is empty: the answer without the parameter, or an error. */
  readonly otherwise: 'answer' | { readonly status: number; readonly body: ErrorBody };
}

/** Created on demand with the given zod: loading zod takes a tenth of a small build, which needs no schema. */
export type Schema = (z: Zod) => ZodType;
export type Zod = typeof z;
export type Described<S extends Schema> = ZodInfer<ReturnType<S>>;

export type ErrorBody = { readonly error: string; readonly message?: string };

export interface RouteError {
  readonly status: number;
  readonly body: ErrorBody;
}

/** A file of a route: the path that is answered with it, and its text. */
export interface Page {
  readonly path: string;
  readonly body: string;
  /** If it is not 200. */
  readonly status?: number;
  /** The query that it answers. */
  readonly variant?: readonly [parameter: string, value: string];
}

/** `index.json` is a list's first page, `pages/<limit>/<offset>.json` are all, `pages/index.json` their manifest. */
export interface ListPages {
  /** Results per page: first the default of `limit`, last its maximum. */
  readonly pageSizes: readonly [number, ...number[]];
  /** Parameters that find and sort its rows on hosts with edge code, using `names.json`. */
  readonly search?: readonly SearchParameter[];
}

/** Pages of collections and of their tokens: large, since there may be a million tokens. */
export const COLLECTION_PAGES: ListPages = { pageSizes: [60] };

/** What is made for each kind of collections. */
export function ofEachKind<Made>(
  make: (standard: CollectionStandard, about: 'nft' | 'sft', prefix: 'non' | 'semi') => Made,
): readonly [nft: Made, sft: Made] {
  return [make('sip-009', 'nft', 'non'), make('sip-013', 'sft', 'semi')];
}

export interface SearchParameter {
  readonly name: string;
  readonly summary: string;
  /** All its values, the default one first, if they are few. */
  readonly values?: readonly string[];
  /** Pattern of its values, if not every text is valid. */
  readonly pattern?: RegExp;
}

export interface Route<Facts = unknown> {
  /** Short name used in the build's records. */
  readonly id: string;
  /** With its parameters in braces: `metadata/v1/ft/{principal}`; without any, it is answered by its `index.json`. */
  readonly path: string;
  /** Set for a path without parameters that is the name of its file, as `metadata/v1/tokenlist.json` is. */
  readonly isFile?: true;
  readonly summary: string;
  readonly parameters: readonly PathParameter[];
  readonly variants?: readonly VariantParameter[];
  readonly list?: ListPages;
  /** Statuses other than 200 with which single paths of the route may be answered. */
  readonly ownErrors?: readonly number[];
  /** Schema of an answer with status 200. */
  readonly schema: Schema;
  /** Headers of an answer with status 200, if they differ from the common ones. */
  readonly headers?: Headers;
  /** Answers for missing or malformed paths below its own; by default those of the whole site. */
  readonly notFound?: RouteError;
  readonly badRequest?: RouteError;
  /** Names that the public API has in the place of the last parameter, for routes that are not served. */
  readonly unserved?: readonly string[];
  /** By which `build --only` leaves routes out: those about `tokens` are in every build, for what it selects. */
  readonly about: 'contracts' | 'tokens' | 'ft' | 'nft' | 'sft';
  readonly subject: Subject<unknown, Facts>;
  /** Yields all pages of one entry of the subject: none if it is not served here. */
  render(facts: Facts, options: RenderOptions): Iterable<Page>;
}

export function isIncluded({ about }: Pick<Route, 'about'>, only: Only | undefined): boolean {
  return only === undefined || about === only || about === 'tokens' || (only === 'tokens' && about !== 'contracts');
}

export function listParameters({ search = [] }: ListPages): string[] {
  return ['limit', 'offset', ...search.map(({ name }) => name)];
}

export function jsonPage(path: string, answer: unknown): Page {
  return { path, body: JSON.stringify(answer) };
}

export function pageFile({ path, status, variant }: Page): string {
  if (variant !== undefined) return variantFile(...variant, path);
  return status === undefined ? path : errorFile(status, path);
}
