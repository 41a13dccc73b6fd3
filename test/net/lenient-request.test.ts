// Tests the limits of a request that is sent once more, because its response is not valid HTTP.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPool } from '#net/send-request.ts';
import { client, OPTIONS } from '../support/http-client.ts';
import { LIMITS } from '../support/http-limits.ts';
import { loopbackServer } from '../support/loopback-server.ts';

/** A head that undici rejects: its lines end in LF. */
const HEAD = 'HTTP/1.1 200 OK\nA: b\n';

/** Starts a server that calls `respond` for each request, with the number of earlier requests and the request. */
async function odd(respond: (socket: Socket, index: number, request: string) => void) {
  const requests: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => respond(socket, requests.push(data.toString('latin1')) - 1, data.toString('latin1')));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { requests, host, url: `http://${host}/path?a=b` };
}

/** Writes a text, then another one until the connection is closed. */
const writes =
  (begin: string, text: string, everyMs = 0) =>
  (socket: Socket) => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(text), everyMs);
    socket.once('close', () => clearInterval(timer));
  };
const BYTES = 'x'.repeat(50_000);

test('sends the request once more, on a new connection', async () => {
  const { requests, host, url } = await odd((socket) => socket.end(`${HEAD}ETag: "a\x01b"\n\nthere`));
  const known = { etag: '"old"' };
  const got = await client({ allow: [host] }).get(url, { ...OPTIONS, known });
  expect(got).toMatchObject({ bytes: Buffer.from('there'), etag: '"a b"' });
  expect(requests).toHaveLength(2);
  expect(requests[1]).toBe(
    `GET /path?a=b HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nuser-agent: stxpress\r\n` +
      'accept-encoding: identity\r\naccept: */*\r\nIf-None-Match: "old"\r\n\r\n',
  );
});

test.each<[string, (socket: Socket, index: number) => void, string, object?]>([
  ['a large body', (socket) => socket.end(`${HEAD}\n${BYTES}`), 'too-large'],
  ['an announced size', (socket) => socket.write(`${HEAD}Content-Length: 1001\n\n`), 'too-large'],
  ['a body without end', writes(`${HEAD}\n`, BYTES), 'too-large'],
  ['headers without end', writes(HEAD, `A: ${BYTES}\n`), 'response-invalid'],
  ['a line without end', writes(HEAD, BYTES), 'response-invalid'],
  ['the line of a chunk without end', writes(`${HEAD}Transfer-Encoding: chunked\n\n1;`, BYTES), 'response-invalid'],
  ['statuses 100 without end', writes('', 'HTTP/1.1 100 Continue\n\n'.repeat(2_000)), 'response-invalid'],
  ['a slow body', writes(`${HEAD}\n`, 'x', 50), 'timeout', { totalTimeoutMs: 500 }],
  ['slow headers', writes(HEAD, 'x', 50), 'timeout', { totalTimeoutMs: 500 }],
  ['silence', (socket, index) => index === 0 && socket.end(`${HEAD}\n`), 'timeout', { idleTimeoutMs: 300 }],
])('limits %s', async (_, respond, code, limits = {}) => {
  const closed = Promise.withResolvers<boolean>();
  const { host, url } = await odd((socket, index) => {
    if (index === 1) socket.once('close', () => closed.resolve(true));
    respond(socket, index);
  });
  expect(await client({ allow: [host], ...limits }).get(url, OPTIONS)).toMatchObject({ code });
  expect(await closed.promise).toBe(true);
});

test('counts the time of both attempts together', async () => {
  const { requests, host, url } = await odd((socket) => void setTimeout(() => socket.end(`${HEAD}\nthere`), 600));
  expect(await client({ allow: [host], totalTimeoutMs: 1_000 }).get(url, OPTIONS)).toMatchObject({ code: 'timeout' });
  expect(requests).toHaveLength(2);
});

describe('addresses', () => {
  test('checks the address again', async () => {
    const allow: string[] = [];
    const { requests, host, url } = await odd((socket) => {
      // The name of a host that was public may now have another address.
      allow.length = 0;
      socket.end(`${HEAD}\nsecret`);
    });
    allow.push(host);
    expect(await client({ allow }).get(url, OPTIONS)).toMatchObject({ code: expect.stringMatching(/-refused$/) });
    expect(requests).toHaveLength(1);
  });

  test('looks up a name once for each connection', async () => {
    const lookups: string[] = [];
    const resolver = (name: string, callback: (error: null, addresses: []) => void) => {
      lookups.push(name);
      callback(null, []);
    };
    const { host, url } = await odd((socket) => socket.end('HTTP/1.1 302 Found\nLocation: http://a.example/\n\n'));
    expect(await client({ allow: [host], resolver }).get(url, OPTIONS)).toMatchObject({ code: 'address-refused' });
    expect(lookups).toEqual(['a.example']);
  });

  test('does not follow a redirect to a private address', async () => {
    const inner = await loopbackServer((_, response) => response.end('secret'));
    const { host, url } = await odd((socket) => socket.end(`HTTP/1.1 302 Found\nLocation: ${inner.url}\n\n`));
    expect(await client({ allow: [host] }).get(url, OPTIONS)).toMatchObject({ code: 'port-refused' });
    expect(inner.requests).toEqual([]);
  });
});

test.each([
  ['a PUT', 'PUT', `${HEAD}\n`],
  ['a POST', 'POST', `${HEAD}\n`],
  ['a response that ends early', 'GET', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nha'],
  ['an unwanted status', 'GET', 'HTTP/1.1 503 Down\r\nContent-Length: 0\r\n\r\n'],
] as const)('does not repeat %s', async (_, method, response) => {
  const { requests, url } = await odd((socket) => socket.end(response));
  const pool = openPool(LIMITS);
  onTestFinished(() => pool.close());
  const body = method === 'GET' ? undefined : 'text';
  await pool.send(new URL(url), { method, body, headers: {}, maxBytes: 100 });
  expect(requests).toHaveLength(1);
});
