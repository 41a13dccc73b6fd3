// Starts the simulation of CloudFront in a process that has the memory of a Lambda@Edge function.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConformanceServer } from './running-host.ts';
import { startProcess } from './server-process.ts';

const RUNNER = fileURLToPath(new URL('run-cloudfront.ts', import.meta.url));
/** Limits the memory to 512 MB, which README.md recommends for the function. */
const MEMORY = '--max-old-space-size=512';

export const s3Cloudfront: ConformanceServer = {
  name: 's3-cloudfront',
  start: ({ dist, hosts }) =>
    startProcess('s3-cloudfront', ({ port }) => ({
      program: process.execPath,
      args: [MEMORY, RUNNER, join(hosts, 's3-cloudfront'), dist, String(port)],
      env: { AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 'SECRET', AWS_SESSION_TOKEN: 'TOKEN' },
    })),
};
