// Every host that can be run on one machine: for real, or where only its owner can run it, by the rules that its
// owner publishes.
import { apache } from './apache.ts';
import { caddy } from './caddy.ts';
import { netlify } from './netlify.ts';
import { nginx } from './nginx.ts';
import { serve, stxpressServe } from './node-servers.ts';
import type { ConformanceServer } from './running-host.ts';
import { s3Cloudfront } from './s3-cloudfront.ts';
import { vercel } from './vercel.ts';
import { cloudflare, cloudflareR2 } from './workers.ts';

export const SERVERS: readonly ConformanceServer[] = [
  stxpressServe,
  serve,
  nginx,
  caddy,
  apache,
  cloudflare,
  cloudflareR2,
  netlify,
  vercel,
  s3Cloudfront,
];
