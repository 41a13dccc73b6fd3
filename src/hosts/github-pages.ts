// Renders files for GitHub Pages. This host serves all files, but without the errors, queries and headers of the API.
import { BUILD_FOR_ANOTHER, type Host, notFoundPage } from './host.ts';

const IGNORED = 'ignored; use `variants/…` instead';

export const githubPages: Host = {
  name: 'github-pages',
  title: 'GitHub Pages',
  instructions: 'publish `dist`, with `.nojekyll` and `404.html`',
  deviations: {
    types: '`application/octet-stream`',
    errors: 'one 404 body, as HTML',
    tokenErrors: '404',
    variants: IGNORED,
    undeclared: IGNORED,
    slices: 'ignored; returns the first page; use `pages/…` instead',
    search: 'ignored; returns the first page',
    batch: '404',
    unversioned: '404',
    versions: 'cached for ten minutes',
    preflight: 'GitHub’s response',
    headers: 'only `Access-Control-Allow-Origin`, and caching for ten minutes',
    hidden: 'served, except for dotfiles',
    malformed: 'GitHub’s error pages',
    methods: 'GitHub’s responses',
  },
  limits: [{ of: 'bytes', max: 1_000_000_000, advice: BUILD_FOR_ANOTHER }],
  files: ({ rules }) => [{ where: 'site', path: '.nojekyll', text: '' }, notFoundPage(rules)],
};
