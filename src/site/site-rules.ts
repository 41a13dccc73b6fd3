// Makes the rules of a site from its routes and documents. Servers apply these rules to requests.

import { posix } from 'node:path';
import { IMAGE_TYPES } from '#image/media-types.ts';
import { DUMP_FOLDER, DUMP_TYPES, SEED_FOLDER, SEED_MANIFEST, SEED_TYPES } from '#layout/data-files.ts';
import { IMAGE_FOLDER } from '#layout/image-files.ts';
import {
  errorFile,
  fixedPart,
  generalErrorFile,
  indexFile,
  listManifestFile,
  listNamesFile,
  listPageFile,
  VARIANTS_FOLDER,
  variantFile,
} from '#layout/response-files.ts';
import { GENERAL_ERRORS, ROUTES } from '#routes/all.ts';
import { type ListPages, listParameters, type Route, type RouteError, type SearchParameter } from '#routes/route.ts';
import { tokenBatch } from '#routes/token-batch.ts';
import { CACHE_FOREVER, HEADER_RULES, type Headers } from '#serving/headers.ts';
import {
  escapeDots,
  type ListRule,
  FILE_NAME as NAME,
  PAGE_OFFSET as OFFSET,
  partSource,
  type RuleResponse,
  type SiteRule,
  type SiteRules,
} from '#serving/rules.ts';
import { DOCUMENTS } from './documents.ts';
import { exactRule, fileOr, fixedResponse, folderRule, routeError, variantErrors, whereFile } from './rule-parts.ts';
import type { SiteDocument } from './site-document.ts';

const ANYTHING = '[\\s\\S]*';
const PART = '[^/]+';
/** Matches a version in the query: a hash of the content of a script or style sheet. */
const VERSION = '[0-9a-f]{12}';

/** A path in the folder `from` is treated as a path in `to`, since the public API accepts paths without a version. */
const UNVERSIONED = { from: 'metadata', to: 'metadata/v1' };

const NOT_FOUND = fixedResponse(GENERAL_ERRORS.notFound);

const BATCH_ERROR = generalErrorFile(tokenBatch.badRequest.status, { path: tokenBatch.path, parameters: [] });

export const SITE_RULES = describeRoutes(ROUTES, DOCUMENTS);

export function describeRoutes(routes: readonly Route[], documents: readonly SiteDocument[]): SiteRules {
  const [indexes, below] = [routes.filter(isIndex), routes.filter((route) => !isIndex(route))];
  // A malformed path may fit several routes. It gets the error of the route with the largest number of parameters.
  const outermostLast = below.toSorted((left, right) => right.parameters.length - left.parameters.length);
  const { kinds, badRequest } = tokenBatch;
  return {
    headers: HEADER_RULES,
    unversioned: UNVERSIONED,
    batch: {
      path: tokenBatch.path,
      maxTokens: tokenBatch.maxTokens,
      identifier: tokenBatch.identifier,
      kinds: { ft: kinds.ft.path, nft: kinds.nft.path, sft: kinds.sft.path },
      collectionsFile: indexFile(tokenBatch.collections),
      badRequest: { status: badRequest.status, file: BATCH_ERROR },
    },
    // Rules for routes that are often requested come first. Rules for malformed and missing paths come last.
    rules: [
      ...below.flatMap((route) => (route.list === undefined ? [pathRule(route)] : listRules(route, route.list))),
      ...indexes.flatMap(indexRules),
      ...documents.flatMap(documentRules),
      ...typedRules(IMAGE_FOLDER, IMAGE_TYPES, HEADER_RULES.image),
      ...typedRules(DUMP_FOLDER, DUMP_TYPES, HEADER_RULES.response),
      ...typedRules(SEED_FOLDER, SEED_TYPES, HEADER_RULES.image),
      { ...folderRule(SEED_FOLDER, escapeDots(SEED_MANIFEST), fileOr(NOT_FOUND)), headers: HEADER_RULES.response },
      folderRule(VARIANTS_FOLDER, `${NAME}(?:/${NAME})*`, fileOr(NOT_FOUND)),
      ...outermostLast.map((route) =>
        folderRule(fixedPart(route), route.parameters.map(() => PART).join('/'), [routeError(route, 'badRequest')]),
      ),
      { path: '', isFolder: true, match: `(${ANYTHING})`, responses: [NOT_FOUND] },
    ],
    errors: Object.fromEntries([
      ...Object.values(GENERAL_ERRORS).map((error) => errorText(error)),
      ...routes.flatMap((route) => errorsOf(route).map((error) => errorText(error, route))),
      [BATCH_ERROR, JSON.stringify(badRequest.body)],
    ]),
    notFound: NOT_FOUND,
    badRequest: fixedResponse(GENERAL_ERRORS.badRequest),
    methodNotAllowed: fixedResponse(GENERAL_ERRORS.methodNotAllowed),
  };
}

/** Makes the rules for files in a folder, such as images: one rule for each file extension. */
function typedRules(path: string, types: Readonly<Record<string, string>>, headers: Headers): SiteRule[] {
  return Object.entries(types).map(([extension, type]) => ({
    ...folderRule(path, `${NAME}\\.${escapeDots(extension)}`, fileOr(NOT_FOUND)),
    headers: { ...headers, 'Content-Type': type },
  }));
}

function errorText({ status, body }: RouteError, route?: Route): [file: string, text: string] {
  return [generalErrorFile(status, route), JSON.stringify(body)];
}

function isIndex(route: Route): boolean {
  return route.parameters.length === 0;
}

/**
 * Makes the rule for a route with parameters. Its responses in order: a variant, the file, an error for the path, an
 * error for the route.
 */
function pathRule(route: Route): SiteRule {
  const pathErrors = (route.fileErrors ?? []).map((status) => whereFile(status, errorFile(status, '{path}')));
  const rule = folderRule(fixedPart(route), patternOf(route), [
    ...variantResponses(route, '{path}'),
    whereFile(200, '{path}'),
    ...pathErrors,
    routeError(route, 'notFound'),
  ]);
  return route.headers === undefined ? rule : { ...rule, headers: route.headers };
}

/** Makes the rules for a list whose path has parameters, and for the files of the list. */
function listRules(route: Route, list: ListPages): SiteRule[] {
  const path = `${fixedPart(route)}/${patternOf(route)}`;
  const at = { path: '{path}' };
  const [file, notFound] = [indexFile(at), routeError(route, 'notFound')];
  const pages = listPageFile(at, '{limit}', '{offset}').replace('{limit}/{offset}.json', pageNames(list));
  const files = [file.replace(/\.json$/, '\\.json'), pages].map((name) => name.replace('{path}', ''));
  const rule = folderRule(fixedPart(route), '', [...pageResponses(at, list, route), whereFile(200, file), notFound]);
  return [
    { ...rule, match: `(${path})/?`, list: listRule(at, list, route) },
    ...files.map((name) => ({ ...rule, match: `(${path}${name})`, responses: fileOr(notFound) })),
  ];
}

/** Makes the rules for a route without parameters, and for its files. */
function indexRules(route: Route): SiteRule[] {
  const [file, { list }] = [indexFile(route), route];
  const responses = list === undefined ? variantResponses(route, file) : pageResponses(route, list, route);
  const index = exactRule(route.path, '/?', [...responses, whereFile(200, file), NOT_FOUND]);
  if (route.isFile) return [fileRule(file)];
  if (list === undefined) return [index, fileRule(file)];
  const pageFile = listPageFile(route, '{limit}', '{offset}');
  return [
    { ...index, list: listRule(route, list, route) },
    fileRule(file),
    ...(list.search === undefined ? [] : [fileRule(listNamesFile(route))]),
    folderRule(pageFile.slice(0, pageFile.indexOf('/{')), pageNames(list), fileOr(NOT_FOUND)),
  ];
}

/** Makes the rule for a request for a file by the file's path. */
function fileRule(file: string): SiteRule {
  return exactRule(file, '', [whereFile(200, file), NOT_FOUND]);
}

function listRule(at: Pick<Route, 'path'>, { pageSizes, search }: ListPages, route: Route): ListRule {
  return {
    pageSizes,
    pageFile: listPageFile(at, '{limit}', '{offset}'),
    manifestFile: listManifestFile(at),
    ...(search && { search: { file: listNamesFile(at), forms: searchForms(search) } }),
    badRequest: routeError(route, 'badRequest'),
  };
}

function searchForms(search: readonly SearchParameter[]): Record<string, string> {
  return Object.fromEntries(
    search.map(({ name, values, pattern }) => [name, values?.join('|') ?? (pattern ? partSource(pattern) : ANYTHING)]),
  );
}

/** Returns a pattern for the paths of a list's pages, relative to the folder of the pages. */
function pageNames({ pageSizes }: ListPages): string {
  return `(?:(?:${pageSizes.join('|')})/${OFFSET}|index)\\.json`;
}

function patternOf({ parameters }: Route): string {
  return parameters.map(({ pattern }) => partSource(pattern)).join('/');
}

/**
 * Returns responses to requests for a list, on hosts without a program. Supported queries select a page, and any other
 * query gets an error.
 */
function pageResponses(at: Pick<Route, 'path'>, list: ListPages, route: Route): RuleResponse[] {
  const search = Object.fromEntries((list.search ?? []).map(({ name }) => [name, '']));
  const page = (limit: string, offset: string, size: number): RuleResponse => ({
    ...whereFile(200, listPageFile(at, size, offset === '' ? 0 : '{value}')),
    query: { limit, offset, ...search },
  });
  const [offset, [standard = 0]] = [`(${OFFSET})`, list.pageSizes];
  return [
    ...list.pageSizes.map((size) => page(String(size), offset, size)),
    ...list.pageSizes.map((size) => page(String(size), '', size)),
    page('', offset, standard),
    { ...routeError(route, 'badRequest'), needs: indexFile(at), anyOf: listParameters(list) },
  ];
}

function variantResponses(route: Route, file: string): RuleResponse[] {
  return (route.variants ?? []).flatMap(({ name, pattern, otherwise }) => [
    { ...whereFile(200, variantFile(name, '{value}', file)), query: { [name]: pattern } },
    ...(otherwise === 'response' ? [] : [{ ...fixedResponse(otherwise, route), needs: file, anyOf: [name] }]),
  ]);
}

/** Makes the rules for a document. A page has one for its path, and one for the path of its folder. */
function documentRules({ file, headers, isPage, isVersioned }: SiteDocument): SiteRule[] {
  const folder = posix.dirname(file).replace(/^\.$/, '');
  const rules = [
    ...(isPage ? [exactRule(folder, folder === '' ? '' : '/?', [whereFile(200, file), NOT_FOUND])] : []),
    fileRule(file),
  ];
  const version = isVersioned ? { version: { query: VERSION, caching: CACHE_FOREVER } } : {};
  return rules.map((rule) => ({ ...rule, headers, ...version }));
}

function errorsOf(route: Route): RouteError[] {
  return [route.notFound, route.badRequest, ...variantErrors(route)].filter((error) => error !== undefined);
}
