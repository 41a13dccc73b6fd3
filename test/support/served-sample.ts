// Serves a folder, or a build of the sample, with the server of `stxpress serve`.
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { startServer } from '#serve/server.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { buildSample, expectedSample } from './sample.ts';
import { tempFolderForFile } from './temp-folder.ts';

/** Builds the sample into the folder, and serves it. The caller must close the server. */
export async function serveSample(folder: string) {
  const dist = join(folder, 'dist');
  await buildSample(dist);
  return serveFolder(dist);
}

/**
 * Serves the sample for all tests of a file. Afterwards checks that the server reported no errors. Call it outside a
 * test.
 */
export async function servedSample() {
  const served = await serveSample(tempFolderForFile());
  /** The requests that the server received, oldest first. */
  const requests: { method: string; url: string; headers: IncomingHttpHeaders }[] = [];
  // This listener runs first, because the server's listener replaces the URL by the path of the file.
  served.server.prependListener('request', ({ method = '', url = '', headers }) => {
    requests.push({ method, url, headers: { ...headers } });
  });
  afterAll(() => {
    served.server.close();
    expect(served.errors).toEqual([]);
  });
  const expected = expectedSample();
  return {
    base: served.base,
    requests,
    /** Returns the expected response at a path. */
    body: <Body = unknown>(path: string): Body => JSON.parse(expected.get(path) ?? 'null'),
    /** Returns the names of the expected responses below a path, except files of lists. */
    namesBelow: (path: string): string[] =>
      [...expected.keys()]
        .filter((key) => key.startsWith(path) && !key.endsWith('.json'))
        .map((key) => key.slice(path.length)),
  };
}

/** Serves a folder. The caller must close the server. The server adds its errors to `errors`. */
export async function serveFolder(folder: string) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const server = await startServer({ folder, rules: SITE_RULES, host: '127.0.0.1', port: 0, onError });
  const { port } = server.address() as AddressInfo;
  return { server, port, base: `http://127.0.0.1:${port}`, errors };
}
