// Compares the bodies that this client, fetch and curl (if installed) read from the same odd responses.
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Failure, isFailure } from '#model/failure.ts';
import { createHttpClient } from '#net/http-client.ts';
import { createWebHosts } from '#net/web-hosts.ts';
import { LIMITS } from '../support/http-limits.ts';
import { ODD_CHUNKS } from './odd/odd-chunks.ts';
import { ODD_ENCODINGS } from './odd/odd-encodings.ts';
import { ODD_HEADS } from './odd/odd-heads.ts';
import { ODD_REDIRECTS, TARGET } from './odd/odd-redirects.ts';
import { type OddResponse, raw, TEXT } from './odd/odd-response.ts';

const ODD_RESPONSES: Readonly<Record<string, OddResponse>> = {
  ...ODD_ENCODINGS,
  ...ODD_HEADS,
  ...ODD_CHUNKS,
  ...ODD_REDIRECTS,
};
/** The expected failures for responses that this client rejects, although curl and fetch read them. */
const REFUSED: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    ['gzip', 'zlib', 'raw deflate', 'br', 'zstd'].map((encoding) => [
      `${encoding} that is cut`,
      { code: 'connection-failed', message: expect.stringMatching(/is invalid: its body ended early\.$/) },
    ]),
  ),
  'a length with blanks that is too large': {
    code: 'connection-failed',
    message: expect.stringMatching(/its body (ended early|is longer or shorter than its Content-Length)\.$/),
  },
  'status 304 with a body': { code: 'http-304' },
  'status 600': { code: 'http-600' },
  'status 999': { code: 'http-999' },
  'redirect to nothing': { code: 'redirect-invalid', message: expect.stringContaining('without a location') },
};
/** Responses that fetch rejects. This client must read them as curl does. */
const READ_BY_CURL = [
  'gzip, then identity',
  'identity, then gzip',
  'gzip among empty items',
  'identity and gzip on two lines',
  'gzip as a transfer encoding',
  'a header of 60 KB',
  'headers of 90 KB',
  '3,000 headers',
];
/** Responses that curl and fetch read as different texts. */
const READ_DIFFERENTLY = ['redirect in Latin-1', 'redirect on two lines', 'redirect to two places'];
const MAX_BYTES = 1_000_000;
const MAX_SECONDS = 10;
const HAS_CURL = spawnSync('curl', ['--version']).status === 0;

const server = createServer((socket) => {
  // A client that rejects a response before its end resets the connection. This is not an error here.
  socket.on('error', () => {});
  let head = '';
  socket.on('data', (data) => {
    head += data.toString('latin1');
    if (!head.includes('\r\n\r\n')) return;
    const path = head.split(' ')[1] ?? '';
    head = '';
    const { bytes, staysOpen = false } = respond(path);
    if (staysOpen) socket.write(bytes);
    else socket.end(bytes);
  });
});
let host = '';
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
const fetchThread = new Worker(new URL('./odd/fetch-thread.js', import.meta.url));
afterAll(async () => {
  server.close();
  await fetchThread.terminate();
});

function respond(path: string): OddResponse {
  if (path.startsWith(TARGET) || path.includes('?target')) {
    const body = Buffer.from(TEXT + path);
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    return { bytes: Buffer.concat([Buffer.from(head), body]) };
  }
  const odd = ODD_RESPONSES[decodeURIComponent(path.slice(1))] ?? raw('HTTP/1.1 404 Not Found\r\n\r\n');
  return { ...odd, bytes: Buffer.from(odd.bytes.toString('latin1').replace('HOST', host), 'latin1') };
}

/** Returns a body as text, in which percent-encoded bytes are in upper case. */
function textOf(body: Uint8Array): string {
  const latin1 = Buffer.from(body).toString('latin1');
  return latin1.replaceAll(/%[0-9a-f]{2}/gi, (encoded) => encoded.toUpperCase());
}

async function readByClient(url: string): Promise<string | Failure> {
  const hosts = createWebHosts({ sharedHosts: new Set(), maxFailedMs: Number.POSITIVE_INFINITY });
  const client = createHttpClient({ limits: LIMITS, allowedHosts: [host], hosts });
  const response = await client.get(url, { maxBytes: MAX_BYTES });
  await client.close();
  return isFailure(response) ? response : textOf(response.bytes);
}

async function readByFetch(url: string): Promise<string | undefined> {
  const reply = once(fetchThread, 'message');
  fetchThread.postMessage({ url, timeoutMs: MAX_SECONDS * 1_000 });
  const [body] = (await reply) as [Uint8Array | undefined];
  return body && textOf(body);
}

function readByCurl(url: string): Promise<string | undefined> {
  const args = ['--compressed', '--location', '--silent', '--max-time', String(MAX_SECONDS), url];
  return new Promise((resolve) =>
    execFile('curl', args, { encoding: 'buffer', maxBuffer: MAX_BYTES }, (error, stdout) =>
      resolve(error === null ? textOf(stdout) : undefined),
    ),
  );
}

/**
 * Returns the text that curl and fetch both read; undefined if one fails, or if their texts differ. Without curl,
 * returns the text of fetch if fetch decodes the body.
 */
async function readByCurlAndFetch(url: string, name: string): Promise<string | undefined> {
  const [byFetch, byCurl] = await Promise.all([readByFetch(url), HAS_CURL ? readByCurl(url) : undefined]);
  if (HAS_CURL) return byFetch === byCurl ? byFetch : undefined;
  return byFetch?.startsWith(TEXT) && !READ_DIFFERENTLY.includes(name) ? byFetch : undefined;
}

test.each(Object.keys(ODD_RESPONSES))('reads the same as curl and fetch, or names the cause: %s', async (name) => {
  const url = `http://${host}/${encodeURIComponent(name)}`;
  const [ours, byOthers] = await Promise.all([readByClient(url), readByCurlAndFetch(url, name)]);
  if (name in REFUSED) expect(ours).toMatchObject(REFUSED[name] as object);
  else if (READ_BY_CURL.includes(name)) expect(ours).toBe(TEXT);
  else if (byOthers !== undefined) expect(ours).toBe(byOthers);
  else if (isFailure(ours)) expect(ours.message.includes('could not be reached')).toBe(name === 'no bytes');
});
