// Tests the VM's threads with concurrent requests, and with requests that hang, crash or use much memory.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { isFailure } from '#model/failure.ts';
import { valuesOf } from '#model/token.ts';
import { Evaluator } from '#vm/evaluator.ts';
import { evaluateWith, getters, separate, source } from './evaluate-with.ts';

/** An evaluator with one thread, which tests share, because starting a thread takes a second. */
const alone = new Evaluator(1);
afterAll(() => alone.close());

const good = source('token', getters());

test('returns the right result for each of many concurrent requests', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Token ${index}`);
  const pair = new Evaluator(2);
  const results = await Promise.all(
    names.map((name, index) => evaluateWith(pair, source(`token-${index}`, getters({ 'get-name': `(ok "${name}")` })))),
  );
  await pair.close();
  expect(results.map((result) => (isFailure(result) ? result : valuesOf(result.results).name))).toEqual(names);
});

// Crashes of the VM are tested in test/indexer/replay/replay-limits.test.ts.
test('returns vm-timeout, and evaluates the waiting requests', async () => {
  const all = [
    evaluateWith(alone, source('token', slowSource()), { timeLimitMs: 300 }),
    evaluateWith(alone, good),
    evaluateWith(alone, good),
  ];
  const NAMED = { values: { name: 'Live' }, partial: false };
  expect((await Promise.all(all)).map(separate)).toMatchObject([{ code: 'vm-timeout', retryable: true }, NAMED, NAMED]);
  // The timeout ended the first thread, so this request runs in a new thread.
  expect(separate(await evaluateWith(alone, good))).toMatchObject(NAMED);
});

test('does not count the time of other processes', async () => {
  const some = source('some', slowSource(4));
  await evaluateWith(alone, some);
  const began = performance.now();
  await evaluateWith(alone, some);
  const timeLimitMs = 3 * (performance.now() - began);
  const busy = Array.from({ length: 5 * availableParallelism() }, () => new Worker('for (;;);', { eval: true }));
  onTestFinished(async () => void (await Promise.all(busy.map((worker) => worker.terminate()))));
  expect(separate(await evaluateWith(alone, some, { timeLimitMs }))).not.toMatchObject({ code: 'vm-timeout' });
});

test('reports the token whose getter reached the time limit', async () => {
  const slow = source('slow', slowSource());
  const tokens = [good, slow].map(({ contractId }) => ({ contractId, reads: [{ getter: 'get-name' as const }] }));
  const call = { ...good, functionName: 'none', senderAddress: '', args: new Uint8Array(4), result: new Uint8Array() };
  const request = { steps: [good, slow, { ...call, isSkipped: true }], tokens, tip: good.block };
  expect(await alone.replay(request, 500)).toMatchObject({ code: 'vm-timeout', step: 1 });
});

test('reuses a thread after sessions that need tens of megabytes', async () => {
  const function_ = (index: number) => `(define-read-only (unused-${index}) (list ${'u1 '.repeat(1_000)}))`;
  const large = source('large', Array.from({ length: 25 }, (_, index) => function_(index)).join('\n'));
  await evaluateWith(alone, good);
  let threads = 0;
  const count = () => threads++;
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  for (let time = 0; time < 3; time++)
    expect(await evaluateWith(alone, good, { dependencies: [large] })).toMatchObject({ partial: false });
  expect(threads).toBe(0);
});

test('releases its threads when it is closed', async () => {
  const closing = new Evaluator(1);
  const all = [1, 2, 3].map(() => evaluateWith(closing, good));
  await closing.close();
  expect(await Promise.all(all)).toMatchObject([1, 2, 3].map(() => ({ code: 'vm-timeout', retryable: true })));
  expect(await evaluateWith(closing, good)).toMatchObject({ code: 'vm-timeout' });
});

/** Returns a source that folds over 10 ** `power` elements. */
function slowSource(power = 7): string {
  const ten = '(list u1 u2 u3 u4 u5 u6 u7 u8 u9 u10)';
  const levels = Array.from(
    { length: power },
    (_, level) => `(define-private (f${level + 1} (i uint) (a uint)) (fold f${level} ${ten} a))`,
  );
  return `(define-private (f0 (i uint) (a uint)) (+ a u1))\n${levels.join('\n')}\n(f${power} u1 u0)`;
}
