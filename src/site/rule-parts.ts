// Makes parts of a site's rules: rules for a path or a folder, and responses with a file.

import { generalErrorFile } from '#layout/response-files.ts';
import { GENERAL_ERRORS } from '#routes/all.ts';
import type { Route, RouteError } from '#routes/route.ts';
import { escapeDots, type FixedResponse, type RuleResponse, type SiteRule } from '#serving/rules.ts';

export function exactRule(path: string, end: '' | '/?', responses: readonly RuleResponse[]): SiteRule {
  return { path, isFolder: false, match: `(${escapeDots(path)})${end}`, responses };
}

export function folderRule(path: string, rest: string, responses: readonly RuleResponse[]): SiteRule {
  return { path, isFolder: true, match: `(${path}/${rest})`, responses };
}

/** Returns the responses for a path that is a file's name: the file if it exists, otherwise the error. */
export function fileOr(error: FixedResponse): RuleResponse[] {
  return [whereFile(200, '{path}'), error];
}

export function whereFile(status: number, file: string): RuleResponse {
  return { status, file, needs: file };
}

export function routeError(route: Route, which: 'notFound' | 'badRequest'): FixedResponse {
  const error = route[which];
  return error === undefined ? fixedResponse(GENERAL_ERRORS[which]) : fixedResponse(error, route);
}

/** Returns the errors for values of query parameters that select a file which does not exist. */
export function variantErrors({ variants = [] }: Route): RouteError[] {
  return variants.flatMap(({ otherwise }) => (otherwise === 'response' ? [] : [otherwise]));
}

export function fixedResponse({ status }: RouteError, route?: Route): FixedResponse {
  return { status, file: generalErrorFile(status, route) };
}
