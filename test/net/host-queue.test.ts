// Pauses and rates as servers see them are with the JSON client and the web hosts.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Failure, fail } from '#model/failure.ts';
import { type HostLimits, HostQueue } from '#net/host-queue.ts';

const queueOf = (limits: Partial<HostLimits> = {}) =>
  new HostQueue({ host: 'h', concurrency: 1, patienceMs: 1_000, ...limits });
const busy = (retryAfterSeconds: number): Failure => ({ ...fail('http-503'), retryAfterSeconds });
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

test('default', async () => {
  const started: number[] = [];
  const queue = queueOf({ concurrency: 3 });
  const request = (index: number) => async () => {
    started.push(index);
    return index;
  };
  const results = await Promise.all(times(1_000).map((index) => queue.run(request(index))));
  expect(results).toEqual(times(1_000));
  expect(started).toEqual(times(1_000));
});

test('behavior: keeps its rate if the clock is set back', async () => {
  const queue = queueOf({ requestsPerMinute: 1_200 });
  const start = performance.now();
  await queue.run(async () => 'sent');
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  onTestFinished(() => now.mockRestore());
  expect(await queue.run(async () => 'sent')).toBe('sent');
  expect(performance.now() - start).toBeGreaterThanOrEqual(50);
});

test('behavior: what a request throws is thrown, and the next one is sent', async () => {
  const queue = queueOf();
  const results = Promise.allSettled([queue.run(() => Promise.reject(new Error('no'))), queue.run(async () => 'sent')]);
  expect(await results).toMatchObject([{ reason: new Error('no') }, { value: 'sent' }]);
});

test('behavior: a pause that becomes longer while requests wait for its end is kept', async () => {
  const queue = queueOf({ concurrency: 2 });
  queue.pause(50);
  const start = performance.now();
  const waiting = Promise.all(times(3).map(() => queue.run(async () => performance.now() - start)));
  queue.pause(200);
  queue.pause(10);
  expect(await queue.run(async () => performance.now() - start)).toBeGreaterThanOrEqual(200);
  for (const startedAt of await waiting) expect(startedAt).toBeGreaterThanOrEqual(200);
});

test('error: host-held and source-down for requests that wait', async () => {
  const queue = queueOf({ patienceMs: 300 });
  queue.pause(100);
  const waiting = times(2).map(() => queue.run(async () => 'sent'));
  queue.pause(10_000);
  const held = { code: 'host-held', message: 'h asked to be left alone for 10 s.', retryable: true };
  expect(await Promise.all(waiting)).toMatchObject([held, held]);
  queue.downBecauseOf = fail('connection-failed');
  expect(await queue.run(async () => 'sent')).toMatchObject({ code: 'source-down' });
});

test('behavior: does not wait for a host that asks for an hour, nor retries', async () => {
  const queue = queueOf({ concurrency: 2 });
  let requests = 0;
  const request = async () => {
    requests++;
    return busy(3_600);
  };
  const answers = await Promise.all(times(3).map(() => queue.ask(request, 6)));
  expect(answers).toMatchObject([{ code: 'http-503' }, { code: 'http-503' }, { code: 'host-held' }]);
  expect(requests).toBe(2);
});

test('behavior: adapts the requests at once: half after a 503, one more after 64 successes', async () => {
  const queue = queueOf({ concurrency: 8, isAdaptive: true, speedUp: 1_000 });
  let running = 0;
  let mostAtOnce = 0;
  const request = async (answer: unknown = 'sent') => {
    mostAtOnce = Math.max(mostAtOnce, ++running);
    await delay(2);
    running--;
    return answer;
  };
  const sendMany = async (count: number) => {
    mostAtOnce = 0;
    await Promise.all(times(count).map(() => queue.ask(() => request())));
    return mostAtOnce;
  };
  expect(await sendMany(20)).toBe(8);
  // Refusals of requests in progress at the same time count once.
  await Promise.all(times(8).map(() => queue.ask(() => request(busy(0.01)))));
  expect(await sendMany(20)).toBe(4);
  expect(await sendMany(100)).toBe(5);
  expect(await sendMany(1_000)).toBe(8);
});

test('behavior: retries a failure that may pass, until the last attempt', async () => {
  const queue = queueOf({ speedUp: 1_000 });
  const failures = [fail('connection-failed'), fail('timeout')];
  expect(await queue.ask(async () => failures.pop() ?? 'sent', 3)).toBe('sent');
  for (const [code, count] of [
    ['connection-failed', 6],
    ['not-a-uri', 1],
  ] as const) {
    let attempts = 0;
    const answer = queue.ask(async () => {
      attempts++;
      return fail(code);
    }, 6);
    expect(await answer).toMatchObject({ code });
    expect(attempts).toBe(count);
  }
});
