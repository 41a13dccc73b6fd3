// Starts the Worker in a host's folder by its wrangler.jsonc, in a process of its own.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuiltSite, RunningHost } from './running-host.ts';
import { startProcess } from './server-process.ts';
import { WORKER_READY } from './worker-ready.ts';

const RUNNER = fileURLToPath(new URL('run-worker.ts', import.meta.url));

export function startWorker(name: string, { dist, hosts }: BuiltSite): Promise<RunningHost> {
  return startProcess(name, ({ port, folder }) => ({
    program: process.execPath,
    args: [RUNNER, join(hosts, name, 'wrangler.jsonc'), dist, String(port)],
    saysReady: WORKER_READY,
    // What miniflare and workerd write goes with the folder.
    env: { TMPDIR: folder, XDG_CONFIG_HOME: folder, HOME: folder },
  }));
}
