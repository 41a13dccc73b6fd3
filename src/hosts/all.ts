// Lists the supported static hosts. To support another host, add a file to this folder and an entry to this list.
import { stop } from '#model/failure.ts';
import { apache } from './apache.ts';
import { caddy } from './caddy.ts';
import { cloudflare, cloudflareR2 } from './cloudflare.ts';
import { githubPages } from './github-pages.ts';
import type { Host } from './host.ts';
import { netlify } from './netlify.ts';
import { nginx } from './nginx.ts';
import { s3CloudFront } from './s3-cloudfront.ts';
import { serve } from './serve.ts';
import { vercel } from './vercel.ts';

export const HOSTS: readonly Host[] = [
  nginx,
  caddy,
  apache,
  cloudflare,
  cloudflareR2,
  netlify,
  vercel,
  s3CloudFront,
  githubPages,
  serve,
];

export function findHost(name: string): Host | undefined {
  return HOSTS.find((host) => host.name === name);
}

/** Returns the hosts with these names. Throws FailureError `usage` for an unknown name. */
export function findHosts(names: readonly string[]): Host[] {
  return [...new Set(names)].map((name) => {
    const host = findHost(name);
    if (host !== undefined) return host;
    throw stop(
      'usage',
      `--hosts is ${JSON.stringify(name)}. Use one or more of: ${HOSTS.map((known) => known.name).join(', ')}`,
    );
  });
}
