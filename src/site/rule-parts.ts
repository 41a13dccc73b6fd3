// Makes the parts of a site's rules: rules of one path or of a folder, and answers that are files.

import { generalErrorFile } from '#layout/response-files.ts';
import { GENERAL_ERRORS } from '#routes/all.ts';
import type { Route, RouteError } from '#routes/route.ts';
import { escapeDots, type FixedResponse, type RuleResponse, type SiteRule } from '#serving/rules.ts';

export function exactRule(path: string, end: '' | '/?', answers: readonly RuleResponse[]): SiteRule {
  return { path, isFolder: false, match: `(${escapeDots(path)})${end}`, answers };
}

export function folderRule(path: string, rest: string, answers: readonly RuleResponse[]): SiteRule {
  return { path, isFolder: true, match: `(${path}/${rest})`, answers };
}

/** The file that is called as the path is. */
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

/** Those of an asked variant that is not there. */
export function variantErrors({ variants = [] }: Route): RouteError[] {
  return variants.flatMap(({ otherwise }) => (otherwise === 'answer' ? [] : [otherwise]));
}

export function fixedResponse({ status }: RouteError, route?: Route): FixedResponse {
  return { status, file: generalErrorFile(status, route) };
}
