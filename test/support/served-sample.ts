// Serves a folder, or the built sample, by the local server.
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { startServer } from '#serve/server.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { buildSample, expectedSample } from './sample.ts';
import { tempFolderForFile } from './temp-folder.ts';

/** Serves a build of the sample, which it puts into the folder; the caller closes the server. */
export async function serveSample(folder: string) {
  const dist = join(folder, 'dist');
  await buildSample(dist);
  return serveFolder(dist);
}

/** Serves it for all tests of the file, in which nothing may go wrong; to be called outside a test. */
export async function servedSample() {
  const served = await serveSample(tempFolderForFile());
  /** What came in, newest last. */
  const requests: { method: string; url: string; headers: IncomingHttpHeaders }[] = [];
  // Before the server's own listener, which changes the URL to that of the file.
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
    /** The expected body of a path. */
    body: <Body = unknown>(path: string): Body => JSON.parse(expected.get(path) ?? 'null'),
    /** What is expected below a path, without the files of lists. */
    namesBelow: (path: string): string[] =>
      [...expected.keys()]
        .filter((key) => key.startsWith(path) && !key.endsWith('.json'))
        .map((key) => key.slice(path.length)),
  };
}

/** The caller closes the server; `errors`: what went wrong in it. */
export async function serveFolder(folder: string) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const server = await startServer({ folder, rules: SITE_RULES, host: '127.0.0.1', port: 0, onError });
  const { port } = server.address() as AddressInfo;
  return { server, port, base: `http://127.0.0.1:${port}`, errors };
}
