// Tests byte ranges and ETags of the local server.
import { execFileSync } from 'node:child_process';
import { appendFileSync, utimesSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../conformance/send.ts';
import { serveFolder } from '../support/served-sample.ts';
import { tokenPath, writeSmallSite } from '../support/small-site.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

const dist = join(tempFolderForFile(), 'dist');
const [SMALL, LARGE, TOKEN] = ['dump/small.parquet', 'dump/large.parquet', tokenPath('token')];
const text = (size: number) => Array.from({ length: size / 10 }, (_, index) => String(index).padStart(10)).join('');
/** One file that is read entirely when it is opened, and one that is read in pieces. */
const TEXTS: Readonly<Record<string, string>> = { [SMALL]: text(5_000), [LARGE]: text(3_000_000) };
let server: Server;
let base: string;

beforeAll(async () => {
  writeSmallSite(dist, { ...TEXTS, [TOKEN]: JSON.stringify({ name: 'x'.repeat(3_000) }) });
  ({ server, base } = await serveFolder(dist));
  // A large file has no ETag until its last change is two seconds old.
  await setTimeout(2_100);
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  send(base, { path: `/${path}`, headers, method });

test.each([
  ['bytes=0-0', 0, 1],
  ['bytes=10-19', 10, 20],
  ['Bytes=4990-', 4_990, undefined],
  ['bytes=-7', -7, undefined],
  ['bytes=4999-999999999999999999999', 4_999, undefined],
  ['bytes=-999999999', 0, undefined],
])('%s', async (range, start, end) => {
  for (const [path, whole] of Object.entries(TEXTS)) {
    const { status, headers, body } = await get(path, { Range: range });
    const expected = whole.slice(start, end);
    expect([status, body.toString()]).toEqual([206, expected]);
    const first = whole.length + (start < 0 ? start : start - whole.length);
    expect(headers).toMatchObject({
      'content-range': `bytes ${first}-${first + expected.length - 1}/${whole.length}`,
      'content-length': String(expected.length),
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
    });
  }
});

test.each(['bytes=3000000-', 'bytes=-0'])('returns 416 for %s', async (range) => {
  const { status, headers, body } = await get(LARGE, { Range: range });
  expect([status, JSON.parse(body.toString())]).toEqual([416, { error: 'Range Not Satisfiable' }]);
  expect(headers).toMatchObject({ 'content-range': 'bytes */3000000', 'cache-control': 'no-store' });
  expect(headers.etag).toBe(undefined);
});

test.each(['bytes=1-0', 'bytes=0-1,4-5', 'bytes=-', 'lines=0-1', 'bytes=x-1', ''])('ignores %j', async (range) => {
  const { status, headers, body } = await get(SMALL, { Range: range });
  expect([status, body.length, headers['content-range']]).toEqual([200, 5_000, undefined]);
});

test('HEAD ignores a range', async () => {
  const { status, headers } = await get(LARGE, { Range: 'bytes=0-1' }, 'HEAD');
  expect([status, headers['content-length'], headers['accept-ranges']]).toEqual([200, '3000000', 'bytes']);
});

test('sends a range only of the version that If-Range names', async () => {
  for (const path of [SMALL, LARGE, TOKEN]) {
    const tag = (await get(path)).headers.etag ?? '';
    expect(tag).toMatch(/^"[0-9a-f]{40}"$/);
    const statuses = [tag, `W/${tag}`, '"other"', 'Thu, 26 Nov 2026 06:00:00 GMT'].map(
      async (condition) => (await get(path, { Range: 'bytes=0-1', 'If-Range': condition })).status,
    );
    expect(await Promise.all(statuses)).toEqual([206, 200, 200, 200]);
    expect((await get(path, { Range: 'bytes=0-1', 'If-None-Match': tag })).status).toBe(304);
  }
});

test('returns a range of the uncompressed file', async () => {
  const { status, headers, body } = await get(TOKEN, { Range: 'bytes=0-9', 'Accept-Encoding': 'gzip, br' });
  expect([status, body.toString(), headers['content-encoding']]).toEqual([206, '{"name":"x', undefined]);
});

test('an ETag differs after a change that keeps the size and the time of modification', async () => {
  const path = tokenPath('changed');
  for (const [name, size] of [
    [path, 3_000],
    [path, 300_000],
    ['dump/changed.parquet', 2_000_000],
  ] as const) {
    const [file, time] = [join(dist, name), new Date(1_700_000_000_000)];
    const write = (letter: string) => {
      writeFileSync(file, letter.repeat(size));
      utimesSync(file, time, time);
    };
    const tags: (string | undefined)[] = [];
    for (const letter of 'abc') {
      write(letter);
      // The ETag may be missing: then a client cannot mistake one version for another.
      tags.push((await get(name)).headers.etag);
    }
    await setTimeout(2_100);
    const settled = (await get(name)).headers.etag;
    expect(settled).toMatch(/^"/);
    expect((await get(name)).headers.etag).toBe(settled);
    write('d');
    tags.push((await get(name)).headers.etag, settled);
    const known = tags.filter((tag) => tag !== undefined);
    // The version `c` may be in this list twice. All other ETags belong to different versions.
    expect(new Set(known).size).toBeGreaterThanOrEqual(known.length - 1);
    appendFileSync(file, 'e');
    expect(known).not.toContain((await get(name)).headers.etag);
  }
});

test('the ETag of a large file differs after a change that keeps its size and time', async () => {
  const [name, time] = ['dump/same.parquet', new Date(1_700_000_000_000)];
  const tags: (string | undefined)[] = [];
  for (const letter of 'ab') {
    writeFileSync(join(dist, name), letter.repeat(2_000_000));
    utimesSync(join(dist, name), time, time);
    await setTimeout(2_100);
    tags.push((await get(name)).headers.etag);
  }
  expect(tags).toEqual([expect.stringMatching(/^"/), expect.stringMatching(/^"/)]);
  expect(tags[0]).not.toBe(tags[1]);
});

test.runIf(process.platform !== 'win32')('does not serve a named pipe', async () => {
  execFileSync('mkfifo', [join(dist, 'dump/pipe.parquet')]);
  expect((await get('dump/pipe.parquet')).status).toBe(404);
});
