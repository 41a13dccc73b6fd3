// What a client of a JSON API does with time: limits, servers that ask for it or are silent, and a signal to stop.
import { describe, expect, test } from 'vitest';
import { type Failure, isFailure } from '#model/failure.ts';
import { clientOf, jsonClient } from '../support/json-client.ts';
import { loopbackServer } from '../support/loopback-server.ts';

const LIMITS = { connectTimeoutMs: 1_000, idleTimeoutMs: 1_000, totalTimeoutMs: 1_000 };
/** Nothing listens there. */
const REFUSING = 'http://127.0.0.1:9';

/** Returns a result, and after how many milliseconds it came. */
async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  return [await work, performance.now() - start];
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('time', () => {
  test('error: timeout of a body that trickles, after totalTimeoutMs', async () => {
    const server = await loopbackServer((_, response) => {
      response.writeHead(200).write('{"a":"');
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const client = jsonClient(server.url, { limits: { ...LIMITS, totalTimeoutMs: 200 } });
    const [answer, ms] = await timed(client.get('/'));
    expect(answer).toMatchObject({ code: 'timeout', retryable: true });
    expect(ms).toBeGreaterThan(150);
    expect(ms).toBeLessThan(900);
  });

  test('error: timeout of a server that is silent, before its answer or inside of it', async () => {
    const server = await loopbackServer((request, response) => {
      if (request.url === '/inside') response.writeHead(200).write('{"a":');
    });
    // undici looks at its clock every half second.
    const client = jsonClient(server.url, { limits: { ...LIMITS, idleTimeoutMs: 100, totalTimeoutMs: 30_000 } });
    const silent = expect.objectContaining({ code: 'timeout', message: `${server.host} was silent for too long.` });
    expect(await Promise.all([client.get('/before'), client.get('/inside')])).toEqual([silent, silent]);
  });

  test('behavior: requestsPerMinute spaces requests', async () => {
    const arrivals: number[] = [];
    const server = await loopbackServer((_, response) => {
      arrivals.push(performance.now());
      response.end('{}');
    });
    const client = jsonClient(server.url, { requestsPerMinute: 1_200 });
    const start = performance.now();
    await Promise.all(times(6).map(() => client.get('/')));
    expect(arrivals).toHaveLength(6);
    // One every 50 ms: none may come early, while a busy machine may be late.
    for (const [index, arrival] of arrivals.entries()) expect(arrival - start).toBeGreaterThan(index * 50 - 10);
    expect(performance.now() - start).toBeLessThan(1_200);
  });

  test('behavior: concurrency limits how many are asked at once', async () => {
    let running = 0;
    let most = 0;
    const server = await loopbackServer((_, response) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        response.end('{}');
      }, 30);
    });
    const client = jsonClient(server.url, { concurrency: 3 });
    await Promise.all(times(12).map(() => client.get('/')));
    expect(most).toBe(3);
  });
});

describe('a server that asks for time', () => {
  test('behavior: the whole server is held back for Retry-After', async () => {
    const arrivals: number[] = [];
    const server = await loopbackServer((_, response) => {
      arrivals.push(performance.now());
      if (arrivals.length === 1) response.writeHead(429, { 'retry-after': '1' }).end('Too Many Requests');
      else response.end('{}');
    });
    const client = jsonClient(server.url, { patienceMs: 5_000 });
    expect(await client.get('/first')).toMatchObject({
      code: 'http-429',
      message: expect.stringContaining('Too Many Requests'),
      retryAfterSeconds: 1,
      retryable: true,
    });
    const told = performance.now();
    const answers = await Promise.all([client.get('/second'), client.get('/third')]);
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(arrivals.slice(1).map((arrival) => arrival - told > 950)).toEqual([true, true]);
  });

  test('error: host-held for longer than patienceMs, without a request', async () => {
    const server = await loopbackServer((_, response) => response.writeHead(503, { 'retry-after': '120' }).end());
    const client = jsonClient(server.url);
    await client.get('/');
    const [answer, ms] = await timed(client.get('/'));
    expect(answer).toMatchObject({ code: 'host-held', retryable: true });
    expect((answer as Failure).retryAfterSeconds).toBeGreaterThan(118);
    expect((answer as Failure).retryAfterSeconds).toBeLessThanOrEqual(120);
    expect(ms).toBeLessThan(500);
    expect(server.requests).toHaveLength(1);
    // Who says when to come back is there.
    expect(client.downBecauseOf).toBeUndefined();
  });

  test('error: host-held after a 429 that does not say for how long', async () => {
    const { client, server } = await clientOf(429, 'Too Many Requests');
    const impatient = jsonClient(client.baseUrl, { patienceMs: 500 });
    expect(await impatient.get('/')).toMatchObject({ code: 'http-429' });
    expect(await impatient.get('/')).toMatchObject({ code: 'host-held' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a server that does not answer', () => {
  test('behavior: held back after eight failures in a row', async () => {
    const server = await loopbackServer((request, response) => {
      response.writeHead(request.url === '/works' ? 200 : 500).end('{}');
    });
    const client = jsonClient(server.url, { patienceMs: 600 });
    for (const _ of times(7)) await client.get('/fails');
    expect(await client.get('/works')).toMatchObject({ status: 200 });
    for (const _ of times(8)) expect(await client.get('/fails')).toMatchObject({ code: 'http-500' });
    expect(await client.get('/works')).toMatchObject({ code: 'host-held' });
    expect(server.requests).toHaveLength(16);
    expect(client.downBecauseOf).toBeUndefined();
  });

  test('error: connection-failed, and source-down once patienceMs are over', async () => {
    const client = jsonClient(REFUSING);
    const start = performance.now();
    for (const _ of times(8)) expect(await client.get('/')).toMatchObject({ code: 'connection-failed' });
    expect(client.downBecauseOf).toBeUndefined();
    // It waits for the time for which the server is held back.
    expect(await client.get('/')).toMatchObject({ code: 'connection-failed', retryable: true });
    expect(performance.now() - start).toBeGreaterThan(950);
    expect(client.downBecauseOf).toMatchObject({ code: 'connection-failed' });
    expect(await client.get('/')).toMatchObject({ code: 'source-down', retryable: true });
  });

  test('error: source-down without a connection', async () => {
    const { server } = await clientOf(500, 'broken');
    const client = jsonClient(server.url, { patienceMs: 0 });
    await client.get('/');
    await client.get('/');
    expect(client.downBecauseOf).toMatchObject({ code: 'http-500', message: expect.stringContaining('broken') });
    expect(await client.get('/')).toMatchObject({ code: 'source-down', retryable: true });
    expect(server.requests).toHaveLength(2);
  });

  test('behavior: an answer, 404 and 400 too, ends the time that failures are counted for', async () => {
    const server = await loopbackServer((request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end('{}');
    });
    const client = jsonClient(server.url, { patienceMs: 0 });
    for (const status of [500, 404, 500, 400, 500, 200, 500]) {
      expect(isFailure(await client.get(`/${status}`))).toBe(status === 500);
    }
    expect(client.downBecauseOf).toBeUndefined();
  });
});

describe('the signal', () => {
  test.each(['a head', 'a body'])('behavior: aborted, it ends what waits for %s', async (what) => {
    const controller = new AbortController();
    const server = await loopbackServer((_, response) => {
      if (what === 'a body') response.writeHead(200).write('{"a":');
      setTimeout(() => controller.abort(), 50);
    });
    const limits = { ...LIMITS, idleTimeoutMs: 30_000 };
    const client = jsonClient(server.url, { signal: controller.signal, limits, patienceMs: 0 });
    const [answers, ms] = await timed(Promise.all([client.get('/'), client.get('/')]));
    expect(answers.map(isFailure)).toEqual([true, true]);
    expect(ms).toBeLessThan(900);
    // That is nobody's failure.
    expect(client.downBecauseOf).toBeUndefined();
  });

  test('error: source-down for what waits for its turn', async () => {
    const controller = new AbortController();
    const server = await loopbackServer((_, response) => response.writeHead(429, { 'retry-after': '60' }).end());
    const options = { signal: controller.signal, patienceMs: 100_000 };
    const held = jsonClient(server.url, options);
    const slow = jsonClient(server.url, { ...options, requestsPerMinute: 1 });
    await Promise.all([held.get('/'), slow.get('/')]);
    setTimeout(() => controller.abort(), 50);
    const [answers, ms] = await timed(Promise.all([held.get('/'), slow.get('/'), slow.get('/')]));
    expect(answers).toMatchObject([{ code: 'source-down' }, { code: 'source-down' }, { code: 'source-down' }]);
    expect(ms).toBeLessThan(900);
    expect(server.requests).toHaveLength(2);
  });

  test('error: source-down for what comes after it', async () => {
    const server = await loopbackServer((_, response) => response.end('{}'));
    const client = jsonClient(server.url, { signal: AbortSignal.abort() });
    expect(await client.get('/')).toMatchObject({ code: 'source-down' });
    expect(server.requests).toEqual([]);
  });
});
