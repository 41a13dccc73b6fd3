import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Failure, fail } from '#model/failure.ts';
import { createWebHosts, type WebHostsOptions } from '#net/web-hosts.ts';

const hostsOf = (over: Partial<WebHostsOptions> = {}) =>
  createWebHosts({ sharedHosts: new Set(['gateway']), maxLostMs: Number.POSITIVE_INFINITY, ...over });
const HOST = new URL('http://a/1.json');
const content = (name: string) => [new URL(`http://gateway/ipfs/${name}/1.json`), name] as const;

const failing = (code: Failure['code'], retryAfterSeconds?: number) => async (): Promise<Failure> => ({
  ...fail(code),
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});
const done = async () => 'done';
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A request that ends when it is told to, with this. */
function pending<T>() {
  const { promise, resolve } = Promise.withResolvers<T>();
  let asked = 0;
  const request = () => {
    asked++;
    return promise;
  };
  return { request, end: resolve, asked: () => asked };
}

test('default', async () => {
  const hosts = hostsOf();
  let running = 0;
  let most = 0;
  const request = async () => {
    most = Math.max(most, ++running);
    await delay(5);
    running--;
    return 'done';
  };
  expect(await Promise.all(times(20).map(() => hosts.ask(HOST, request)))).toEqual(Array(20).fill('done'));
  expect(most).toBe(8);
});

test('error: host-held, without a request, until the time is over', async () => {
  const hosts = hostsOf();
  // A shorter wish of a slower answer shortens nothing.
  const slower = hosts.ask(HOST, () => delay(50).then(failing('http-429', 0.1)));
  expect(await hosts.ask(HOST, failing('http-503', 1))).toMatchObject({ code: 'http-503' });
  const heldAt = performance.now();
  expect(await slower).toMatchObject({ code: 'http-429' });
  let asked = false;
  const held = await hosts.ask(HOST, async () => {
    asked = true;
  });
  expect(held).toMatchObject({ code: 'host-held', retryable: true });
  expect((held as unknown as Failure).retryAfterSeconds).toBeCloseTo(1 - (performance.now() - heldAt) / 1000, 1);
  expect(asked).toBe(false);
  await delay(1_000);
  expect(await hosts.ask(HOST, done)).toBe('done');
});

test('behavior: a shared host is held back only once several contents in a row asked for it', async () => {
  const hosts = hostsOf();
  const ask = (name: string, request: () => Promise<unknown>) => {
    const [url, named] = content(name);
    return hosts.ask(url, request, { content: named });
  };
  const busy = failing('http-503', 60);
  // One content asks as often as it likes.
  for (const name of ['a', 'a', 'a', 'b']) await ask(name, busy);
  expect(await ask('c', done)).toBe('done');
  for (const name of ['c', 'd']) await ask(name, busy);
  expect(await ask('e', done)).toBe('done');
  for (const name of ['a', 'b', 'c']) await ask(name, busy);
  expect(await ask('d', done)).toMatchObject({ code: 'host-held' });
});

test('error: timeout at once, while one request finds out whether a silent host is back', async () => {
  const hosts = hostsOf();
  for (const _ of times(3)) await hosts.ask(HOST, failing('timeout'));
  const probe = pending<string>();
  const probing = hosts.ask(HOST, probe.request);
  const others = await Promise.all(times(1_000).map(() => hosts.ask(HOST, probe.request)));
  expect(others[999]).toMatchObject({
    code: 'timeout',
    retryable: true,
    message: expect.stringContaining('3 times'),
  });
  expect(probe.asked()).toBe(1);
  probe.end('done');
  expect(await probing).toBe('done');
  expect(await Promise.all([hosts.ask(HOST, done), hosts.ask(HOST, done)])).toEqual(['done', 'done']);
});

test('behavior: what fails at once, and content that a gateway does not find, holds nobody else back', async () => {
  const hosts = hostsOf();
  for (const _ of times(20)) await hosts.ask(HOST, failing('connection-failed'));
  await hosts.ask(HOST, failing('http-429'));
  const [url, named] = content('lost');
  for (const _ of times(20)) await hosts.ask(url, failing('timeout'), { content: named });
  const requests = [pending<string>(), pending<string>()];
  const answers = Promise.all([
    ...requests.map(({ request }) => hosts.ask(HOST, request)),
    ...requests.map(({ request }) => hosts.ask(content('found')[0], request, { content: 'found' })),
  ]);
  for (const { end } of requests) end('done');
  expect(await answers).toEqual(['done', 'done', 'done', 'done']);
});

test('error: time-spent, for hosts that have not answered, once too much of it is lost', async () => {
  const hosts = hostsOf({ maxLostMs: 350 });
  const known = new URL('http://known/');
  await hosts.ask(known, done);
  const lose = (url: URL) => hosts.ask(url, () => delay(200).then(failing('timeout')));
  for (const name of ['b', 'c']) expect(await lose(new URL(`http://${name}/`))).toMatchObject({ code: 'timeout' });
  const spent = await lose(new URL('http://d/'));
  expect(spent).toMatchObject({ code: 'time-spent', retryable: true, retryAfterSeconds: 120 });
  expect(await lose(known)).toMatchObject({ code: 'timeout' });
});

test('behavior: what the signal ends says nothing about a host', async () => {
  const hosts = hostsOf();
  const options = { signal: AbortSignal.abort() };
  for (const _ of times(20)) await hosts.ask(HOST, failing('timeout', 60), options);
  expect(await hosts.ask(HOST, done)).toBe('done');
});

test('behavior: a host that was not asked for long is forgotten', async () => {
  const hosts = hostsOf();
  await hosts.ask(HOST, failing('http-429', 60));
  for (const index of times(9_999)) await hosts.ask(new URL(`http://h${index}/`), done);
  expect(await hosts.ask(HOST, done)).toMatchObject({ code: 'host-held' });
  for (const index of times(20_000)) await hosts.ask(new URL(`http://i${index}/`), done);
  expect(await hosts.ask(HOST, done)).toBe('done');
});
