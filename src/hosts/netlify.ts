// Renders _redirects and _headers for Netlify.
import type { Headers } from '#model/answer-headers.ts';
import type { RouteRule, SiteRules } from '#model/site-rules.ts';
import { EVERYTHING, type Host, type HostSite, ownErrors, WHOLE_PAGES } from './host.ts';

export const netlify: Host = {
  name: 'netlify',
  title: 'Netlify',
  use: '`netlify deploy --prod --dir dist`, with `_redirects` and `_headers`',
  abilities: {
    ...EVERYTHING,
    errors: 'malformed: 404 instead of 400',
    undeclared: '404 of the site',
    slices: WHOLE_PAGES,
    methods: 'as Netlify answers them',
    preflight: 'as Netlify answers it, with the CORS header',
  },
  limits: [
    {
      of: 'files in a folder',
      most: 54_000,
      wayOut:
        'Build with --only tokens, or for a host without this limit: nginx, caddy, apache, cloudflare-r2 or s3-cloudfront.',
    },
    {
      of: 'rules',
      most: 10_000,
      wayOut: 'Index on until fewer tokens are pending or in error, or build for another host.',
    },
  ],
  countRules: (site) => redirects(site).length,
  files: (site) => [
    {
      place: 'site',
      path: '_redirects',
      text: `# How Netlify answers from this folder: publish it as it is, with netlify deploy --prod --dir <this folder>\n${redirects(site).join('\n')}\n`,
    },
    { place: 'site', path: '_headers', text: renderHeaderRules(site.rules) },
  ],
};

/** The first rule that matches wins. One with `!` comes before files, the others where no file is. */
function redirects({ rules, facts }: HostSite): string[] {
  const indexes = rules.routes.filter((route) => route.segments.length === 0);
  const below = rules.routes.filter((route) => route.segments.length > 0);
  return [
    '/errors/* /errors/404.json 404!',
    '/serve.json /errors/404.json 404!',
    '/404.html /errors/404.json 404!',
    ...indexes.flatMap((route) => variants(route, `/${route.fixed}`, `${route.fixed}/index.json`)),
    ...below.flatMap((route) => variants(route, `/${route.fixed}/*`, `${route.fixed}/:splat`)),
    ...indexes.map(({ fixed }) => `/${fixed} /${fixed}/index.json 200`),
    ...ownErrors(facts).map(({ path, status, file }) => `/${path} /${file} ${status}`),
    ...below.map(({ fixed, notFound }) => `/${fixed}/* /${notFound.file} ${notFound.status}`),
    `/* /${rules.notFound.file} 404`,
  ];
}

function variants(route: RouteRule, from: string, file: string): string[] {
  return route.variants.map(({ name, otherwise }) => {
    // Where a value without a file answers as without it, the path's own file comes first.
    const force = otherwise === 'answer' ? '' : '!';
    return `${from} ${name}=:${name} /variants/${name}/:${name}/${file} 200${force}`;
  });
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
    ...block('/images/*', headers.image),
    ...documents.flatMap(({ path, type }) => block(`/${path}`, { ...headers.document, 'Content-Type': type })),
    '',
  ].join('\n');
}
