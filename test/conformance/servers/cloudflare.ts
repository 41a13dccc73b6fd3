// Cloudflare's own runtime, workerd, with the site's Worker and its static assets.
import type { ConformanceServer } from './running-host.ts';
import { startWorker } from './start-worker.ts';

export const cloudflare: ConformanceServer = {
  name: 'cloudflare',
  start: (site) => startWorker('cloudflare', site),
};
