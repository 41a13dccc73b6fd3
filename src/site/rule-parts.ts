// Makes the parts of a site's rules: rules of one path or of a folder, and answers that are files.

import { generalErrorFile } from '#layout/response-files.ts';
import { GENERAL_ERRORS } from '#routes/all.ts';
import type { Route, RouteError } from '#routes/route.ts';
import { escapeDots, type FixedAnswer, type RuleAnswer, type SiteRule } from '#serving/rules.ts';

export function exactRule(path: string, end: '' | '/?', answers: readonly RuleAnswer[]): SiteRule {
  return { path, isFolder: false, match: `(${escapeDots(path)})${end}`, answers };
}

export function folderRule(path: string, rest: string, answers: readonly RuleAnswer[]): SiteRule {
  return { path, isFolder: true, match: `(${path}/${rest})`, answers };
}

/** The file that is called as the path is. */
export function fileOr(error: FixedAnswer): RuleAnswer[] {
  return [whereFile(200, '{path}'), error];
}

export function whereFile(status: number, file: string): RuleAnswer {
  return { status, file, needs: file };
}

export function routeError(route: Route, which: 'notFound' | 'badRequest'): FixedAnswer {
  const error = route[which];
  return error === undefined ? fixedAnswer(GENERAL_ERRORS[which]) : fixedAnswer(error, route);
}

/** Those of an asked variant that is not there. */
export function variantErrors({ variants = [] }: Route): RouteError[] {
  return variants.flatMap(({ otherwise }) => (otherwise === 'answer' ? [] : [otherwise]));
}

export function fixedAnswer({ status }: RouteError, route?: Route): FixedAnswer {
  return { status, file: generalErrorFile(status, route) };
}
