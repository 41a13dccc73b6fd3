// Serves a folder, or the built sample, with the local server.
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { startServer } from '#serve/server.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { buildSample, expectedSample } from './sample.ts';
import { tempFolderForFile } from './temp-folder.ts';

/** Builds the sample into the folder and serves it. The caller closes the server. */
export async function serveSample(folder: string) {
  const dist = join(folder, 'dist');
  await buildSample(dist);
  return serveFolder(dist);
}

/**
 * Serves the sample for all tests of a file, and checks that the server reports no errors. Must be called outside a
 * test.
 */
export async function servedSample() {
  const served = await serveSample(tempFolderForFile());
  /** The received requests, oldest first. */
  const requests: { method: string; url: string; headers: IncomingHttpHeaders }[] = [];
  // Runs before the server's listener, which changes the URL to the path of the file.
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
    /** Returns the expected body of a path. */
    body: <Body = unknown>(path: string): Body => JSON.parse(expected.get(path) ?? 'null'),
    /** Returns the expected names below a path, without files of lists. */
    namesBelow: (path: string): string[] =>
      [...expected.keys()]
        .filter((key) => key.startsWith(path) && !key.endsWith('.json'))
        .map((key) => key.slice(path.length)),
  };
}

/** Serves a folder. The caller closes the server. `errors` contains the errors of the server. */
export async function serveFolder(folder: string) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const server = await startServer({ folder, rules: SITE_RULES, host: '127.0.0.1', port: 0, onError });
  const { port } = server.address() as AddressInfo;
  return { server, port, base: `http://127.0.0.1:${port}`, errors };
}
