// Plain `serve`, which reads the site's serve.json.
import { createRequire } from 'node:module';
import type { ConformanceServer } from './running-host.ts';
import { startProcess } from './server-process.ts';

const PROGRAM = createRequire(import.meta.url).resolve('serve/build/main.js');

export const serve: ConformanceServer = {
  name: 'serve',
  start: ({ dist }) =>
    startProcess('serve', ({ port }) => ({
      program: process.execPath,
      args: [PROGRAM, '--no-clipboard', '--no-port-switching', '--listen', `tcp://127.0.0.1:${port}`, dist],
    })),
};
