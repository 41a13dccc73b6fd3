// Cloudflare's own runtime, workerd, with the site's Worker and a bucket that holds the files.
import type { ConformanceServer } from './running-host.ts';
import { startWorker } from './start-worker.ts';

export const cloudflareR2: ConformanceServer = {
  name: 'cloudflare-r2',
  start: (site) => startWorker('cloudflare-r2', site),
};
