// Sends every request of the suite to every server that can run on this machine. Each server must also reject a missing
// site, and stop without leaving files or processes.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findHost, HOSTS } from '#hosts/all.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';
import { differences } from './check-response.ts';
import { DEVIATIONS, expectedResponse } from './deviations.ts';
import { ORIGIN } from './expected.ts';
import { CASES } from './requests.ts';
import { send, type TestResponse } from './send.ts';
import { SERVERS } from './servers/all.ts';
import type { BuiltSite, RunningHost } from './servers/running-host.ts';
import { buildSite, indexSite, PATHS } from './site.ts';

const { PRESS } = PATHS;

/** Hosts that cannot run on this machine. Their abilities come from the documentation of their owners. */
const NOT_RUN = ['netlify', 'vercel', 'github-pages'];

const folder = tempFolderForFile();
let site: BuiltSite;
/**
 * The folder for temporary files of the servers that this file starts. It is separate because other test files run at
 * the same time.
 */
const temporary = join(folder, 'tmp');
beforeAll(async () => {
  // Lets other users enter the folder, because Apache runs as another user.
  chmodSync(folder, 0o755);
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;
  await indexSite(folder);
  site = await buildSite(folder);
});

const leftFolders = () => readdirSync(temporary).filter((entry) => entry.startsWith('stxpress-'));

test('runs every host', () => {
  const run = SERVERS.map(({ name }) => name);
  expect(HOSTS.map(({ name }) => name).filter((name) => !run.includes(name))).toEqual(NOT_RUN);
});

describe.each(SERVERS.map((server) => [server.name, server] as const))('%s', (name, server) => {
  const host = findHost(name);
  const declared = host?.deviations ?? {};
  let running: RunningHost;

  beforeAll(async () => {
    running = await server.start(site);
  });
  afterAll(() => running.stop());

  test('deviates only as the table of hosts declares', () => {
    const { byAbility = {}, byCase = {} } = DEVIATIONS[name] ?? {};
    const deviating = Object.keys(byCase).map(
      (deviation) => CASES.find(({ name }) => name === deviation)?.needs ?? `no request "${deviation}"`,
    );
    const lacking = Object.keys(declared);
    expect([...new Set([...Object.keys(byAbility), ...deviating])].sort()).toEqual(
      lacking.filter((ability) => ability !== 'tags').sort(),
    );
  });

  test.each(CASES)('responds as expected to $name', async (testCase) => {
    const response = await send(running.origin, testCase.request);
    expect(differences(response, expectedResponse(name, testCase), site.dist)).toEqual([]);
    // A host that declares a deviation must not behave like the other hosts. HEAD responses are excluded: without a
    // body, two errors may be equal.
    if (!isDeepStrictEqual(expectedResponse(name, testCase), testCase.expect) && testCase.request.method !== 'HEAD')
      expect(differences(response, testCase.expect, site.dist)).not.toEqual([]);
  });

  describe('ETag', () => {
    const sendWithTag = (tag: string): Promise<TestResponse> =>
      send(running.origin, { path: PRESS, headers: { Origin: ORIGIN, 'If-None-Match': tag } });

    test('sends 304 to a client that has the response', async () => {
      const tag = (await send(running.origin, { path: PRESS })).headers.etag ?? '';
      expect(tag).toMatch(/^(?:W\/)?"[^"]+"$/);
      const response = await sendWithTag(tag);
      expect([response.status, response.body.length]).toEqual([304, 0]);
      if (declared.tags === undefined) expect(response.headers['access-control-allow-origin']).toBe('*');
      expect((await sendWithTag('"other"')).status).toBe(200);
    });

    test('sends 304 to a client that has the compressed response', async () => {
      const headers = { 'Accept-Encoding': 'gzip' };
      const tag = (await send(running.origin, { path: PRESS, headers })).headers.etag ?? '';
      const second = await send(running.origin, { path: PRESS, headers: { ...headers, 'If-None-Match': tag } });
      expect([second.status, second.body.length]).toEqual([304, 0]);
    });

    test('finds its tag in a list', async () => {
      const tag = (await send(running.origin, { path: PRESS })).headers.etag ?? '';
      const status = declared.tags === undefined ? 304 : 200;
      expect((await sendWithTag(`"other", ${tag}`)).status).toBe(status);
    });

    test('gives a variant another tag', async () => {
      const base = await send(running.origin, { path: PRESS });
      const variant = await send(running.origin, { path: `/variants/locale/de${PRESS}` });
      expect(variant.headers.etag).not.toBe(base.headers.etag);
    });
  });

  test('lets other origins read the error of a failed condition', async () => {
    const response = await send(running.origin, { path: PRESS, headers: { Origin: ORIGIN, 'If-Match': '"other"' } });
    if (response.status === 200) return;
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([412, '*']);
    expect(response.headers['cache-control'] ?? 'no-store').toContain('no-store');
  });

  test('stops without leaving files or processes', async () => {
    await running.stop();
    await expect(send(running.origin, { path: '/' })).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
    // Matches only the complete number, since arguments of other processes may contain the same digits.
    const port = new RegExp(`\\b${new URL(running.origin).port}\\b`);
    expect(processes.filter((line) => port.test(line) || line.includes(temporary))).toEqual([]);
    expect(leftFolders()).toEqual([]);
  });

  test('rejects a missing site', async () => {
    const missing = { dist: join(folder, 'missing'), hosts: join(folder, 'missing') };
    // `serve` starts even if the folder is missing.
    if (name !== 'serve') await expect(server.start(missing)).rejects.toThrow();
    else await (await server.start(missing)).stop();
    expect(leftFolders()).toEqual([]);
  });
});
