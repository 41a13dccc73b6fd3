// Derives the rules that servers apply to requests from the routes and the documents.

import { posix } from 'node:path';
import { IMAGE_TYPES } from '#image/media-types.ts';
import { DUMP_FOLDER, DUMP_TYPES } from '#layout/dump-files.ts';
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
/** The pattern of versions: pages load scripts and styles with a hash of their content as the query. */
const VERSION = '[0-9a-f]{12}';

/** The folders of paths that the public API accepts without a version, too. */
const UNVERSIONED = { from: 'metadata', to: 'metadata/v1' };

const NOT_FOUND = fixedResponse(GENERAL_ERRORS.notFound);

const BATCH_ERROR = generalErrorFile(tokenBatch.badRequest.status, { path: tokenBatch.path, parameters: [] });

export const SITE_RULES = describeRoutes(ROUTES, DOCUMENTS);

export function describeRoutes(routes: readonly Route[], documents: readonly SiteDocument[]): SiteRules {
  const [indexes, below] = [routes.filter(isIndex), routes.filter((route) => !isIndex(route))];
  // A malformed path belongs to the route with the most parameters that fits.
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
    // The most requested routes come first; the rules for malformed and missing paths come after all routes.
    rules: [
      ...below.flatMap((route) => (route.list === undefined ? [pathRule(route)] : listRules(route, route.list))),
      ...indexes.flatMap(indexRules),
      ...documents.flatMap(documentRules),
      ...typedRules(IMAGE_FOLDER, IMAGE_TYPES, HEADER_RULES.image),
      ...typedRules(DUMP_FOLDER, DUMP_TYPES, HEADER_RULES.response),
      folderRule(VARIANTS_FOLDER, `${NAME}(?:/${NAME})*`, fileOr(NOT_FOUND)),
      ...outermostLast.flatMap(unservedRules),
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

/** Makes the rules for files of a folder that are not responses of routes: one for each extension. */
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

/** Makes the rule of a route with parameters. Its responses: variant, file, error of the path, error of the route. */
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

/** Makes rules for paths of the public API that are not served and look like malformed paths of the route. */
function unservedRules(route: Route): SiteRule[] {
  return (route.unserved ?? []).map((name) => exactRule(`${fixedPart(route)}/${name}`, '', [NOT_FOUND]));
}

/** Makes the rules of a list whose path has parameters, and of its files. */
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

/** Makes the rules of a route without parameters, and of its files. */
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

/** Makes the rule for a file at its path. */
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

/** Returns the pattern of file names below the folder of a list's pages. */
function pageNames({ pageSizes }: ListPages): string {
  return `(?:(?:${pageSizes.join('|')})/${OFFSET}|index)\\.json`;
}

function patternOf({ parameters }: Route): string {
  return parameters.map(({ pattern }) => partSource(pattern)).join('/');
}

/** Returns the responses of hosts without a program: pages of the supported sizes, or an error for any other query. */
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

/** Makes the rules of a document: its path, and for a page the path of its folder too. */
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
