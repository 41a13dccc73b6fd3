// Lists all hosts that the suite can run on one machine.
import { apache } from './apache.ts';
import { caddy } from './caddy.ts';
import { nginx } from './nginx.ts';
import { serve, stxpressServe } from './node-servers.ts';
import type { ConformanceServer } from './running-host.ts';
import { s3Cloudfront } from './s3-cloudfront.ts';
import { cloudflare, cloudflareR2 } from './workers.ts';

export const SERVERS: readonly ConformanceServer[] = [
  stxpressServe,
  serve,
  nginx,
  caddy,
  apache,
  cloudflare,
  cloudflareR2,
  s3Cloudfront,
];
