// Tests the pauses and request rates of the queue. The tests of the server client and of web hosts check the effect on
// servers.
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

test('keeps its rate if the clock is set back', async () => {
  const queue = queueOf({ requestsPerMinute: 1_200 });
  const start = performance.now();
  await queue.run(async () => 'sent');
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  onTestFinished(() => now.mockRestore());
  expect(await queue.run(async () => 'sent')).toBe('sent');
  expect(performance.now() - start).toBeGreaterThanOrEqual(50);
});

test('throws the error of a request, and sends the next one', async () => {
  const queue = queueOf();
  const results = Promise.allSettled([queue.run(() => Promise.reject(new Error('no'))), queue.run(async () => 'sent')]);
  expect(await results).toMatchObject([{ reason: new Error('no') }, { value: 'sent' }]);
});

test('respects a pause that is extended while requests wait', async () => {
  const queue = queueOf({ concurrency: 2 });
  queue.pause(50);
  const start = performance.now();
  const waiting = Promise.all(times(3).map(() => queue.run(async () => performance.now() - start)));
  queue.pause(200);
  queue.pause(10);
  expect(await queue.run(async () => performance.now() - start)).toBeGreaterThanOrEqual(200);
  for (const startedAt of await waiting) expect(startedAt).toBeGreaterThanOrEqual(200);
});

test('returns host-held and source-down for waiting requests', async () => {
  const queue = queueOf({ patienceMs: 300 });
  queue.pause(100);
  const waiting = times(2).map(() => queue.run(async () => 'sent'));
  queue.pause(10_000);
  const hostHeld = { code: 'host-held', message: 'h requested a pause of 10 s.', retryable: true };
  expect(await Promise.all(waiting)).toMatchObject([hostHeld, hostHeld]);
  queue.downBecauseOf = fail('connection-failed');
  expect(await queue.run(async () => 'sent')).toMatchObject({ code: 'source-down' });
});

test('neither waits for a host that requests an hour, nor retries', async () => {
  const queue = queueOf({ concurrency: 2 });
  let requests = 0;
  const request = async () => {
    requests++;
    return busy(3_600);
  };
  const results = await Promise.all(times(3).map(() => queue.runWithRetries(request, 6)));
  expect(results).toMatchObject([{ code: 'http-503' }, { code: 'http-503' }, { code: 'host-held' }]);
  expect(requests).toBe(2);
});

test('halves the concurrency after a 503, and raises it after 64 successes', async () => {
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
    await Promise.all(times(count).map(() => queue.runWithRetries(() => request())));
    return mostAtOnce;
  };
  expect(await sendMany(20)).toBe(8);
  // Eight concurrent requests are rejected, but the queue reduces its limit only once.
  await Promise.all(times(8).map(() => queue.runWithRetries(() => request(busy(0.01)))));
  expect(await sendMany(20)).toBe(4);
  expect(await sendMany(100)).toBe(5);
  expect(await sendMany(1_000)).toBe(8);
});

test('retries temporary failures until the last attempt', async () => {
  const queue = queueOf({ speedUp: 1_000 });
  const failures = [fail('connection-failed'), fail('timeout')];
  expect(await queue.runWithRetries(async () => failures.pop() ?? 'sent', 3)).toBe('sent');
  for (const [code, count] of [
    ['connection-failed', 6],
    ['not-a-uri', 1],
  ] as const) {
    let attempts = 0;
    const answer = queue.runWithRetries(async () => {
      attempts++;
      return fail(code);
    }, 6);
    expect(await answer).toMatchObject({ code });
    expect(attempts).toBe(count);
  }
});
