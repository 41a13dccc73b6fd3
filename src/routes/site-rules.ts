// Derives from the routes what servers must know to answer requests from a build.
import { HEADER_RULES } from '#model/answer-headers.ts';
import type { DocumentRule, ErrorRule, RouteRule, SiteRules } from '#model/site-rules.ts';
import { GENERAL_ERRORS, ROUTES } from './all.ts';
import { fixedPart, generalErrorFile, listPageFile, type Route, type RouteError, withoutAnchors } from './route.ts';

/** Pages for people and the description of the API, which every build has. */
export const DOCUMENTS: readonly DocumentRule[] = [
  { path: '', file: 'index.html', type: 'text/html; charset=utf-8', isPage: true },
  { path: 'docs', file: 'docs/index.html', type: 'text/html; charset=utf-8', isPage: true },
  // By the names of their files too, as any static host serves them.
  { path: 'index.html', file: 'index.html', type: 'text/html; charset=utf-8', isPage: false },
  { path: 'docs/index.html', file: 'docs/index.html', type: 'text/html; charset=utf-8', isPage: false },
  { path: 'docs/start.js', file: 'docs/start.js', type: 'text/javascript; charset=utf-8', isPage: false },
  {
    path: 'docs/swagger-ui-bundle.js',
    file: 'docs/swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
    isPage: false,
  },
  { path: 'docs/swagger-ui.css', file: 'docs/swagger-ui.css', type: 'text/css; charset=utf-8', isPage: false },
  { path: 'docs/LICENSE.txt', file: 'docs/LICENSE.txt', type: 'text/plain; charset=utf-8', isPage: false },
  { path: 'openapi.json', file: 'openapi.json', type: 'application/json', isPage: false },
];

const general = {
  notFound: errorRule(GENERAL_ERRORS.notFound),
  badRequest: errorRule(GENERAL_ERRORS.badRequest),
  methodNotAllowed: errorRule(GENERAL_ERRORS.methodNotAllowed),
};

export const SITE_RULES: SiteRules = {
  headers: HEADER_RULES,
  routes: ROUTES.map(toRule),
  documents: DOCUMENTS,
  ...general,
};

function toRule(route: Route): RouteRule {
  const fixed = fixedPart(route);
  const page = listPageFile(route, '{page}')
    .slice(fixed.length + 1)
    .replace('.', '\\.')
    .replace('{page}', '[1-9][0-9]{0,8}');
  const files = route.list === undefined ? 'index\\.json' : `index\\.json|${page}`;
  return {
    id: route.id,
    fixed,
    segments: route.parameters.map(({ pattern }) => withoutAnchors(pattern)),
    files: route.parameters.length === 0 ? files : undefined,
    list: route.list === undefined ? undefined : { ...route.list, pageFile: listPageFile(route, '{page}') },
    variants: route.variants.map(({ name, forms, otherwise }) => ({
      name,
      forms,
      otherwise: otherwise === 'answer' ? 'answer' : errorRule(otherwise, route),
    })),
    notFound: route.notFound === undefined ? general.notFound : errorRule(route.notFound, route),
    badRequest: route.badRequest === undefined ? general.badRequest : errorRule(route.badRequest, route),
    ownErrors: route.ownErrors,
  };
}

function errorRule({ status, body }: RouteError, route?: Route): ErrorRule {
  return { status, file: generalErrorFile(status, route), body: JSON.stringify(body) };
}
