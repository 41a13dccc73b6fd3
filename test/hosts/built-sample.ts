// The sample, built for hosts: the site as adapters see it, the files that each host has of it, and how to build them.

import { siteOf } from '#generator/host-files.ts';
import { HOSTS } from '#hosts/all.ts';
import type { SiteRules } from '#serving/rules.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { runWarm } from '../support/run-warm.ts';
import { filesBelow, sampleIndex, sampleTree } from '../support/sample.ts';

/** What every build has, whatever host it is for. */
export const PLAIN = await sampleTree();

/** A site as an adapter sees it. */
export const sampleSite = (rules: SiteRules = SITE_RULES) => ({ ...siteOf('/srv/dist'), rules });

/** What builds an index of the sample; to be called outside a test. */
export function sampleBuilder() {
  const db = sampleIndex();
  return (cwd: string, args: readonly string[], env: Record<string, string> = {}) =>
    runWarm(['build', '--db', db, ...args], { cwd, env });
}

/** Files of hosts below a folder: those in dist that every build has are left out. */
export const hostFilesOf = (cwd: string): string[] =>
  filesBelow(cwd)
    .filter((path) => path.startsWith('dist-hosts/') || !PLAIN.has(path.replace(/^dist\//, '')))
    .filter((path) => !path.startsWith('dist/.stxpress/'));

const WORKER = ['worker.js', 'wrangler.jsonc'];

/** By host: its files beside the site and in it. */
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
