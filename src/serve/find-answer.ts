// Finds which file of a build answers a request, and with which status.
import { BOOKKEEPING_FOLDER } from '#model/answer-headers.ts';
import { GENERAL_ERRORS } from '#routes/all.ts';
import { errorFile, fixedPart, generalErrorFile, type Route, type RouteError, variantFile } from '#routes/route.ts';

export interface Answer {
  readonly status: number;
  /** Path in the build, without a slash in front. */
  readonly file: string;
}

/** Whether the build has a file. */
export type HasFile = (file: string) => boolean;

/** Folders and files of a build that are no answers of their own. */
const NOT_SERVED: ReadonlySet<string> = new Set(['errors', BOOKKEEPING_FOLDER, 'serve.json']);

/** `segments` are the decoded parts of the request's path, or undefined if they cannot be decoded. */
export function findAnswer(
  segments: readonly string[] | undefined,
  query: URLSearchParams,
  routes: readonly Route[],
  hasFile: HasFile,
): Answer {
  if (segments === undefined || segments.some((segment) => segment.includes('\0')))
    return generalError(GENERAL_ERRORS.badRequest);
  const match = matchRoute(segments, routes);
  if (match !== undefined) return answerOfRoute(match, segments.join('/'), query, hasFile);

  const isHidden =
    segments.some((segment) => segment === '' || segment.startsWith('.') || segment.includes('/')) ||
    NOT_SERVED.has(segments[0] ?? '');
  const file = segments.join('/');
  return !isHidden && hasFile(file) ? { status: 200, file } : generalError(GENERAL_ERRORS.notFound);
}

type Match = { readonly route: Route; readonly outcome: 'matches' | 'not-found' | 'bad-request' };

/** The route below whose fixed part the path is. A segment too many or too few is not found; one of the wrong form is a bad request. */
function matchRoute(segments: readonly string[], routes: readonly Route[]): Match | undefined {
  for (const route of routes) {
    const fixed = fixedPart(route).split('/');
    if (segments.length <= fixed.length || !fixed.every((part, index) => part === segments[index])) continue;
    const values = segments.slice(fixed.length);
    if (values.length !== route.parameters.length || values.includes('')) return { route, outcome: 'not-found' };
    const wellFormed = route.parameters.every((parameter, index) => parameter.pattern.test(values[index] ?? ''));
    return { route, outcome: wellFormed ? 'matches' : 'bad-request' };
  }
  return undefined;
}

function answerOfRoute({ route, outcome }: Match, path: string, query: URLSearchParams, hasFile: HasFile): Answer {
  if (outcome === 'bad-request') return routeError(route, route.badRequest);
  if (outcome === 'not-found') return routeError(route, route.notFound);
  for (const variant of route.variants) {
    const value = query.get(variant.name);
    if (value === null || value === '') continue;
    // A value from the query reaches a path only if the build has it: nothing else is looked up.
    const file = variantFile(variant.name, value, path);
    if (!value.includes('/') && !value.startsWith('.') && hasFile(file)) return { status: 200, file };
    if (variant.otherwise !== 'answer' && hasFile(path)) return routeError(route, variant.otherwise);
  }
  if (hasFile(path)) return { status: 200, file: path };
  const status = OTHER_STATUSES.find((candidate) => hasFile(errorFile(candidate, path)));
  return status === undefined ? routeError(route, route.notFound) : { status, file: errorFile(status, path) };
}

/** Statuses that an answer for one path may have in `errors/`. */
const OTHER_STATUSES = [422] as const;

function routeError(route: Route, { status }: RouteError | { status: number }): Answer {
  return { status, file: generalErrorFile(status, route) };
}

function generalError({ status }: RouteError): Answer {
  return { status, file: generalErrorFile(status) };
}
