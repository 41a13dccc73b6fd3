// Serves a folder, or the sample, indexed and built, by the local server, for a test file.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startServer } from '#serve/server.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { buildSample, indexSample } from './sample.ts';

export interface Served {
  readonly server: Server;
  readonly port: number;
  /** Such as `http://127.0.0.1:20123`. */
  readonly base: string;
  /** What went wrong in the server. */
  readonly errors: readonly unknown[];
}

/** Into `<folder>/index.sqlite` and `<folder>/dist`; the caller closes the server. */
export async function serveSample(folder: string): Promise<Served> {
  const dist = join(folder, 'dist');
  await indexSample(join(folder, 'index.sqlite'));
  await buildSample(dist);
  return serveFolder(dist);
}

/** The caller closes the server. */
export async function serveFolder(folder: string): Promise<Served> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const server = await startServer({ folder, rules: SITE_RULES, host: '127.0.0.1', port: 0, onError });
  const { port } = server.address() as AddressInfo;
  return { server, port, base: `http://127.0.0.1:${port}`, errors };
}
