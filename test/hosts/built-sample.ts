// Builds the sample for hosts, and lists the files of each host.

import { siteOf } from '#generator/host-files.ts';
import { HOSTS } from '#hosts/all.ts';
import type { SiteRules } from '#serving/rules.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { runWarm } from '../support/run-warm.ts';
import { filesBelow, sampleIndex, sampleTree } from '../support/sample.ts';

/** The files that every build has, by path. */
export const PLAIN = await sampleTree();

/** Returns a site in the form that adapters of hosts receive. */
export const sampleSite = (rules: SiteRules = SITE_RULES) => ({ ...siteOf('/srv/dist'), rules });

/** Returns a function that builds the sample. Call it outside of tests. */
export function sampleBuilder() {
  const db = sampleIndex();
  return (cwd: string, args: readonly string[], env: Record<string, string> = {}) =>
    runWarm(['build', '--db', db, ...args], { cwd, env });
}

/** Returns the files of hosts below a folder, without files that every build has. */
export const hostFilesOf = (cwd: string): string[] =>
  filesBelow(cwd)
    .filter((path) => path.startsWith('dist-hosts/') || !PLAIN.has(path.replace(/^dist\//, '')))
    .filter((path) => !path.startsWith('dist/.stxpress/'));

const WORKER = ['worker.js', 'wrangler.jsonc'];

/** The files of each host, outside and within the site. */
export const FILES: Readonly<Record<string, readonly string[]>> = {
  nginx: ['dist-hosts/nginx/stxpress.conf'],
  caddy: ['dist-hosts/caddy/Caddyfile'],
  apache: ['dist/.htaccess'],
  cloudflare: [...WORKER.map((name) => `dist-hosts/cloudflare/${name}`), 'dist/.assetsignore', 'dist/_headers'],
  'cloudflare-r2': WORKER.map((name) => `dist-hosts/cloudflare-r2/${name}`),
  netlify: [
    ...['edge-functions/stxpress.js', 'netlify.toml'].map((name) => `dist-hosts/netlify/${name}`),
    'dist/_headers',
  ],
  vercel: ['dist/.vercelignore', 'dist/middleware.js', 'dist/vercel.json'],
  's3-cloudfront': [
    'README.md',
    'origin-request.mjs',
    'stxpress-headers.json',
    'stxpress-scripts-headers.json',
    'stxpress-versions-headers.json',
  ].map((name) => `dist-hosts/s3-cloudfront/${name}`),
  'github-pages': ['dist/.nojekyll'],
  serve: [],
};
export const ALL = HOSTS.map((host) => host.name);
