// Renders vercel.json, whose routes are tried in order: before the files, and where none is.

import { METHODS } from '#model/answer-headers.ts';
import type { RouteRule, SiteRules } from '#model/site-rules.ts';
import {
  ANY_GROUP,
  BUILD_FOR_ANOTHER,
  documentPattern,
  EVERYTHING,
  escapeDots,
  type Host,
  type HostSite,
  ownErrors,
  WHOLE_PAGES,
  withOneGroup,
  withoutGroups,
} from './host.ts';

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  use: '`vercel deploy --prod dist`, with `vercel.json`',
  abilities: {
    ...EVERYTHING,
    undeclared: 'yes, and 422 instead of 404 for a token that is not there',
    slices: WHOLE_PAGES,
    malformed: 'two slashes: 308 to one; half an escape: 404',
  },
  limits: [
    {
      of: 'files',
      most: 15_000,
      wayOut: BUILD_FOR_ANOTHER,
    },
    {
      of: 'rules',
      most: 2_048,
      wayOut: 'Index on until fewer tokens are pending or in error, or build for another host.',
    },
    { of: 'bytes in a file', most: 100_000_000, wayOut: 'Build for another host.' },
  ],
  countRules: (site) => routes(site).length,
  files: (site) => [
    {
      place: 'site',
      path: 'vercel.json',
      text: `${JSON.stringify({ routes: routes(site).map(withCase) }, null, 2)}\n`,
    },
    { place: 'site', path: '.vercelignore', text: '# What Vercel leaves out of the deployment.\n.stxpress\n' },
  ],
};

/** Two contracts may differ by case alone. */
function withCase(route: VercelRoute): VercelRoute {
  return 'src' in route ? { ...route, caseSensitive: true } : route;
}

type VercelRoute = Readonly<Record<string, unknown>>;

function routes({ rules, facts }: HostSite): VercelRoute[] {
  const { headers, methodNotAllowed, notFound, documents } = rules;
  const indexes = rules.routes.filter((route) => route.segments.length === 0);
  const below = rules.routes.filter((route) => route.segments.length > 0);
  const error = (src: string, status: number, file: string, more: VercelRoute = {}): VercelRoute => ({
    src,
    status,
    dest: `/${file}`,
    headers: headers.error,
    ...more,
  });
  return [
    { src: '/.*', headers: { ...headers.common, ...headers.answer }, continue: true },
    { src: '/images/.*', headers: headers.image, continue: true },
    ...Object.entries(headers.imageTypes).map(([extension, type]) => ({
      src: `/images/[^/]*\\.${extension}`,
      headers: { 'Content-Type': type },
      continue: true,
    })),
    ...documents.map((document) => ({
      src: `/${documentPattern(document)}`,
      headers: { ...headers.document, 'Content-Type': document.type },
      continue: true,
    })),
    { src: '/.*', methods: ['OPTIONS'], headers: { ...headers.preflight, Allow: METHODS }, status: 204 },
    error('/.*', methodNotAllowed.status, methodNotAllowed.file, {
      methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
      headers: { ...headers.error, Allow: METHODS },
    }),
    error(`/(?!${publicPaths(rules)}).*`, notFound.status, notFound.file),
    ...rules.routes.flatMap(variants),
    ...ownErrors(facts).map(({ path, status, file }) =>
      error(`(?:/variants/[^/]+/[^/]+)?/${escapeDots(path)}`, status, file),
    ),
    ...rules.routes.flatMap((route) => undeclared(route, rules)),
    ...indexes.map(({ fixed }) => ({ src: `/${escapeDots(fixed)}/?`, dest: `/${fixed}/index.json` })),
    ...documents
      .filter(({ isPage }) => isPage)
      .map((document) => ({ src: `/${documentPattern(document)}`, dest: `/${document.file}` })),
    { handle: 'filesystem' },
    ...indexes.map(({ fixed, files }) => error(`/${escapeDots(fixed)}/(?:${files})`, notFound.status, notFound.file)),
    ...below.flatMap((route) => [
      error(
        `/${escapeDots(route.fixed)}/${route.segments.map(withoutGroups).join('/')}`,
        route.notFound.status,
        route.notFound.file,
      ),
      error(
        `/${escapeDots(route.fixed)}${'/[^/]+'.repeat(route.segments.length)}`,
        route.badRequest.status,
        route.badRequest.file,
      ),
      error(`/${escapeDots(route.fixed)}/.+`, route.notFound.status, route.notFound.file),
    ]),
    error('/.*', notFound.status, notFound.file),
  ];
}

/** Path of a route as a pattern, and the file behind it, with the notation for the pattern's first group. */
function pathAndFile(route: RouteRule): { readonly path: string; readonly file: string } {
  const fixed = escapeDots(route.fixed);
  return route.segments.length === 0
    ? { path: `(${fixed})/?`, file: '$1/index.json' }
    : { path: `(${fixed}/${route.segments.map(withoutGroups).join('/')})`, file: '$1' };
}

/** An asked variant, if there is such a file; if not, the routes that follow see the path of the variant. */
function variants(route: RouteRule): VercelRoute[] {
  const { path, file } = pathAndFile(route);
  return route.variants.flatMap(({ name, forms }) =>
    forms.map(withOneGroup).map(({ pattern, pathPart }) => ({
      src: `/${path}`,
      has: [{ type: 'query', key: name, value: pattern.replace(ANY_GROUP, `(?<${name}>`) }],
      dest: `/variants/${name}/${pathPart(`$${name}`)}/${file}`,
      check: true,
    })),
  );
}

/** What is answered where an asked variant is no file: an error, or the path itself. */
function undeclared(route: RouteRule, { headers }: SiteRules): VercelRoute[] {
  const fixed = escapeDots(route.fixed);
  const src =
    route.segments.length === 0
      ? `/(?:variants/[^/]+/[^/]+/${fixed}/index\\.json|${fixed}/?)`
      : `(?:/variants/[^/]+/[^/]+)?/${pathAndFile(route).path}`;
  return route.variants.map(({ name, otherwise }) => {
    const has = [{ type: 'query', key: name, value: '[\\s\\S]+' }];
    return otherwise === 'answer'
      ? { src, has, dest: '/$1', continue: true }
      : { src, has, status: otherwise.status, dest: `/${otherwise.file}`, headers: headers.error };
  });
}

/** What the site serves: everything else is hidden, whatever its name looks like when it is encoded. */
function publicPaths({ routes, documents }: SiteRules): string {
  const folders = [...new Set([...routes.map(({ fixed }) => fixed.split('/')[0]), 'variants', 'images'])];
  return `(?:${folders.join('|')})(?:/|$)|(?:${documents.map(documentPattern).join('|')})$`;
}
