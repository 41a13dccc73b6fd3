// Renders serve.json and 404.html, which make plain `serve` answer every 200 with the right type; what it cannot do, `stxpress serve` does.
import type { Headers } from '#model/answer-headers.ts';
import type { SiteRules } from '#model/site-rules.ts';
import { EVERYTHING, type Host } from './host.ts';

const IGNORED = 'ignored, the answer without it comes';

export const serve: Host = {
  name: 'serve',
  title: '`serve`',
  use: '`npx serve dist`, with `serve.json`, which every build has',
  abilities: {
    ...EVERYTHING,
    errors: 'one 404 body, and `serve`’s own, without CORS, for a client that accepts JSON alone',
    ownErrors: '404',
    variants: IGNORED,
    undeclared: IGNORED,
    slices: 'ignored, the first page comes',
    methods: 'answered as GET',
    preflight: 'answered as GET, with the CORS header',
    tags: 'one strong tag; 304 without headers',
    hidden: 'all of it is served',
    malformed: 'two slashes are one; else 400 or 500 as HTML',
  },
  limits: [],
  files: ({ rules }) => [
    { place: 'site', path: 'serve.json', text: renderServeJson(rules) },
    { place: 'site', path: NOT_FOUND_FILE, text: NOT_FOUND_PAGE },
  ],
};

export const NOT_FOUND_FILE = '404.html';

/** What hosts with one page for everything that is not there answer with: JSON, since it is an API. */
export const NOT_FOUND_PAGE = '{"error":"Not Found"}';

function renderServeJson(rules: SiteRules): string {
  const { headers, documents, routes } = rules;
  const rule = (source: string, values: Headers) => ({
    source,
    headers: Object.entries(values).map(([key, value]) => ({ key, value })),
  });
  const config = {
    // A contract may be called `html` or `index`: no name is a type or a folder's page.
    cleanUrls: false,
    directoryListing: false,
    rewrites: [
      ...routes
        .filter((route) => route.segments.length === 0)
        .map(({ fixed }) => ({ source: `/${fixed}`, destination: `/${fixed}/index.json` })),
      ...documents
        .filter(({ isPage }) => isPage)
        .map(({ path, file }) => ({ source: `/${path}`, destination: `/${file}` })),
    ],
    // The last rule that matches wins.
    headers: [
      rule('**', { ...headers.common, ...headers.answer }),
      ...Object.entries(headers.imageTypes).map(([extension, type]) =>
        rule(`images/*.${extension}`, { ...headers.image, 'Content-Type': type }),
      ),
      ...[...new Map(documents.map(({ file, type }) => [file, type]))].map(([file, type]) =>
        rule(file, { ...headers.document, 'Content-Type': type }),
      ),
      rule(NOT_FOUND_FILE, headers.error),
    ],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
