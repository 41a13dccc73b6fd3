import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenList } from '#routes/token-list.ts';
import { startServer } from '#serve/server.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { bodyText, send } from '../conformance/send.ts';
import { runCli, untilPrinted } from '../support/run-cli.ts';
import { COLLECTOR, PRESSER } from '../support/sample.ts';
import { serveSample } from '../support/served-sample.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

const folder = tempFolderForFile();
const dist = join(folder, 'dist');
let errors: readonly unknown[];
let server: Server;
let base: string;

beforeAll(async () => {
  ({ server, base, errors } = await serveSample(folder));
});
afterAll(() => {
  server.close();
});

const FT = '/metadata/v1/ft';
const CONTRACT = '/extended/v1/contract';
const INTERFACE = '/v2/contracts/interface';
const PRESS = `${FT}/${PRESSER}.press-token`;
const PART = `${FT}?limit=3&offset=1`;
const UNCONFIRMED = `${INTERFACE}/${COLLECTOR}/unconfirmed`;
const NO_TOKEN = { error: 'Token not found' };
const NO_LOCALE = { error: 'Locale not found' };
const NO_CONTRACT = { error: 'Not Found', message: 'cannot find contract by ID' };
const NO_INTERFACE = { error: 'No contract interface data found' };
const NOTHING = { error: 'Not Found' };
const badRequest = (message: string) => ({ error: 'Bad Request', message });
const BAD_PRINCIPAL = badRequest('principal must be <contract address>.<contract name>');
const BAD_PAGE = tokenList.badRequest?.body;
const MISSING = 'SP000000000000000000002Q6VF78';

/** The raw path, as a hostile client sends it: fetch would tidy it up. */
const rawStatus = (path: string) =>
  new Promise<[number, string]>((resolve, reject) => {
    const sent = httpRequest(base, { path }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      response.on('end', () => resolve([response.statusCode ?? 0, text]));
    });
    sent.on('error', reject);
    sent.end();
  });

describe('startServer', () => {
  test('default', async () => {
    const response = await fetch(base + PRESS);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(readFileSync(join(dist, PRESS), 'utf8'));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag',
      'cache-control': 'public, max-age=60, must-revalidate',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{40}-gzip"$/),
      vary: 'Accept-Encoding',
    });
    expect(response.headers.has('content-disposition')).toBe(false);
  });

  test.each<[number, string, unknown]>([
    [200, `${PRESS}?locale=`, { metadata: { name: 'Press Token' } }],
    [200, `${PRESS}?locale=en`, { metadata: { name: 'Press Token' } }],
    [200, `${PRESS}?locale=de`, { metadata: { name: 'Press Token (de)' } }],
    [200, `${PRESS}?other=1&locale=pt-BR`, { metadata: { name: 'Press Token (pt-BR)' } }],
    [200, `${PRESS}?locale=de&locale=fr`, { metadata: { name: 'Press Token (de)' } }],
    [200, PRESS.replace('S', '%53'), { name: 'Press Token' }],
    [422, `${PRESS}?locale=fr`, NO_LOCALE],
    [422, `${PRESS}?locale=DE`, NO_LOCALE],
    [422, `${PRESS}?locale=..%2F..%2Fserve.json`, NO_LOCALE],
    [422, `${FT}/${PRESSER}.whole-token?locale=en`, NO_LOCALE],
    [422, `${FT}/${PRESSER}.pending-token`, { error: 'Token metadata fetch in progress' }],
    [422, `${FT}/${PRESSER}.pending-token?locale=de`, { error: 'Token metadata fetch in progress' }],
    [422, `${FT}/${PRESSER}.silent-token`, { error: 'Token error', message: expect.stringContaining('get-name') }],
    [404, `${FT}/${MISSING}.nothing`, NO_TOKEN],
    [404, `${FT}/${MISSING}.nothing?locale=de`, NO_TOKEN],
    [404, `${FT}/${COLLECTOR}.stamp-nft`, NO_TOKEN],
    [404, `${FT}/${PRESSER}.orphan`, NO_TOKEN],
    [404, `${PRESS}/1`, NO_TOKEN],
    [400, `${FT}/nonsense`, BAD_PRINCIPAL],
    [400, `${FT}/${PRESSER}.press_token!`, BAD_PRINCIPAL],
    [400, `${FT}/${MISSING}.1st`, BAD_PRINCIPAL],
    [200, FT, { limit: 20, offset: 0, total: 7, results: [{ name: 'Drifting Token' }, {}, {}, {}, {}, {}, {}] }],
    [200, `${FT}?limit=2&offset=1`, { limit: 2, offset: 1, total: 7, results: [{ name: 'New Label' }, {}] }],
    [200, `${FT}?limit=60&offset=7`, { limit: 60, offset: 7, total: 7, results: [] }],
    [200, `${FT}/index.json`, { offset: 0 }],
    [200, `${FT}/pages/60/0.json`, { limit: 60, offset: 0 }],
    [404, `${FT}/pages/60/120.json`, NOTHING],
    [200, `${FT}?symbol=press`, { limit: 20, offset: 0, total: 1, results: [{ name: 'Press Token' }] }],
    [200, `${FT}?name=TOKEN&order=desc&limit=1`, { total: 6, results: [{ name: 'Wrapped Token' }] }],
    [200, `${FT}?address=${COLLECTOR}`, { total: 1, results: [{ name: 'Wrapped Token' }] }],
    [200, `${FT}?name=press&address=${COLLECTOR}`, { total: 0, results: [] }],
    [200, `${FT}?order_by=name&order=asc&offset=6`, { total: 7, offset: 6, results: [{ name: 'Wrapped Token' }] }],
    [400, `${FT}?order_by=supply`, BAD_PAGE],
    [400, `${FT}?symbol=press&order=up`, BAD_PAGE],
    [400, `${FT}?limit=61`, BAD_PAGE],
    [400, `${FT}?limit=0`, BAD_PAGE],
    [400, `${FT}?offset=-1`, BAD_PAGE],
    [200, '/metadata/v1/', { status: 'ready', chain_tip: { block_height: 7 } }],
    [200, '/metadata/v1', { status: 'ready' }],
    [200, `/metadata/v1/status/${PRESSER}.whole-token`, { document: { failure: { code: 'no-uri' } } }],
    [404, `/metadata/v1/status/${PRESSER}.every-type`, NO_TOKEN],
    [400, '/metadata/v1/status/nonsense', BAD_PRINCIPAL],
    [200, `${CONTRACT}/${PRESSER}.press-token`, { canonical: true, block_height: 2 }],
    [200, `${CONTRACT}/${PRESSER}.orphan`, { canonical: false, block_height: 5 }],
    [200, `${CONTRACT}/${COLLECTOR}.unconfirmed`, { canonical: true, block_height: 8 }],
    [404, `${CONTRACT}/${MISSING}.nothing`, NO_CONTRACT],
    [400, `${CONTRACT}/${PRESSER}`, badRequest('contract_id must be <contract address>.<contract name>')],
    [200, `${INTERFACE}/${PRESSER}/every-type`, { epoch: 'Epoch2_05' }],
    [200, `${INTERFACE}/${PRESSER}/every-type?tip=latest`, { epoch: 'Epoch2_05' }],
    [200, `${INTERFACE}/${PRESSER}/every-type?tip=0xff`, { epoch: 'Epoch2_05' }],
    [404, `${INTERFACE}/${PRESSER}/orphan`, NO_INTERFACE],
    [404, UNCONFIRMED, NO_INTERFACE],
    [404, `${UNCONFIRMED}?tip=0xff`, NO_INTERFACE],
    [200, `${UNCONFIRMED}?tip=latest`, { clarity_version: 'Clarity2' }],
    [404, `${INTERFACE}/${MISSING}/nothing?tip=latest`, NO_INTERFACE],
    [400, `${INTERFACE}/0x00/nothing`, badRequest('the path must end in <contract address>/<contract name>')],
    [200, `/variants/locale/de${PRESS}`, { metadata: { name: 'Press Token (de)' } }],
    [404, `/variants/locale/fr${PRESS}`, NOTHING],
    [404, `/errors/422${FT}/${PRESSER}.pending-token`, NOTHING],
    [404, '/errors/404.json', NOTHING],
    [404, '/serve.json', NOTHING],
    [200, '/metadata', { status: 'ready' }],
    [404, '/extended', NOTHING],
    [404, '/favicon.ico', NOTHING],
  ])('behavior: %i %s', async (status, path, body) => {
    const response = await fetch(base + path);
    expect([response.status, await response.json()]).toEqual([
      status,
      status === 200 ? expect.objectContaining({}) : body,
    ]);
    if (status === 200) expect(await (await fetch(base + path)).json()).toMatchObject(body as object);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'cache-control':
        status !== 200
          ? 'no-store'
          : /^\/(?:extended|v2)\//.test(path)
            ? 'public, max-age=3600, stale-while-revalidate=86400'
            : 'public, max-age=60, must-revalidate',
    });
  });

  test.each([
    [404, '/.stxpress/record.sqlite'],
    [404, '/x/../.stxpress/record.sqlite'],
    [404, '/%2e%2e/index.sqlite'],
    [404, '/variants/..%2f..%2findex.sqlite'],
    [400, '/metadata/v1/ft/%2e%2e%2f%2e%2e%2fserve.json'],
    [400, '/metadata/v1/ft/%252e%252e'],
    [404, `${PRESS}/`],
    [404, `/${PRESS}`],
    [404, `${PRESS.replace('/v1', '//v1')}`],
    [400, '/%E0%A4%A'],
    [400, '/metadata/v1/ft/%00'],
  ])('behavior: %i for the raw path %s', async (status, path) => {
    const [given, text] = await rawStatus(path);
    expect(given).toBe(status);
    expect(JSON.parse(text)).toHaveProperty('error');
  });

  test('behavior: a query or path of 10 KB', async () => {
    const long = 'x'.repeat(10_000);
    expect((await fetch(`${base}${PRESS}?other=${long}`)).status).toBe(200);
    expect((await fetch(`${base}${PRESS}?locale=${long}`)).status).toBe(422);
    expect((await fetch(`${base}/${'x/'.repeat(4_000)}`)).status).toBe(404);
    expect((await fetch(`${base}/${long}`)).status).toBe(404);
  });

  test('behavior: names that are types are answers like any other', async () => {
    for (const name of ['html', 'js', 'gz', 'fr', 'index', 'json']) {
      writeFileSync(join(dist, `${CONTRACT}/${MISSING}.${name}`), '{"contract":"typed"}');
      const response = await fetch(`${base}${CONTRACT}/${MISSING}.${name}`, { redirect: 'manual' });
      expect([name, response.status, response.headers.get('content-type')]).toEqual([name, 200, 'application/json']);
    }
  });

  test('behavior: images have their types, are kept for ever, and run nothing', async () => {
    mkdirSync(join(dist, 'images'), { recursive: true });
    for (const [name, type] of [
      ['a.png', 'image/png'],
      ['a.thumb.webp', 'image/webp'],
      ['a.jpg', 'image/jpeg'],
    ]) {
      writeFileSync(join(dist, `images/${name}`), 'bytes');
      const response = await fetch(`${base}/images/${name}`);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'access-control-allow-origin': '*',
      });
    }
  });

  test.each(['identity', 'gzip', 'br'])('behavior: HEAD has the headers of GET and no body: %s', async (encoding) => {
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
  ])('behavior: for the Accept-Encoding %s, a file and a part of a list come as %s', async (accepted, encoding) => {
    const headers = accepted === undefined ? {} : { 'Accept-Encoding': accepted };
    const [file, part] = [await send(base, { path: PRESS, headers }), await send(base, { path: PART, headers })];
    expect(file.headers['content-encoding']).toBe(encoding);
    expect(part.headers['content-encoding']).toBe(encoding);
    expect(bodyText(file)).toBe(readFileSync(join(dist, PRESS), 'utf8'));
    expect(JSON.parse(bodyText(part))).toMatchObject({ offset: 1, results: [{}, {}, {}] });
    for (const { headers: answered, body } of [file, part]) {
      expect(answered['content-length']).toBe(String(body.length));
      expect(answered.etag).toMatch(encoding === undefined ? /^"[0-9a-f]{40}"$/ : `-${encoding}"`);
    }
  });

  test('behavior: images and answers of a few bytes are not compressed', async () => {
    mkdirSync(join(dist, 'images'), { recursive: true });
    writeFileSync(join(dist, 'images/large.png'), 'x'.repeat(10_000));
    for (const path of ['/images/large.png', `${CONTRACT}/nonsense`]) {
      const { headers } = await send(base, { path, headers: { 'Accept-Encoding': 'gzip, br' } });
      expect([path, headers['content-encoding'], headers.vary]).toEqual([path, undefined, 'Accept-Encoding']);
    }
  });

  test.each(['identity', 'gzip', 'br'])('behavior: a client that has the answer gets 304: %s', async (encoding) => {
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
      // What another client has in another form is not what this one would get.
      expect((await ask(path, tag, encoding === 'br' ? 'gzip' : 'br')).status).toBe(200);
    }
  });

  test('behavior: every answer is whole while builds replace, add and remove files', async () => {
    const paths = ['/openapi.json', '/', PART, FT, `${FT}/index.json`, PRESS];
    let isBuilding = true;
    let answers = 0;
    const client = async (encoding: string) => {
      while (isBuilding) {
        for (const path of paths) {
          const answered = await send(base, { path, headers: { 'Accept-Encoding': encoding } });
          const { status, headers, body } = answered;
          expect([path, status, headers['content-length']]).toEqual([path, 200, String(body.length)]);
          const own = headers['content-encoding'] === undefined ? '' : `-${headers['content-encoding']}`;
          expect(headers.etag).toBe(`"${createHash('sha1').update(bodyText(answered)).digest('hex')}${own}"`);
          answers++;
        }
      }
    };
    const clients = Promise.all(['identity', 'gzip', 'br'].map(client));
    const build = ['build', '--db', 'index.sqlite'];
    for (const flags of [['--public-url', 'https://a.example'], ['--only', 'tokens'], []])
      expect(await runCli([...build, ...flags], { cwd: folder })).toMatchObject({ status: 0 });
    isBuilding = false;
    await clients;
    expect(answers).toBeGreaterThan(paths.length * 3);
  });

  test('behavior: other methods are 405, and a preflight is answered', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await fetch(base + PRESS, { method });
      expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([
        405,
        'GET, HEAD, OPTIONS',
        { error: 'Method Not Allowed' },
      ]);
    }
    const preflight = await fetch(base + PRESS, {
      method: 'OPTIONS',
      headers: { Origin: 'https://wallet.example', 'Access-Control-Request-Method': 'GET' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  });

  test('behavior: nothing went wrong in the server, and nothing was left in the build', () => {
    expect(errors).toEqual([]);
    expect(readdirSync(join(dist, '.stxpress'))).toContain('record.sqlite');
  });

  test('behavior: plain serve has every answer of status 200 with its type', async () => {
    const cli = fileURLToPath(new URL('../../node_modules/serve/build/main.js', import.meta.url));
    const plain = spawn(process.execPath, [cli, '--no-clipboard', '--listen', 'tcp://127.0.0.1:0', dist], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const listening = /http:\/\/127\.0\.0\.1:\d+/;
    const address = listening.exec(await untilPrinted(plain.stdout, listening))?.[0];
    for (const path of [
      PRESS,
      `${CONTRACT}/${PRESSER}.orphan`,
      `${INTERFACE}/${PRESSER}/every-type`,
      `/variants/locale/de${PRESS}`,
      `${FT}/index.json`,
    ]) {
      const response = await fetch(address + path, { redirect: 'manual' });
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'application/json']);
      expect(await response.text()).toBe(readFileSync(join(dist, path), 'utf8'));
    }
    plain.kill();
  });

  test('error: port-in-use', async () => {
    const { port } = server.address() as AddressInfo;
    await expect(
      startServer({ folder: dist, rules: SITE_RULES, host: '127.0.0.1', port, onError() {} }),
    ).rejects.toMatchObject({
      failure: { code: 'port-in-use', message: expect.stringContaining(String(port)) },
    });
  });
});
