// Starts the site's Worker on workerd, Cloudflare's runtime. The site's files are static assets or objects in a bucket.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConformanceServer } from './running-host.ts';
import { startProcess } from './server-process.ts';

const RUNNER = fileURLToPath(new URL('run-worker.ts', import.meta.url));
/** The line that run-worker.ts prints when the Worker is ready. */
export const WORKER_READY = 'the Worker is ready';

export const [cloudflare, cloudflareR2] = [workerServer('cloudflare'), workerServer('cloudflare-r2')];

function workerServer(name: string): ConformanceServer {
  const start: ConformanceServer['start'] = ({ dist, hosts }) =>
    startProcess(name, ({ port, folder }) => ({
      program: process.execPath,
      args: [RUNNER, join(hosts, name, 'wrangler.jsonc'), dist, String(port)],
      saysReady: WORKER_READY,
      // Makes miniflare and workerd write their temporary files to this folder, which is removed when the server stops.
      env: { TMPDIR: folder, XDG_CONFIG_HOME: folder, HOME: folder },
    }));
  return { name, start };
}
