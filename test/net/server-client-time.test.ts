// Tests the timing of the server client: time limits, pauses that servers request, servers that do not respond, and the
// abort signal.
import { describe, expect, test } from 'vitest';
import { type Failure, isFailure } from '#model/failure.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { clientOf, serverClient } from '../support/server-client.ts';

const LIMITS = { connectTimeoutMs: 1_000, idleTimeoutMs: 1_000, totalTimeoutMs: 1_000 };
/** A URL that refuses connections, since no server listens on its port. */
const REFUSING = 'http://127.0.0.1:9';

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('time', () => {
  test('returns timeout for a silent server, before or during its response', async () => {
    const server = await loopbackServer((request, response) => {
      if (request.url === '/inside') response.writeHead(200).write('{"a":');
    });
    // undici checks timeouts every half second, so the timeout is later than 100 ms.
    const client = serverClient(server.url, { limits: { ...LIMITS, idleTimeoutMs: 100, totalTimeoutMs: 30_000 } });
    const silent = expect.objectContaining({ code: 'timeout', message: `${server.host} did not respond in time.` });
    expect(await Promise.all([client.getJson('/before'), client.getJson('/inside')])).toEqual([silent, silent]);
  });

  test('limits the number of concurrent requests', async () => {
    let running = 0;
    let peak = 0;
    const server = await loopbackServer((_, response) => {
      peak = Math.max(peak, ++running);
      setTimeout(() => {
        running--;
        response.end('{}');
      }, 30);
    });
    const client = serverClient(server.url, { concurrency: 3 });
    await Promise.all(times(12).map(() => client.getJson('/')));
    expect(peak).toBe(3);
  });
});

describe('a server that requests a pause', () => {
  test('pauses all requests to a server for Retry-After', async () => {
    const arrivals: number[] = [];
    const server = await loopbackServer((_, response) => {
      arrivals.push(performance.now());
      if (arrivals.length === 1) response.writeHead(429, { 'retry-after': '1' }).end('Too Many Requests');
      else response.end('{}');
    });
    const client = serverClient(server.url, { patienceMs: 5_000 });
    expect(await client.getJson('/first')).toMatchObject({
      code: 'http-429',
      message: expect.stringContaining('Too Many Requests'),
      retryAfterSeconds: 1,
      retryable: true,
    });
    const respondedAt = performance.now();
    const results = await Promise.all([client.getJson('/second'), client.getJson('/third')]);
    expect(results).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(arrivals.slice(1).map((arrival) => arrival - respondedAt > 950)).toEqual([true, true]);
  });

  test('returns host-held without a request if the pause exceeds patienceMs', async () => {
    const server = await loopbackServer((_, response) => response.writeHead(503, { 'retry-after': '120' }).end());
    const client = serverClient(server.url);
    await client.getJson('/');
    const result = await client.getJson('/');
    expect(result).toMatchObject({ code: 'host-held', retryable: true });
    expect((result as Failure).retryAfterSeconds).toBeGreaterThan(60);
    expect((result as Failure).retryAfterSeconds).toBeLessThanOrEqual(120);
    expect(server.requests).toHaveLength(1);
    // A server that asks for a pause responds, so it does not count as down.
    expect(client.downBecauseOf).toBeUndefined();
  });

  test('returns host-held after a 429 without Retry-After', async () => {
    const { client, server } = await clientOf(429, 'Too Many Requests');
    const impatient = serverClient(client.baseUrl, { patienceMs: 500 });
    expect(await impatient.getJson('/')).toMatchObject({ code: 'http-429' });
    expect(await impatient.getJson('/')).toMatchObject({ code: 'host-held' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a server that does not respond', () => {
  test('pauses after eight consecutive failures', async () => {
    const server = await loopbackServer((request, response) => {
      response.writeHead(request.url === '/works' ? 200 : 500).end('{}');
    });
    const client = serverClient(server.url, { patienceMs: 600 });
    for (const _ of times(7)) await client.getJson('/fails');
    expect(await client.getJson('/works')).toMatchObject({ status: 200 });
    for (const _ of times(8)) expect(await client.getJson('/fails')).toMatchObject({ code: 'http-500' });
    expect(await client.getJson('/works')).toMatchObject({ code: 'host-held' });
    expect(server.requests).toHaveLength(16);
    expect(client.downBecauseOf).toBeUndefined();
  });

  test('returns connection-failed, and source-down after patienceMs', async () => {
    const client = serverClient(REFUSING);
    const start = performance.now();
    for (const _ of times(8)) expect(await client.getJson('/')).toMatchObject({ code: 'connection-failed' });
    expect(client.downBecauseOf).toBeUndefined();
    // This request first waits until the pause of a second ends.
    expect(await client.getJson('/')).toMatchObject({ code: 'connection-failed', retryable: true });
    expect(performance.now() - start).toBeGreaterThan(950);
    expect(client.downBecauseOf).toMatchObject({ code: 'connection-failed' });
    expect(await client.getJson('/')).toMatchObject({ code: 'source-down', retryable: true });
  });

  test('returns source-down without a connection', async () => {
    const { server } = await clientOf(500, 'broken');
    const client = serverClient(server.url, { patienceMs: 0 });
    await client.getJson('/');
    await client.getJson('/');
    expect(client.downBecauseOf).toMatchObject({ code: 'http-500', message: expect.stringContaining('broken') });
    expect(await client.getJson('/')).toMatchObject({ code: 'source-down', retryable: true });
    expect(server.requests).toHaveLength(2);
  });

  test('resets the failures after a response, also after 404 and 400', async () => {
    const server = await loopbackServer((request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end('{}');
    });
    const client = serverClient(server.url, { patienceMs: 0 });
    for (const status of [500, 404, 500, 400, 500, 200, 500]) {
      expect(isFailure(await client.getJson(`/${status}`))).toBe(status === 500);
    }
    expect(client.downBecauseOf).toBeUndefined();
  });
});

describe('the signal', () => {
  test.each(['a head', 'a body'])('ends requests that wait for %s when it is aborted', async (part) => {
    const controller = new AbortController();
    const server = await loopbackServer((_, response) => {
      if (part === 'a body') response.writeHead(200).write('{"a":');
      setTimeout(() => controller.abort(), 50);
    });
    const limits = { connectTimeoutMs: 600_000, idleTimeoutMs: 600_000, totalTimeoutMs: 600_000 };
    const client = serverClient(server.url, { signal: controller.signal, limits, patienceMs: 0 });
    const results = await Promise.all([client.getJson('/'), client.getJson('/')]);
    expect(results.map(isFailure)).toEqual([true, true]);
    // The aborted requests do not count as failures of the server.
    expect(client.downBecauseOf).toBeUndefined();
  });

  test('returns source-down for queued requests', async () => {
    const controller = new AbortController();
    const server = await loopbackServer((_, response) => response.writeHead(429, { 'retry-after': '60' }).end());
    const options = { signal: controller.signal, patienceMs: 100_000 };
    const waiting = serverClient(server.url, options);
    const slow = serverClient(server.url, { ...options, requestsPerMinute: 1 });
    await Promise.all([waiting.getJson('/'), slow.getJson('/')]);
    setTimeout(() => controller.abort(), 50);
    const results = await Promise.all([waiting.getJson('/'), slow.getJson('/'), slow.getJson('/')]);
    expect(results).toMatchObject([{ code: 'source-down' }, { code: 'source-down' }, { code: 'source-down' }]);
    expect(server.requests).toHaveLength(2);
  });

  test('returns source-down for later requests', async () => {
    const server = await loopbackServer((_, response) => response.end('{}'));
    const client = serverClient(server.url, { signal: AbortSignal.abort() });
    expect(await client.getJson('/')).toMatchObject({ code: 'source-down' });
    expect(server.requests).toEqual([]);
  });
});
