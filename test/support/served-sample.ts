// Serves a folder, or the built sample, by the local server.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { startServer } from '#serve/server.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { buildSample } from './sample.ts';
import { tempFolderForFile } from './temp-folder.ts';

export interface Served {
  readonly server: Server;
  readonly port: number;
  /** Such as `http://127.0.0.1:20123`. */
  readonly base: string;
  /** What went wrong in the server. */
  readonly errors: readonly unknown[];
}

/** Serves a build of the sample, which it puts into the folder; the caller closes the server. */
export async function serveSample(folder: string): Promise<Served> {
  const dist = join(folder, 'dist');
  await buildSample(dist);
  return serveFolder(dist);
}

/** Serves it for all tests of the file; to be called outside a test. */
export async function servedSample(): Promise<Served> {
  const served = await serveSample(tempFolderForFile());
  afterAll(() => void served.server.close());
  return served;
}

/** The caller closes the server. */
export async function serveFolder(folder: string): Promise<Served> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const server = await startServer({ folder, rules: SITE_RULES, host: '127.0.0.1', port: 0, onError });
  const { port } = server.address() as AddressInfo;
  return { server, port, base: `http://127.0.0.1:${port}`, errors };
}
