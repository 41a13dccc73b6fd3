// The project's own server, started by the real command.
import { fileURLToPath } from 'node:url';
import type { ConformanceServer } from './running-host.ts';
import { startProcess } from './server-process.ts';

const ENTRY = fileURLToPath(new URL('../../../bin/stxpress.mjs', import.meta.url));

export const stxpressServe: ConformanceServer = {
  name: 'stxpress-serve',
  start: ({ dist }) =>
    startProcess('stxpress-serve', ({ port }) => ({
      program: process.execPath,
      args: [ENTRY, 'serve', '--out', dist, '--host', '127.0.0.1', '--port', String(port)],
    })),
};
