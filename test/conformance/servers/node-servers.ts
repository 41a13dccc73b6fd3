// Starts the servers that run on Node: the package `serve` with the site's serve.json, and `stxpress serve`.
import { ENTRY } from '../../support/run-cli.ts';
import { packageFile } from './load-package.ts';
import type { ConformanceServer } from './running-host.ts';
import { startProcess } from './server-process.ts';

const SERVE = packageFile('serve/build/main.js');

export const serve = nodeServer('serve', (dist, port) => [
  SERVE,
  '--no-clipboard',
  '--no-port-switching',
  '--listen',
  `tcp://127.0.0.1:${port}`,
  dist,
]);
export const stxpressServe = nodeServer('stxpress-serve', (dist, port) => [
  ENTRY,
  'serve',
  '--out',
  dist,
  '--host',
  '127.0.0.1',
  '--port',
  String(port),
]);

function nodeServer(name: string, args: (dist: string, port: number) => readonly string[]): ConformanceServer {
  const start: ConformanceServer['start'] = ({ dist }) =>
    startProcess(name, ({ port }) => ({ program: process.execPath, args: args(dist, port) }));
  return { name, start };
}
