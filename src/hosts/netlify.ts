// Renders _redirects and _headers for Netlify.
import type { Headers } from '#model/answer-headers.ts';
import type { RouteRule, SiteRules } from '#model/site-rules.ts';
import {
  BUILD_FOR_ANOTHER,
  EVERYTHING,
  HOST_FILE_NAMES,
  type Host,
  type HostSite,
  ownErrors,
  type SiteFacts,
} from './host.ts';
import { NOT_FOUND_FILE, NOT_FOUND_PAGE } from './serve.ts';

export const netlify: Host = {
  name: 'netlify',
  title: 'Netlify',
  use: '`netlify deploy --prod --dir dist`, with `_redirects` and `_headers`',
  abilities: {
    ...EVERYTHING,
    errors:
      'malformed: 404 instead of 400; a trailing slash is ignored; an address alone answers its contract called `html`',
    variants: 'yes; of a parameter that is repeated, the last one counts; a percent-encoded name is ignored',
    undeclared: 'yes, and 422 instead of 404 for a token that is not there',
    slices: 'whole pages of 20, at a multiple of 20; else 400',
    methods: '405 as text',
    preflight: '405 as text',
    malformed: '404 instead of 400, or a text',
  },
  limits: [
    {
      of: 'files in a folder',
      most: 54_000,
      wayOut: BUILD_FOR_ANOTHER,
    },
  ],
  files: (site) => [
    {
      place: 'site',
      path: '_redirects',
      text: `# How Netlify answers from this folder: publish it as it is, with netlify deploy --prod --dir <this folder>\n${redirects(site).join('\n')}\n`,
    },
    // Served for what is not there, and hidden itself.
    { place: 'site', path: NOT_FOUND_FILE, text: NOT_FOUND_PAGE },
    { place: 'site', path: '_headers', text: renderHeaderRules(site.rules) },
  ],
};

/** The first rule that matches wins. One with `!` comes before files, the others where no file is. */
function redirects({ rules, facts }: HostSite): string[] {
  const indexes = rules.routes.filter((route) => route.segments.length === 0);
  const below = rules.routes.filter((route) => route.segments.length > 0);
  const notFound = `/${NOT_FOUND_FILE} ${rules.notFound.status}`;
  return [
    `/errors/* ${notFound}!`,
    ...HOST_FILE_NAMES.map((name) => `/${name} ${notFound}!`),
    // Netlify answers a page without its ending too.
    `/404 ${notFound}!`,
    ...ownErrors(facts).map(({ path, status, file }) => `/${path} /${file} ${status}`),
    ...rules.routes.flatMap((route) => declaredVariants(route, facts)),
    ...indexes.flatMap(undeclaredVariants),
    ...indexes.flatMap(({ fixed, list }) => [
      `/${fixed} /${fixed}/index.json 200!`,
      `/${fixed}/index.json /${fixed}/index.json 200!`,
      ...(list === undefined
        ? []
        : [`/${fixed}/pages/:page /${fixed}/pages/:page 200`, `/${fixed}/pages/* ${notFound}`]),
    ]),
    ...below.flatMap(undeclaredVariants),
    ...below.map(({ fixed, notFound: error }) => `/${fixed}/* /${error.file} ${error.status}`),
    `/* ${notFound}`,
  ];
}

/** A rule for each: one for all of them would answer a value that is not there with a page of Netlify's. */
function declaredVariants(route: RouteRule, { conditional }: SiteFacts): string[] {
  return route.variants.flatMap(({ name, otherwise }) =>
    conditional.flatMap((file) => {
      const [, value = '', path = ''] = new RegExp(`^variants/${name}/([^/]+)/(${route.fixed}/.+)$`).exec(file) ?? [];
      // Where a value without a file answers as without it, the path's own file comes first.
      const force = otherwise === 'answer' ? '' : '!';
      const from = route.segments.length === 0 ? route.fixed : path;
      return path === '' ? [] : [`/${from} ${name}=${value} /${file} 200${force}`];
    }),
  );
}

/** An empty value is none. */
function undeclaredVariants(route: RouteRule): string[] {
  const [from, file] =
    route.segments.length === 0
      ? [`/${route.fixed}`, `/${route.fixed}/index.json`]
      : [`/${route.fixed}/*`, `/${route.fixed}/:splat`];
  return route.variants.flatMap(({ name, otherwise }) =>
    otherwise === 'answer'
      ? []
      : [`${from} ${name}= ${file} 200`, `${from} ${name}=:${name} /${otherwise.file} ${otherwise.status}!`],
  );
}

function renderHeaderRules({ headers, routes, documents }: SiteRules): string {
  const block = (path: string, values: Headers) => [
    path,
    ...Object.entries(values).map(([name, value]) => `  ${name}: ${value}`),
  ];
  const folders = [...new Set(routes.map(({ fixed }) => fixed.split('/')[0]))];
  return [
    '# Headers of the answers at Netlify.',
    ...block('/*', headers.common),
    ...[...folders, 'variants'].flatMap((folder) => block(`/${folder}/*`, headers.answer)),
    ...['errors/*', NOT_FOUND_FILE].flatMap((path) => block(`/${path}`, headers.error)),
    ...block('/images/*', headers.image),
    // Each path once: Netlify joins the values of blocks that say the same.
    ...[...new Map(documents.map(({ path, type }) => [path, type]))].flatMap(([path, type]) =>
      block(`/${path}`, { ...headers.document, 'Content-Type': type }),
    ),
    '',
  ].join('\n');
}
