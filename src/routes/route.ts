// The contract of a route: files, statuses, rules of hosts and documentation derive from the objects that fulfil it.

import type { infer as ZodInfer, ZodType, z } from 'zod';
import type { Headers } from '#serving/headers.ts';
import { ERRORS_FOLDER, INDEX_FILE_NAME, VARIANTS_FOLDER, type ValueForm } from '#serving/rules.ts';
import type { Entity } from '#store/ledger/ledger.ts';
import type { Only, RenderOptions, StoredEntry, Subject } from './subject.ts';

/** A path segment that changes, and what it must look like. Whatever is written to disk has passed it. */
export interface PathParameter {
  readonly name: string;
  readonly pattern: RegExp;
}

/** A query parameter that chooses another answer for the same path. */
export interface VariantParameter {
  readonly name: string;
  readonly summary: string;
  /** The same in every route that has the parameter. */
  readonly forms: readonly ValueForm[];
  /**
   * What a value without a variant answers: the answer as without the parameter, or an error of this status.
   * The empty value always answers as without the parameter.
   */
  readonly otherwise: 'answer' | { readonly status: number; readonly body: ErrorBody };
}

/** Made on demand with the zod that is given: loading zod takes a tenth of a small build, which needs no schema. */
export type Schema = (z: Zod) => ZodType;
export type Zod = typeof z;
/** What a schema describes. */
export type Described<S extends Schema> = ZodInfer<ReturnType<S>>;

export type ErrorBody = { readonly error: string; readonly message?: string };

export interface RouteError {
  readonly status: number;
  readonly body: ErrorBody;
}

/** One file of a route: where it stands among the three kinds of answer, and its text. */
export type Page =
  | { readonly kind: 'answer'; readonly path: string; readonly body: string }
  | {
      readonly kind: 'variant';
      readonly path: string;
      readonly parameter: string;
      readonly value: string;
      readonly body: string;
    }
  | { readonly kind: 'error'; readonly path: string; readonly status: number; readonly body: string };

/**
 * A route that answers a list: `index.json` is its first page, `pages/<limit>/<offset>.json` are all of them, and
 * `pages/index.json` says which of these belong together.
 */
export interface ListPages {
  /** Results a page: what `limit` is if it is left out first, the most that it may be last. */
  readonly pageSizes: readonly [number, ...number[]];
  /** Parameters that find and sort its rows where a program runs, by their `names.json`. */
  readonly search?: readonly SearchParameter[];
}

/** Of collections, and of their tokens: large pages, since there may be a million tokens. */
export const COLLECTION_PAGES: ListPages = { pageSizes: [60] };

export interface SearchParameter {
  readonly name: string;
  readonly summary: string;
  /** All values that it takes, the default one first, where these are few. */
  readonly values?: readonly string[];
  /** What a value must look like, where it is not any text. */
  readonly pattern?: RegExp;
}

export interface Route<Facts = unknown> {
  /** Short name, for the build's bookkeeping. */
  readonly id: string;
  /**
   * Path with its parameters in braces, without a slash in front: `metadata/v1/ft/{principal}`. One without parameters
   * is answered by its `index.json`.
   */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly PathParameter[];
  readonly variants: readonly VariantParameter[];
  readonly list?: ListPages;
  /** Statuses other than 200 that single paths of it may have an answer of. */
  readonly ownErrors: readonly number[];
  /** Shape of an answer of status 200. */
  readonly schema: Schema;
  /** Of an answer of status 200, where they are not those of all. */
  readonly headers?: Headers;
  /** Answers of what is below its path and is not there, or is malformed; without them, those of the whole site. */
  readonly notFound?: RouteError;
  readonly badRequest?: RouteError;
  /**
   * What `build --only` leaves out by: contracts, or tokens of one kind. What is about tokens is in every build, for
   * those tokens that it has, and their contracts.
   */
  readonly about: 'contracts' | 'tokens' | 'ft' | 'nft' | 'sft';
  /** What it serves a view of. */
  readonly subject: Subject<unknown, Facts>;
  /** The entities of its subject that show in its answers, where not all of them do. */
  readonly shows?: readonly Entity[];
  /** All pages of one entry of the subject, one after the other: none if it is not served here. */
  render(facts: Facts, options: RenderOptions): Iterable<Page>;
}

export function isIncluded({ about }: Pick<Route, 'about'>, only: Only | undefined): boolean {
  return only === undefined || about === only || about === 'tokens' || (only === 'tokens' && about !== 'contracts');
}

/** Whether a route's files of an entry may be others now. */
export function isAffected({ shows }: Pick<Route, 'shows'>, { changed }: Pick<StoredEntry, 'changed'>): boolean {
  return changed === undefined || shows === undefined || changed.some((entity) => shows.includes(entity));
}

/** The part of a route's path before its first parameter, without slashes at its ends. */
export function fixedPart(route: Pick<Route, 'path'>): string {
  return route.path.replace(/\/\{.*$/, '');
}

/** Where the answer of a route without parameters stands. */
export function indexFile(route: Pick<Route, 'path'>): string {
  return `${route.path}/${INDEX_FILE_NAME}`;
}

/** Names of the query parameters of a list. */
export function listParameters({ search = [] }: ListPages): string[] {
  return ['limit', 'offset', ...search.map(({ name }) => name)];
}

/** Where a page of a list stands. */
export function listPageFile(
  route: Pick<Route, 'path'>,
  limit: number | '{limit}',
  offset: number | '{offset}' | '{value}',
): string {
  return `${route.path}/pages/${limit}/${offset}.json`;
}

/** Where it is said which bytes the files of a list have. */
export function listManifestFile(route: Pick<Route, 'path'>): string {
  return `${route.path}/pages/${INDEX_FILE_NAME}`;
}

/** Where the names are by which the rows of a list are found. */
export function listNamesFile(route: Pick<Route, 'path'>): string {
  return `${route.path}/names.json`;
}

/** The route's path with its parameters filled in, which must have passed their patterns. */
export function fillPath(route: Pick<Route, 'path'>, values: Readonly<Record<string, string>>): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** Where a page stands in the output folder. */
export function pageFile(page: Page): string {
  switch (page.kind) {
    case 'answer':
      return page.path;
    case 'variant':
      return variantFile(page.parameter, page.value, page.path);
    case 'error':
      return errorFile(page.status, page.path);
  }
}

export function variantFile(parameter: string, value: string, path: string): string {
  return `${VARIANTS_FOLDER}/${parameter}/${value}/${path}`;
}

/** An answer of another status for this very path. */
export function errorFile(status: number, path: string): string {
  return `${ERRORS_FOLDER}/${status}/${path}`;
}

/** An answer of another status for everything below a route's fixed part, or for everything at all. */
export function generalErrorFile(status: number, route?: Pick<Route, 'path' | 'parameters'>): string {
  if (route === undefined) return `${ERRORS_FOLDER}/${status}.json`;
  return route.parameters.length === 0
    ? errorFile(status, indexFile(route))
    : errorFile(status, `${fixedPart(route)}.json`);
}
