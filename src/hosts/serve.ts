// Renders serve.json and 404.html for the npm package `serve`. It serves files, but without the errors and queries of
// the API.
import type { Headers } from '#serving/headers.ts';
import type { SiteRules } from '#serving/rules.ts';
import { casesOf, type Host, NOT_FOUND_FILE, notFoundPage } from './host.ts';

const IGNORED = 'ignored';

export const serve: Host = {
  name: 'serve',
  title: '`serve`',
  instructions: '`npx serve dist`, with `serve.json`, which every build includes',
  deviations: {
    errors:
      'one 404 body, or `serve`’s body without CORS for clients that accept only JSON; paths of lists ignore case',
    tokenErrors: '404',
    variants: IGNORED,
    undeclared: IGNORED,
    slices: 'ignored; returns the first page, or 404 for the tokens of a collection; use `…/index.json` instead',
    search: 'ignored; returns the first page',
    batch: '404',
    unversioned: '404',
    versions: 'cached for a minute',
    methods: 'handled as GET',
    preflight: 'handled as GET, with the CORS header',
    tags: 'one strong tag; 304 without headers',
    hidden: 'served',
    malformed: 'two slashes are one; otherwise 400 or 500 as HTML',
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
    // A contract's name may end in .html or be `index`. `serve` must not remove such an ending.
    cleanUrls: false,
    directoryListing: false,
    // `serve` does not rewrite paths below a folder whose name has a dot, such as a principal.
    rewrites: rules.flatMap(({ path, isFolder, plain }) =>
      plain === undefined || isFolder || plain.file === path
        ? []
        : [{ source: `/${path}`, destination: `/${plain.file}` }],
    ),
    // If several rules match, the last one applies.
    headers: [
      header('**', { ...headers.common, ...headers.response }),
      ...rules.flatMap(({ path, isFolder, match, headers: ruleHeaders }) => {
        if (path === '' || ruleHeaders === undefined) return [];
        // The rule of a folder applies to all files in it that have the extension of the rule's pattern.
        const extension = /\\(\.\w+)\)$/.exec(match)?.[1] ?? '';
        return [header(isFolder ? `${path}/**/*${extension}` : path, ruleHeaders)];
      }),
      header(NOT_FOUND_FILE, headers.error),
    ],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
