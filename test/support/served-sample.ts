// The sample, indexed, built and served by the local server, for a test file.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runBuild } from '#press/run-build.ts';
import { startServer } from '#serve/server.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { openIndex } from '#store/index-database.ts';
import { buildOptions } from './build-options.ts';
import { indexSample } from './sample.ts';

export interface ServedSample {
  readonly server: Server;
  /** Such as `http://127.0.0.1:20123`. */
  readonly base: string;
  /** What went wrong in the server. */
  readonly errors: readonly unknown[];
}

/** Into `<folder>/index.sqlite` and `<folder>/dist`; the caller closes the server. */
export async function serveSample(folder: string): Promise<ServedSample> {
  const [db, dist] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
  await indexSample(db);
  const store = await openIndex(db);
  await runBuild(store, buildOptions(dist));
  await store.destroy();
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const server = await startServer({ folder: dist, rules: SITE_RULES, host: '127.0.0.1', port: 0, onError });
  return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, errors };
}
