// The table against every server that runs here; each also says why it cannot start, and leaves nothing behind.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findHost, HOSTS } from '#hosts/all.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';
import { differences } from './check-response.ts';
import { DEVIATIONS, expectedOf } from './deviations.ts';
import { ORIGIN } from './expected.ts';
import { CASES } from './requests.ts';
import { type Answered, send } from './send.ts';
import { SERVERS } from './servers/all.ts';
import type { BuiltSite, RunningHost } from './servers/running-host.ts';
import { buildSite, indexSite, PATHS } from './site.ts';

const { PRESS } = PATHS;

/** It cannot be run here: what is said of it is as GitHub documents it. */
const NOT_RUN = ['github-pages'];

const folder = tempFolderForFile();
let site: BuiltSite;
/** The servers of this file have their own folders here: other files run beside it. */
const temporary = join(folder, 'tmp');
beforeAll(async () => {
  // Apache runs as another user.
  chmodSync(folder, 0o755);
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;
  await indexSite(folder);
  site = await buildSite(folder);
});

const leftovers = () => readdirSync(temporary).filter((entry) => entry.startsWith('stxpress-'));

test('every host is run', () => {
  const run = SERVERS.map(({ name }) => name);
  expect(HOSTS.map(({ name }) => name).filter((name) => !run.includes(name))).toEqual(NOT_RUN);
});

describe.each(SERVERS.map((server) => [server.name, server] as const))('%s', (name, server) => {
  const host = findHost(name);
  const otherwise = host?.otherwise ?? {};
  let running: RunningHost;

  beforeAll(async () => {
    running = await server.start(site);
  });
  afterAll(() => running.stop());

  test('deviates where the table of hosts says so, and nowhere else', () => {
    const { byAbility = {}, byCase = {} } = DEVIATIONS[name] ?? {};
    const deviating = Object.keys(byCase).map(
      (of) => CASES.find((one) => one.name === of)?.needs ?? `no request "${of}"`,
    );
    const lacking = Object.keys(otherwise);
    expect([...new Set([...Object.keys(byAbility), ...deviating])].sort()).toEqual(
      lacking.filter((ability) => ability !== 'tags').sort(),
    );
  });

  test.each(CASES.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const answer = await send(running.origin, one.ask);
    expect(differences(answer, expectedOf(name, one), site.dist)).toEqual([]);
    // Without a body two refusals may look the same.
    if (!isDeepStrictEqual(expectedOf(name, one), one.expect) && one.ask.method !== 'HEAD')
      expect(differences(answer, one.expect, site.dist)).not.toEqual([]);
  });

  describe('ETag', () => {
    const ask = (tag: string): Promise<Answered> =>
      send(running.origin, { path: PRESS, headers: { Origin: ORIGIN, 'If-None-Match': tag } });

    test('a client that has the answer gets 304', async () => {
      const tag = (await send(running.origin, { path: PRESS })).headers.etag ?? '';
      expect(tag).toMatch(/^(?:W\/)?"[^"]+"$/);
      const answer = await ask(tag);
      expect([answer.status, answer.body.length]).toEqual([304, 0]);
      if (otherwise.tags === undefined) expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect((await ask('"other"')).status).toBe(200);
    });

    test('a client that has the compressed answer gets 304', async () => {
      const headers = { 'Accept-Encoding': 'gzip' };
      const tag = (await send(running.origin, { path: PRESS, headers })).headers.etag ?? '';
      const again = await send(running.origin, { path: PRESS, headers: { ...headers, 'If-None-Match': tag } });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    });

    test('a list of tags', async () => {
      const tag = (await send(running.origin, { path: PRESS })).headers.etag ?? '';
      const status = otherwise.tags === undefined ? 304 : 200;
      expect((await ask(`"other", ${tag}`)).status).toBe(status);
    });

    test('a variant has a tag of its own', async () => {
      const base = await send(running.origin, { path: PRESS });
      const variant = await send(running.origin, { path: `/variants/locale/de${PRESS}` });
      expect(variant.headers.etag).not.toBe(base.headers.etag);
    });
  });

  test('whoever may read answers may read why a condition is refused', async () => {
    const answer = await send(running.origin, { path: PRESS, headers: { Origin: ORIGIN, 'If-Match': '"other"' } });
    if (answer.status === 200) return;
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([412, '*']);
    expect(answer.headers['cache-control'] ?? 'no-store').toContain('no-store');
  });

  test('stops, and leaves nothing', async () => {
    await running.stop();
    await expect(send(running.origin, { path: '/' })).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
    // A whole number: a browser that runs beside this has clocks in its arguments, and any digits in those.
    const port = new RegExp(`\\b${new URL(running.origin).port}\\b`);
    expect(processes.filter((line) => port.test(line) || line.includes(temporary))).toEqual([]);
    expect(leftovers()).toEqual([]);
  });

  test('error: a site that is not there', async () => {
    const nowhere = { dist: join(folder, 'nowhere'), hosts: join(folder, 'nowhere') };
    // Plain `serve` starts on anything.
    if (name !== 'serve') await expect(server.start(nowhere)).rejects.toThrow();
    else await (await server.start(nowhere)).stop();
    expect(leftovers()).toEqual([]);
  });
});
