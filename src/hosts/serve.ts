// Renders serve.json and 404.html, with which plain `serve` answers every 200; `stxpress serve` does the rest.
import type { Headers } from '#serving/headers.ts';
import type { SiteRules } from '#serving/rules.ts';
import { casesOf, type Host, NOT_FOUND_FILE, notFoundPage } from './host.ts';

const IGNORED = 'ignored; the response is the same as without it';

export const serve: Host = {
  name: 'serve',
  title: '`serve`',
  use: '`npx serve dist`, with `serve.json`, which every build has',
  otherwise: {
    errors:
      'one 404 body, and `serve`’s own, without CORS, for a client that accepts JSON alone; a list in another case is the list',
    ownErrors: '404',
    variants: IGNORED,
    undeclared: IGNORED,
    slices: 'ignored, the first page comes; of the tokens of a collection, 404: call `…/index.json`',
    search: 'ignored, the first page comes',
    batch: '404',
    unversioned: '404',
    versions: 'for a minute',
    methods: 'answered as GET',
    preflight: 'answered as GET, with the CORS header',
    tags: 'one strong tag; 304 without headers',
    hidden: 'all of it is served',
    malformed: 'two slashes are one; else 400 or 500 as HTML',
  },
  limits: [],
  files: ({ rules }) => [{ where: 'site', path: 'serve.json', text: renderServeJson(rules) }, notFoundPage(rules)],
};

function renderServeJson(site: SiteRules): string {
  const [{ headers }, rules] = [site, casesOf(site)];
  const header = (source: string, values: Headers) => ({
    source,
    headers: Object.entries(values).map(([key, value]) => ({ key, value })),
  });
  const config = {
    // A contract may be called `html` or `index`: no name is a type or a folder's page.
    cleanUrls: false,
    directoryListing: false,
    // `serve` rewrites no path of a folder with a dot in its name, and every principal has one.
    rewrites: rules.flatMap(({ path, isFolder, own }) =>
      own === undefined || isFolder || own.file === path ? [] : [{ source: `/${path}`, destination: `/${own.file}` }],
    ),
    // The last rule that matches wins.
    headers: [
      header('**', { ...headers.common, ...headers.answer }),
      ...rules.flatMap(({ path, isFolder, match, headers: own }) => {
        if (path === '' || own === undefined) return [];
        // In a folder, all files of one ending have a type.
        const ending = /\\(\.\w+)\)$/.exec(match)?.[1] ?? '';
        return [header(isFolder ? `${path}/**/*${ending}` : path, own)];
      }),
      header(NOT_FOUND_FILE, headers.error),
    ],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
