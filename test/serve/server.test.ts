import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { differences } from '../conformance/check-response.ts';
import type { Expected } from '../conformance/expected.ts';
import { CASES } from '../conformance/requests.ts';
import { bodyText, send } from '../conformance/send.ts';
import { buildSite, indexSite, PATHS } from '../conformance/site.ts';
import { serveFolder } from '../support/served-sample.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

const folder = tempFolderForFile();
let dist: string;
let errors: readonly unknown[];
let server: Server;
let base: string;

beforeAll(async () => {
  await indexSite(folder);
  ({ dist } = await buildSite(folder));
  ({ server, base, errors } = await serveFolder(dist));
});
afterAll(() => {
  server.close();
});

const { FT, PRESS } = PATHS;
const PART = `${FT}?limit=3&offset=1`;

test('default', async () => {
  const { headers } = await fetch(base + PRESS);
  expect(headers.get('etag')).toMatch(/^"[0-9a-f]{40}-gzip"$/);
  expect([headers.get('vary'), headers.has('content-disposition')]).toEqual(['Accept-Encoding', false]);
});

const range = (status: number, contentRange: RegExp) => ({ status, headers: { 'content-range': contentRange } });
/** Requests for ranges. The local server supports ranges, but few hosts do. */
const RANGES: Readonly<Record<string, Expected>> = {
  'a range': range(206, /^bytes 0-3\/\d+$/),
  'a range beyond the end': range(416, /^bytes \*\/\d+$/),
};

// The requests of the conformance suite, which each host must pass.
test.each(CASES.map((testCase) => [testCase.name, testCase] as const))(
  '%s',
  async (name, { request, expect: expected }) => {
    expect(differences(await send(base, request), RANGES[name] ?? expected, dist)).toEqual([]);
  },
);

test.each(['identity', 'gzip', 'br'])('HEAD has the headers of GET and no body: %s', async (encoding) => {
  const headers = { 'Accept-Encoding': encoding };
  const [get, head] = await Promise.all([
    fetch(base + PRESS, { headers }),
    fetch(base + PRESS, { method: 'HEAD', headers }),
  ]);
  expect(head.status).toBe(200);
  expect(await head.text()).toBe('');
  for (const name of ['content-length', 'content-type', 'content-encoding', 'etag'])
    expect(head.headers.get(name)).toBe(get.headers.get(name));
  expect((await fetch(`${base}${FT}/nonsense`, { method: 'HEAD' })).status).toBe(400);
});

test.each<[string | undefined, string | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['GZIP, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=0.9, br;q=0.5', 'gzip'],
  ['gzip;q=0, br;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['br;q=x', undefined],
  ['deflate, compress', undefined],
])('for Accept-Encoding %s, sends a file and a part of a list as %s', async (accepted, encoding) => {
  const headers = accepted === undefined ? {} : { 'Accept-Encoding': accepted };
  const [file, part] = [await send(base, { path: PRESS, headers }), await send(base, { path: PART, headers })];
  expect(file.headers['content-encoding']).toBe(encoding);
  expect(part.headers['content-encoding']).toBe(encoding);
  expect(bodyText(file)).toBe(readFileSync(join(dist, PRESS), 'utf8'));
  expect(JSON.parse(bodyText(part))).toMatchObject({ offset: 1, results: [{}, {}, {}] });
  for (const { headers: sentHeaders, body } of [file, part]) {
    expect(sentHeaders['content-length']).toBe(String(body.length));
    expect(sentHeaders.etag).toMatch(encoding === undefined ? /^"[0-9a-f]{40}"$/ : `-${encoding}"`);
  }
});

test('does not compress images and small responses', async () => {
  mkdirSync(join(dist, 'images'), { recursive: true });
  writeFileSync(join(dist, 'images/large.png'), 'x'.repeat(10_000));
  for (const path of ['/images/large.png', '/extended/v1/contract/nonsense']) {
    const { headers } = await send(base, { path, headers: { 'Accept-Encoding': 'gzip, br' } });
    expect([path, headers['content-encoding'], headers.vary]).toEqual([path, undefined, 'Accept-Encoding']);
  }
});

const LARGE = '/docs/swagger-ui-bundle.js';

/** Requests a file of 1.4 MB until the server has its ETag, which it has two seconds after the build. */
async function askForLarge(headers: Record<string, string>, method = 'GET') {
  for (;;) {
    const response = await send(base, { path: LARGE, headers, method });
    if (response.headers.etag !== undefined) return response;
    await delay(100);
  }
}

test.each(['gzip', 'br'])('compresses a large file while it is sent: %s', async (encoding) => {
  const plain = await askForLarge({});
  const { headers, body, ...response } = await askForLarge({ 'Accept-Encoding': encoding });
  expect([response.status, headers['content-encoding'], headers['content-length']]).toEqual([200, encoding, undefined]);
  expect(body.length).toBeLessThan(plain.body.length / 2);
  expect(bodyText({ ...response, headers, body })).toBe(bodyText(plain));
  const { etag = '' } = headers;
  expect(etag).toBe(plain.headers.etag?.replace(/"$/, `-${encoding}"`));
  const head = await askForLarge({ 'Accept-Encoding': encoding }, 'HEAD');
  expect([head.headers['content-encoding'], head.headers.etag, head.body.length]).toEqual([encoding, etag, 0]);
  expect((await askForLarge({ 'Accept-Encoding': encoding, 'If-None-Match': etag })).status).toBe(304);
  const range = await askForLarge({ 'Accept-Encoding': encoding, Range: 'bytes=0-3' });
  expect([range.status, range.headers['content-encoding'], bodyText(range)]).toEqual([
    206,
    undefined,
    bodyText(plain).slice(0, 4),
  ]);
});

test('compresses large files after clients have closed their connections', async () => {
  const headers = { 'Accept-Encoding': 'br' };
  await askForLarge(headers);
  for (let client = 0; client < 40; client++) {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.write(`GET ${LARGE} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n`);
    await once(socket, 'readable');
    socket.destroy();
  }
  while ((await askForLarge(headers)).headers['content-encoding'] === undefined) await delay(50);
});

test.each(['identity', 'gzip', 'br'])('returns 304 to a client that has the response: %s', async (encoding) => {
  const ask = async (path: string, tag: string, accepted = encoding) =>
    send(base, { path, headers: { 'Accept-Encoding': accepted, 'If-None-Match': tag } });
  for (const path of [PRESS, PART]) {
    const tag = (await ask(path, '')).headers.etag ?? '';
    for (const asked of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, headers, body } = await ask(path, asked);
      expect([asked, status, body.length, headers.etag]).toEqual([asked, 304, 0, tag]);
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'access-control-allow-origin': '*' });
      expect(Object.keys(headers)).not.toContain('content-encoding');
      expect(Object.keys(headers)).not.toContain('content-length');
    }
    expect((await ask(path, '"other"')).status).toBe(200);
    // With another encoding, the response has another ETag, so it is sent again.
    expect((await ask(path, tag, encoding === 'br' ? 'gzip' : 'br')).status).toBe(200);
  }
});

test('reports no errors, and leaves no files in the build', () => {
  expect(errors).toEqual([]);
  expect(readdirSync(join(dist, '.stxpress'))).toContain('record.sqlite');
});

test('continues after a connection that cannot be accepted', async () => {
  // Node emits this error if the process cannot open another connection.
  server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
  expect((await fetch(base + PRESS)).status).toBe(200);
});
