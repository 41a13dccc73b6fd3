import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Failure, fail } from '#model/failure.ts';
import { createWebHosts, type WebHostsOptions } from '#net/web-hosts.ts';

const hostsOf = (over: Partial<WebHostsOptions> = {}) =>
  createWebHosts({ sharedHosts: new Set(['gateway']), maxFailedMs: Number.POSITIVE_INFINITY, ...over });
const HOST = new URL('http://a/1.json');
const content = (name: string) => [new URL(`http://gateway/ipfs/${name}/1.json`), name] as const;

const failing = (code: Failure['code'], retryAfterSeconds?: number) => async (): Promise<Failure> => ({
  ...fail(code),
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});
const done = async () => 'done';
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Returns a request that stays pending until the test calls `end` with its result. */
function pending<T>() {
  const { promise, resolve } = Promise.withResolvers<T>();
  let sentCount = 0;
  const request = () => {
    sentCount++;
    return promise;
  };
  return { request, end: resolve, sentCount: () => sentCount };
}

test('default', async () => {
  const hosts = hostsOf();
  let running = 0;
  let peak = 0;
  const request = async () => {
    peak = Math.max(peak, ++running);
    await delay(5);
    running--;
    return 'done';
  };
  expect(await Promise.all(times(20).map(() => hosts.request(HOST, request)))).toEqual(Array(20).fill('done'));
  expect(peak).toBe(8);
});

test('returns host-held without a request until the pause ends', async () => {
  const hosts = hostsOf();
  // This response arrives later and asks for a shorter pause, which must not replace the longer pause.
  const slower = hosts.request(HOST, () => delay(50).then(failing('http-429', 0.1)));
  expect(await hosts.request(HOST, failing('http-503', 1))).toMatchObject({ code: 'http-503' });
  const heldAt = performance.now();
  expect(await slower).toMatchObject({ code: 'http-429' });
  let sentCount = false;
  const paused = await hosts.request(HOST, async () => {
    sentCount = true;
  });
  expect(paused).toMatchObject({ code: 'host-held', retryable: true });
  expect((paused as unknown as Failure).retryAfterSeconds).toBeCloseTo(1 - (performance.now() - heldAt) / 1000, 1);
  expect(sentCount).toBe(false);
  await delay(1_000);
  expect(await hosts.request(HOST, done)).toBe('done');
});

test('pauses a shared host only after several contents in a row requested it', async () => {
  const hosts = hostsOf();
  const requestContent = (name: string, request: () => Promise<unknown>) => {
    const [url, named] = content(name);
    return hosts.request(url, request, { content: named });
  };
  const busy = failing('http-503', 60);
  // Failures of the same content count once, so these four requests count as two contents.
  for (const name of ['a', 'a', 'a', 'b']) await requestContent(name, busy);
  expect(await requestContent('c', done)).toBe('done');
  for (const name of ['c', 'd']) await requestContent(name, busy);
  expect(await requestContent('e', done)).toBe('done');
  for (const name of ['a', 'b', 'c']) await requestContent(name, busy);
  expect(await requestContent('d', done)).toMatchObject({ code: 'host-held' });
});

test('returns timeout immediately while one request probes a silent host', async () => {
  const hosts = hostsOf();
  for (const _ of times(3)) await hosts.request(HOST, failing('timeout'));
  const probe = pending<string>();
  const probing = hosts.request(HOST, probe.request);
  const rejected = await Promise.all(times(1_000).map(() => hosts.request(HOST, probe.request)));
  expect(rejected[999]).toMatchObject({
    code: 'timeout',
    retryable: true,
    message: expect.stringContaining('3 times'),
  });
  expect(probe.sentCount()).toBe(1);
  probe.end('done');
  expect(await probing).toBe('done');
  expect(await Promise.all([hosts.request(HOST, done), hosts.request(HOST, done)])).toEqual(['done', 'done']);
});

test('does not pause requests after fast failures and missing content', async () => {
  const hosts = hostsOf();
  for (const _ of times(20)) await hosts.request(HOST, failing('connection-failed'));
  await hosts.request(HOST, failing('http-429'));
  const [url, named] = content('lost');
  for (const _ of times(20)) await hosts.request(url, failing('timeout'), { content: named });
  const requests = [pending<string>(), pending<string>()];
  const results = Promise.all([
    ...requests.map(({ request }) => hosts.request(HOST, request)),
    ...requests.map(({ request }) => hosts.request(content('found')[0], request, { content: 'found' })),
  ]);
  for (const { end } of requests) end('done');
  expect(await results).toEqual(['done', 'done', 'done', 'done']);
});

test('returns time-spent for hosts without a response once failures took too long', async () => {
  const hosts = hostsOf({ maxFailedMs: 1_000 });
  const known = new URL('http://known/');
  await hosts.request(known, done);
  const lose = (url: URL) => hosts.request(url, () => delay(600).then(failing('timeout')));
  for (const name of ['b', 'c']) expect(await lose(new URL(`http://${name}/`))).toMatchObject({ code: 'timeout' });
  const spent = await lose(new URL('http://d/'));
  expect(spent).toMatchObject({ code: 'time-spent', retryable: true, retryAfterSeconds: 120 });
  expect(await lose(known)).toMatchObject({ code: 'timeout' });
});

test('does not count aborted requests against a host', async () => {
  const hosts = hostsOf();
  const options = { signal: AbortSignal.abort() };
  for (const _ of times(20)) await hosts.request(HOST, failing('timeout', 60), options);
  expect(await hosts.request(HOST, done)).toBe('done');
});

test('forgets hosts without recent requests', async () => {
  const hosts = hostsOf();
  await hosts.request(HOST, failing('http-429', 60));
  for (const index of times(9_999)) await hosts.request(new URL(`http://h${index}/`), done);
  expect(await hosts.request(HOST, done)).toMatchObject({ code: 'host-held' });
  for (const index of times(20_000)) await hosts.request(new URL(`http://i${index}/`), done);
  expect(await hosts.request(HOST, done)).toBe('done');
});
