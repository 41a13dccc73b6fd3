// Sends the exact bytes of hostile and malformed requests to the local server. The conformance suite has further
// requests.
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestRaw } from '../support/raw-http.ts';
import { serveFolder } from '../support/served-sample.ts';
import { tokenPath, writeSmallSite } from '../support/small-site.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

const folder = tempFolderForFile();
const SECRET = 'not for the world';
const TOKEN = `/${tokenPath('token')}`;
const ANSWER = JSON.stringify({ name: 'Token', description: 'x'.repeat(3_000) });
let errors: readonly unknown[];
let server: Server;
let port: number;

beforeAll(async () => {
  const dist = join(folder, 'dist');
  writeSmallSite(dist, {
    [TOKEN]: ANSWER,
    [`variants/locale/de${TOKEN}`]: '{"name":"Zeichen"}',
    'images/a.png': 'x'.repeat(5_000),
    '.stxpress/record.sqlite': SECRET,
    'metadata/v1/ft/.env': SECRET,
  });
  writeFileSync(join(folder, 'index.sqlite'), SECRET);
  mkdirSync(join(dist, 'metadata/v1/ft', 'SP000000000000000000002Q6VF78.folder'));
  ({ server, port, errors } = await serveFolder(dist));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

interface Sent {
  readonly method?: string;
  readonly headers?: readonly string[];
  readonly version?: string;
  readonly host?: string;
  readonly body?: string;
}

/** Returns the bytes of a request that closes its connection. */
function ask(target: string, { method = 'GET', headers = [], version = '1.1', host = 'a', body = '' }: Sent = {}) {
  const lines = [`${method} ${target} HTTP/${version}`, ...(host === '' ? [] : [`Host: ${host}`]), ...headers];
  return `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`;
}

/** Returns the bytes of a request that keeps its connection open. */
function keep(target: string, sent: Sent = {}): string {
  return ask(target, sent).replace('\r\nConnection: close', '');
}

const lengths = (length: number | string) => [`Content-Length: ${length}`];
const CHUNKED = 'Transfer-Encoding: chunked';

const REQUESTS: readonly (readonly [name: string, bytes: string, statuses: readonly number[]])[] = [
  // Paths that could lead out of the folder of the site.
  ['dots behind images', ask('/images/../../index.sqlite'), [404]],
  ['many dots', ask(`/${'../'.repeat(500)}etc/passwd`), [404]],
  ['encoded dots and slash', ask('/%2e%2e%2findex.sqlite'), [404]],
  ['an encoded slash', ask('/images/..%2f..%2findex.sqlite'), [404]],
  ['an encoded slash in a name', ask('/metadata/v1/ft/..%2F..%2Findex.sqlite'), [400]],
  ['dots encoded twice', ask('/%252e%252e/index.sqlite'), [404]],
  ['an encoded backslash', ask('/..%5cindex.sqlite'), [404]],
  ['backslashes', ask('/..\\..\\index.sqlite'), [404]],
  ['overlong dots', ask('/%c0%ae%c0%ae/index.sqlite'), [400]],
  ['an overlong NUL', ask('/images/a.png%c0%80'), [400]],
  ['full-width dots', ask('/%ef%bc%8e%ef%bc%8e/index.sqlite'), [404]],
  ['IIS Unicode', ask('/%u002e%u002e/index.sqlite'), [400]],
  ['dots with a parameter', ask('/..;/index.sqlite'), [404]],
  ['an absolute path', ask('//etc/passwd'), [404]],
  ['a drive', ask('/c:/windows/win.ini'), [404]],
  ['a file URL', ask('file:///etc/passwd'), [400]],
  ['a locale with NUL', ask(`${TOKEN}?locale=de%00`), [422]],

  // Paths of files in the folder that are not responses.
  ['bookkeeping, encoded', ask('/%2estxpress/record.sqlite'), [404]],
  ['a dotfile among tokens', ask('/metadata/v1/ft/.env'), [400]],
  ['a folder with the name of a token', ask(`${TOKEN.replace('.token', '.folder')}`), [404]],
  ['the folder itself', ask('/metadata/v1/ft/'), [404]],
  ['a stream of NTFS', ask(`${TOKEN}::$DATA`), [400]],
  ['a dot at the end', ask(`${TOKEN}.`), [400]],
  ['a space at the end', ask(`${TOKEN}%20`), [400]],

  // Malformed request targets.
  ['a raw NUL', ask('/metadata/\0'), [400]],
  ['no escape', ask('/%zz'), [400]],
  ['bytes that are not UTF-8', ask('/%ff%fe'), [400]],
  ['raw bytes that are not ASCII', ask('/\xff\xfe'), [400]],
  ['a line break, encoded', ask('/x%0d%0aSet-Cookie:%20a=b'), [404]],
  ['a path of 8 KB', ask(`/${'x/'.repeat(4_000)}`), [404]],
  ['a name of 8 KB', ask(`/metadata/v1/ft/${'x'.repeat(8_000)}`), [400]],
  ['an image with a name of 8 KB', ask(`/images/${'x'.repeat(8_000)}.png`), [404]],
  ['a fragment', ask(`${TOKEN}#x`), [200]],
  ['no slash', ask('metadata'), [400]],
  ['no target', 'GET  HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  ['a star', ask('*'), [400]],
  ['a star for OPTIONS', ask('*', { method: 'OPTIONS' }), [204]],
  ['an absolute URL', ask(`http://a${TOKEN}`), [200]],
  ['an absolute URL of another host', ask(`https://elsewhere.example${TOKEN}?locale=de`), [200]],
  ['an absolute URL without a path', ask('http://a'), [404]],
  ['an absolute URL with dots', ask('http://a/../.stxpress/record.sqlite'), [404]],
  ['an absolute URL without a host', ask('http://'), [400]],
  ['an absolute URL with a broken port', ask(`http://a:x${TOKEN}`), [400]],
  ['another scheme', ask(`ftp://a${TOKEN}`), [400]],
  ['a script', ask('javascript:alert(1)'), [400]],
  ['a tunnel', ask('index.sqlite:443', { method: 'CONNECT' }), []],
  ['an upgrade', ask(TOKEN, { headers: ['Upgrade: websocket', 'Connection: Upgrade'] }), [200]],
  ['HTTP/2 without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],

  // Methods other than GET and HEAD.
  ['TRACE', ask(TOKEN, { method: 'TRACE' }), [405]],
  ['PROPFIND', ask(TOKEN, { method: 'PROPFIND' }), [405]],
  ['an unknown method', ask(TOKEN, { method: 'STEAL' }), [400]],
  ['a method in lower case', ask(TOKEN, { method: 'get' }), [400]],
  ['a method to be overridden', ask(TOKEN, { headers: ['X-HTTP-Method-Override: DELETE'] }), [200]],

  // Unusual headers.
  ['no Host', ask(TOKEN, { host: '' }), [400]],
  ['no Host in HTTP/1.0', ask(TOKEN, { host: '', version: '1.0' }), [200]],
  ['two Hosts', ask(TOKEN, { headers: ['Host: b'] }), [400]],
  ['two equal Hosts', ask(TOKEN, { headers: ['HOST: a'] }), [400]],
  ['an unknown version', ask(TOKEN, { version: '9.9' }), [400]],
  ['no version', `GET ${TOKEN}\r\n\r\n`, [400]],
  ['headers of 20 KB', ask(TOKEN, { headers: [`X: ${'x'.repeat(20_000)}`] }), [431]],
  ['3,000 headers', ask(TOKEN, { headers: Array.from({ length: 3_000 }, (_, index) => `X${index}: 1`) }), [431]],
  ['a target of 20 KB', ask(`/${'x'.repeat(20_000)}`), [431]],
  ['a header without a name', ask(TOKEN, { headers: [': x'] }), [400]],
  ['a header with a space before its colon', ask(TOKEN, { headers: ['X : x'] }), [400]],
  ['a header with NUL', ask(TOKEN, { headers: ['X: \0'] }), [400]],
  ['a folded header', ask(TOKEN, { headers: ['X: a', ' b'] }), [400]],
  ['a bare line feed', `GET ${TOKEN} HTTP/1.1\nHost: a\n\n`, [400]],
  ['headers that end early', `GET ${TOKEN} HTTP/1.1\r\nHost: a\r\n`, [400]],
  ['an unknown expectation', ask(TOKEN, { headers: ['Expect: money'] }), [417]],
  ['5,000 encodings', ask(TOKEN, { headers: [`Accept-Encoding: ${'a,'.repeat(5_000)}`] }), [200]],
  ['4,000 tags', ask(TOKEN, { headers: [`If-None-Match: ${'"",'.repeat(4_000)}`] }), [200]],

  // Ranges. A list of ranges or a malformed range gets the entire response.
  ['a thousand ranges', ask(TOKEN, { headers: [`Range: bytes=${'0-1,'.repeat(1_000)}2-3`] }), [200]],
  ['a range of an image', ask('/images/a.png', { headers: ['Range: bytes=-1'] }), [206]],
  ['a range of digits', ask(TOKEN, { headers: [`Range: bytes=${'9'.repeat(9_000)}-`] }), [416]],
  ['a malformed range', ask(TOKEN, { headers: ['Range: bytes=3-0, -, x'] }), [200]],

  // Requests with a body, and requests whose end two servers may interpret differently.
  ['a body', ask(TOKEN, { headers: lengths(4), body: 'body' }), [200]],
  [
    'a body that is a request',
    keep(TOKEN, { headers: lengths(ask('/').length), body: ask('/') }) + ask(TOKEN),
    [200, 200],
  ],
  ['a body in chunks', ask(TOKEN, { headers: [CHUNKED], body: '4\r\nbody\r\n0\r\n\r\n' }), [200]],
  ['a length and chunks', ask(TOKEN, { headers: [CHUNKED, ...lengths(4)], body: '0\r\n\r\n' }), [400]],
  ['chunks and a length', ask(TOKEN, { headers: [...lengths(4), CHUNKED], body: '0\r\n\r\n' }), [400]],
  ['two lengths', ask(TOKEN, { headers: [...lengths(0), ...lengths(4)], body: 'body' }), [400]],
  ['two lengths in one', ask(TOKEN, { headers: lengths('0, 4'), body: 'body' }), [400]],
  ['a negative length', ask(TOKEN, { headers: lengths(-1) }), [400]],
  ['a length with a sign', ask(TOKEN, { headers: lengths('+4'), body: 'body' }), [400]],
  ['a length in hexadecimal', ask(TOKEN, { headers: lengths('0x4'), body: 'body' }), [400]],
  ['a length beyond all numbers', ask(TOKEN, { headers: lengths('9'.repeat(30)) }), [400]],
  ['chunks that are not last', ask(TOKEN, { headers: ['Transfer-Encoding: chunked, identity'] }), [400]],
  ['chunks twice', ask(TOKEN, { headers: [CHUNKED, CHUNKED], body: '0\r\n\r\n' }), [400]],
  ['chunks under another name', ask(TOKEN, { headers: ['Transfer-Encoding: xchunked'], body: '0\r\n\r\n' }), [400]],
  ['a broken chunk', ask(TOKEN, { headers: [CHUNKED], body: 'zz\r\n' }), [400]],
  ['a chunk beyond all numbers', ask(TOKEN, { headers: [CHUNKED], body: `${'f'.repeat(20)}\r\n` }), [400]],
  ['a request after the last', ask(TOKEN) + ask('/'), [400]],
  ['requests in a row', keep(TOKEN) + keep('/x') + keep(TOKEN, { method: 'POST' }) + ask(TOKEN), [200, 404, 405, 200]],
  ['thirty in a row', keep(TOKEN).repeat(29) + ask(TOKEN), Array(30).fill(200)],
  ['nonsense after a request', `${keep(TOKEN)}\0\0\0\0`, [400]],
  ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', [400]],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00', [400]],
  ['nothing', '', []],
];

test.each(REQUESTS)('%s', async (_, bytes, statuses) => {
  const responses = await requestRaw(port, bytes);
  expect(responses.map(({ status }) => status)).toEqual(statuses);
  for (const { status, body, headers } of responses) {
    expect(body.toString()).not.toContain(SECRET);
    expect(headers).not.toHaveProperty('set-cookie');
    if (status === 200 && headers['content-type'] === 'application/json') JSON.parse(body.toString());
  }
});

test('handles all requests at once, and continues', async () => {
  const all = await Promise.all(REQUESTS.map(([, bytes]) => requestRaw(port, bytes)));
  expect(all.map((responses) => responses.map(({ status }) => status))).toEqual(
    REQUESTS.map(([, , statuses]) => statuses),
  );
  expect(errors).toEqual([]);
});
