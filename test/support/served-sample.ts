// The sample, indexed, built and served by the local server, for a test file.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startServer } from '#serve/server.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { buildSample, indexSample } from './sample.ts';

export interface ServedSample {
  readonly server: Server;
  /** Such as `http://127.0.0.1:20123`. */
  readonly base: string;
  /** What went wrong in the server. */
  readonly errors: readonly unknown[];
}

/** Into `<folder>/index.sqlite` and `<folder>/dist`; the caller closes the server. */
export async function serveSample(folder: string): Promise<ServedSample> {
  const dist = join(folder, 'dist');
  await indexSample(join(folder, 'index.sqlite'));
  await buildSample(dist);
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const server = await startServer({ folder: dist, rules: SITE_RULES, host: '127.0.0.1', port: 0, onError });
  return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, errors };
}
