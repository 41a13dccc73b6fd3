import type { LookupAddress } from 'node:dns';
import { getEventListeners, once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { Resolver } from '#net/guarded-agent.ts';
import { openPool } from '#net/send-request.ts';
import { client, OPTIONS, served } from '../support/http-client.ts';
import { LIMITS } from '../support/http-limits.ts';
import { loopbackServer } from '../support/loopback-server.ts';

const at =
  (...addresses: string[]): Resolver =>
  (_, callback) =>
    callback(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

test('default', async () => {
  const { get } = await served((_, response) => {
    response.setHeader('ETag', '"1"').setHeader('Last-Modified', 'Thu, 01 Jan 2026 00:00:00 GMT').end('{"name":"a"}');
  });
  expect(await get('/a')).toEqual({
    isModified: true,
    bytes: Buffer.from('{"name":"a"}'),
    etag: '"1"',
    lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT',
  });
});

// More addresses are tested in address-guard.test.ts. None of these hosts may be looked up; the resolver records
// lookups.
test.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://017700000001/',
  'http://127.1/',
  'http://[::ffff:7f00:1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://localhost/',
  'http://foo.localhost/',
  'http://metadata.google.internal/',
])('returns address-refused for %s', async (url) => {
  const lookups: string[] = [];
  const resolver: Resolver = (name, callback) => {
    lookups.push(name);
    callback(null, [{ address: '8.8.8.8', family: 4 }]);
  };
  expect(await client({ resolver }).get(url, OPTIONS)).toMatchObject({ code: 'address-refused', retryable: false });
  expect(lookups).toEqual([]);
});

test.each([
  ['http://example.org:22/', 'port-refused'],
  ['http://user:secret@example.org/', 'credentials-refused'],
  ['http://user@example.org/', 'credentials-refused'],
  ['http://:secret@example.org/', 'credentials-refused'],
  ['ftp://example.org/', 'unsupported-scheme'],
  ['file:///etc/passwd', 'unsupported-scheme'],
  ['nonsense', 'not-a-uri'],
])('rejects %s with %s', async (url, code) => {
  expect(await client().get(url, OPTIONS)).toMatchObject({ code });
});

test('returns address-refused for a name in a private network, which it looks up when it connects', async () => {
  const server = await loopbackServer((_, response) => response.end('secret'));
  const url = 'http://rebinding.example:8080/';
  for (const resolver of [at('127.0.0.1'), at('::ffff:127.0.0.1', '10.0.0.1')])
    expect(await client({ resolver }).get(url, OPTIONS)).toMatchObject({ code: 'address-refused' });
  // Looks up the name once per connection and connects to that address, although a second lookup would return a public
  // one.
  let turn = 0;
  const rebinding: Resolver = (_, callback) =>
    callback(null, [{ address: turn++ === 0 ? '127.0.0.1' : '8.8.8.8', family: 4 }]);
  expect(await client({ resolver: rebinding }).get(url, OPTIONS)).toMatchObject({ code: 'address-refused' });
  expect(turn).toBe(1);
  expect(server.requests).toEqual([]);
});

test('does not count the time in the queue', async () => {
  const slow: RequestListener = (_, response) => void setTimeout(() => response.end('there'), 100);
  const { get } = await served(slow, { totalTimeoutMs: 1_500 });
  // At most eight requests run at the same time, so the last one waits for two seconds.
  const results = await Promise.all(Array.from({ length: 160 }, () => get('')));
  expect(results.every((result) => 'isModified' in result && result.isModified)).toBe(true);
});

test('returns too-large for an announced, a streamed and a decompressed size', async () => {
  const { get } = await served((request, response) => {
    if (request.url === '/bomb')
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000)));
    else if (request.url === '/nested')
      response
        .writeHead(200, { 'Content-Encoding': 'deflate, gzip' })
        .end(gzipSync(deflateRawSync(Buffer.alloc(2_000))));
    else if (request.url === '/endless') response.writeHead(200, { 'Content-Length': '2000' }).flushHeaders();
    else if (request.url === '/stream')
      response.writeHead(200).write('x'.repeat(600), () => response.end('x'.repeat(600)));
    else response.end('x'.repeat(1_001));
  });
  for (const path of ['/bomb', '/nested', '/endless', '/stream', '/announced'])
    expect(await get(path)).toMatchObject({ code: 'too-large' });
});

test.each(['/announced', '/status'])('closes the connection of a body that is not read: %s', async (path) => {
  const closed = Promise.withResolvers<string>();
  const listener: RequestListener = (request, response) => {
    response.on('close', () => closed.resolve('closed'));
    response.writeHead(request.url === '/status' ? 404 : 200, { 'Content-Length': '5000000' }).write('some');
  };
  const { get } = await served(listener, { idleTimeoutMs: 60_000 });
  expect(await get(path)).toMatchObject({ code: path === '/status' ? 'http-404' : 'too-large' });
  expect(await Promise.race([closed.promise, delay(5_000, 'open')])).toBe('closed');
});

test('requests no encoding', async () => {
  const { get } = await served((request, response) => response.end(request.headers['accept-encoding']));
  expect(await get('/')).toMatchObject({ bytes: Buffer.from('identity') });
});

test('repeats a request if an idle connection was closed', async () => {
  const requests: string[] = [];
  const server = createServer((socket) => {
    let served = 0;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const path = data.toString().split(' ')[1] ?? '';
      requests.push(path);
      if (path === '/half') socket.end('HTTP/1.1 200 OK\r\nA:');
      else if (served++ === 0) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthere');
      else socket.destroy();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { get } = client({ allow: [host] });
  for (let index = 0; index < 5; index++)
    expect(await get(`http://${host}/`, OPTIONS)).toMatchObject({ bytes: Buffer.from('there') });
  expect(requests.length).toBeGreaterThan(5);
  expect(await get(`http://${host}/half`, OPTIONS)).toMatchObject({ code: 'connection-failed' });
  expect(requests.filter((path) => path === '/half')).toHaveLength(4);
});

test('returns connection-failed for truncated and cancelled responses', async () => {
  const controller = new AbortController();
  const { get, server } = await served((request, response) => {
    response.writeHead(200, { 'Content-Length': '10' }).write('half');
    setTimeout(() => (request.url === '/cut' ? request.socket.destroy() : controller.abort()), 50);
  });
  expect(await get('/cut')).toMatchObject({ code: 'connection-failed' });
  const cancelled = expect.objectContaining({
    code: 'connection-failed',
    message: `The request to ${server.host} was cancelled.`,
  });
  const options = { signal: controller.signal };
  expect(await get('/slow', options)).toEqual(cancelled);
  expect(await get('/never', options)).toEqual(cancelled);
  expect(server.requests).toEqual(['/cut', '/slow']);
});

test.each([
  [403, false],
  [404, false],
  [408, true],
  [425, true],
  [429, true],
  [500, true],
  [503, true],
])('returns http-%i with the time of a retry', async (status, retryable) => {
  const { get } = await served((_, response) => response.writeHead(status, { 'Retry-After': '120' }).end('<html>'));
  expect(await get('/')).toMatchObject({ code: `http-${status}`, retryable, retryAfterSeconds: 120 });
});

test('returns timeout after the total time, and after the idle time', async () => {
  const server = await loopbackServer((request, response) => {
    response.writeHead(200).write('x');
    if (request.url === '/drip') setInterval(() => response.write('x'), 50).unref();
  });
  const [total, idle] = [{ totalTimeoutMs: 400 }, { idleTimeoutMs: 300 }].map((limits) =>
    client({ allow: [server.host], ...limits }),
  );
  expect(await total?.get(`${server.url}/drip`, OPTIONS)).toMatchObject({ code: 'timeout', retryable: true });
  expect(await idle?.get(`${server.url}/silent`, OPTIONS)).toMatchObject({ code: 'timeout' });
});

test('returns connection-failed and host-not-found', async () => {
  const failing: Resolver = (_, callback) => callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
  expect(await client({ resolver: failing }).get('http://example.invalid/', OPTIONS)).toMatchObject({
    code: 'host-not-found',
    retryable: true,
  });
  const failed = { code: 'connection-failed', retryable: true };
  const later: Resolver = (_, callback) => callback(Object.assign(new Error('no'), { code: 'EAI_AGAIN' }), []);
  expect(await client({ resolver: later }).get('http://example.invalid/', OPTIONS)).toMatchObject(failed);
  for (const host of ['127.0.0.1:9', '[::1]:9'])
    expect(await client({ allow: [host] }).get(`http://${host}/`, OPTIONS)).toMatchObject(failed);
});

test('removes its listeners and timers, and does not send cancelled requests', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const { get, server } = await served((_, response) => response.end('there'));
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  await get('/first', { signal });
  const timersAfterFirst = timers();
  for (let index = 0; index < 5; index++) await get('/again', { signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(timers()).toBeLessThanOrEqual(timersAfterFirst + 1);

  const pool = openPool(LIMITS);
  onTestFinished(() => pool.close());
  const sent = pool.send(new URL(`${server.url}/never`), { headers: {}, maxBytes: 10, signal });
  controller.abort();
  expect(await sent).toMatchObject({ code: 'connection-failed' });
  // The pool still works for a later request.
  await pool.send(new URL(`${server.url}/last`), { headers: {}, maxBytes: 10 });
  expect(server.requests.filter((path) => path !== '/again')).toEqual(['/first', '/last']);
});
