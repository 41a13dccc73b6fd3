// Builds the sample for hosts. Lists the files that the build adds for each host.

import { siteOf } from '#generator/host-files.ts';
import { HOSTS } from '#hosts/all.ts';
import type { SiteRules } from '#serving/rules.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { runWarm } from '../support/run-cli.ts';
import { filesBelow, sampleIndex, sampleTree } from '../support/sample.ts';

/** The files of a build without hosts, by path. */
export const PLAIN = await sampleTree();

/** Returns a description of a site, as the adapters of hosts receive it. */
export const sampleSite = (rules: SiteRules = SITE_RULES) => ({ ...siteOf('/srv/dist'), rules });

/**
 * Returns a function that builds the sample with further arguments. Call `sampleBuilder` outside of tests, since it
 * indexes the sample.
 */
export function sampleBuilder() {
  const db = sampleIndex();
  return (cwd: string, args: readonly string[], env: Record<string, string> = {}) =>
    runWarm(['build', '--db', db, ...args], { cwd, env });
}

/** Returns the paths of all files in a folder that were written for hosts. */
export const hostFilesOf = (cwd: string): string[] =>
  filesBelow(cwd)
    .filter((path) => path.startsWith('dist-hosts/') || !PLAIN.has(path.replace(/^dist\//, '')))
    .filter((path) => !path.startsWith('dist/.stxpress/'));

const WORKER = ['worker.js', 'wrangler.jsonc'];

/** The files that a build adds for each host, in `dist-hosts` and in the site. */
export const FILES: Readonly<Record<string, readonly string[]>> = {
  nginx: ['dist-hosts/nginx/stxpress.conf'],
  caddy: ['dist-hosts/caddy/Caddyfile'],
  apache: ['dist/.htaccess'],
  cloudflare: [...WORKER.map((name) => `dist-hosts/cloudflare/${name}`), 'dist/.assetsignore', 'dist/_headers'],
  'cloudflare-r2': WORKER.map((name) => `dist-hosts/cloudflare-r2/${name}`),
  netlify: ['dist-hosts/netlify/netlify.toml', 'dist/_headers'],
  vercel: ['dist/.vercelignore', 'dist/vercel.json'],
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
