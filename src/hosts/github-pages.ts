// Renders what GitHub Pages reads: it serves every 200, and nothing else of the API.
import { type Host, notFoundPage } from './host.ts';

const IGNORED = 'ignored; the response is the same as without it: call `variants/…`';

export const githubPages: Host = {
  name: 'github-pages',
  title: 'GitHub Pages',
  use: 'publish `dist`, with `.nojekyll` and `404.html`',
  otherwise: {
    types: '`application/octet-stream`',
    errors: 'one 404 body, as HTML',
    ownErrors: '404',
    variants: IGNORED,
    undeclared: IGNORED,
    slices: 'ignored, the first page comes: call `pages/…`',
    search: 'ignored, the first page comes',
    batch: '404',
    unversioned: '404',
    versions: 'for ten minutes',
    preflight: 'as GitHub answers it',
    headers: 'CORS, and ten minutes of caching',
    hidden: 'all but dotfiles is served',
    malformed: 'as GitHub answers them',
    methods: 'as GitHub answers them',
  },
  limits: [{ of: 'bytes', most: 1_000_000_000, wayOut: 'Build with --only tokens or --only ft, or for another host.' }],
  files: ({ rules }) => [{ where: 'site', path: '.nojekyll', text: '' }, notFoundPage(rules)],
};
