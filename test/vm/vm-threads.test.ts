// Threads of the VM: many requests at once, and those that hang, crash or take much memory.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { isFailure } from '#model/failure.ts';
import { valuesOf } from '#model/token.ts';
import { Evaluator } from '#vm/evaluator.ts';
import { evaluateWith, getters, source, tellApart } from './evaluate-with.ts';

/** A thread takes a second to start. */
const alone = new Evaluator(1);
afterAll(() => alone.close());

const good = source('token', getters());

test('behavior: many at once, each with its own answer', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Token ${index}`);
  const pair = new Evaluator(2);
  const results = await Promise.all(
    names.map((name, index) => evaluateWith(pair, source(`token-${index}`, getters({ 'get-name': `(ok "${name}")` })))),
  );
  await pair.close();
  expect(results.map((result) => (isFailure(result) ? result : valuesOf(result.answers).name))).toEqual(names);
});

// What crashes is in test/indexer/replay/replay-limits.
test('error: vm-timeout, and what waits behind it is evaluated all the same', async () => {
  const all = [
    evaluateWith(alone, source('token', slowSource()), { timeLimitMs: 300 }),
    evaluateWith(alone, good),
    evaluateWith(alone, good),
  ];
  const NAMED = { values: { name: 'Live' }, partial: false };
  expect((await Promise.all(all)).map(tellApart)).toMatchObject([
    { code: 'vm-timeout', retryable: true },
    NAMED,
    NAMED,
  ]);
  // The thread is replaced for what comes later, too.
  expect(tellApart(await evaluateWith(alone, good))).toMatchObject(NAMED);
});

test('behavior: the time that other work of the machine takes does not count', async () => {
  const some = source('some', slowSource(4));
  await evaluateWith(alone, some);
  const began = performance.now();
  await evaluateWith(alone, some);
  const timeLimitMs = 3 * (performance.now() - began);
  const busy = Array.from({ length: 5 * availableParallelism() }, () => new Worker('for (;;);', { eval: true }));
  onTestFinished(async () => void (await Promise.all(busy.map((one) => one.terminate()))));
  expect(tellApart(await evaluateWith(alone, some, { timeLimitMs }))).not.toMatchObject({ code: 'vm-timeout' });
});

test('behavior: a time-out says whose getter took the time', async () => {
  const slow = source('slow', slowSource());
  const tokens = [good, slow].map(({ contractId }) => ({ contractId, reads: [{ getter: 'get-name' as const }] }));
  const call = { ...good, functionName: 'none', senderAddress: '', args: new Uint8Array(4), result: new Uint8Array() };
  const request = { steps: [good, slow, { ...call, isSkipped: true }], tokens, tip: good.block };
  expect(await alone.replay(request, 500)).toMatchObject({ code: 'vm-timeout', step: 1 });
});

test('behavior: a thread outlives sessions that need tens of megabytes', async () => {
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

test('behavior: closed, it gives back what it had', async () => {
  const closing = new Evaluator(1);
  const all = [1, 2, 3].map(() => evaluateWith(closing, good));
  await closing.close();
  expect(await Promise.all(all)).toMatchObject([1, 2, 3].map(() => ({ code: 'vm-timeout', retryable: true })));
  expect(await evaluateWith(closing, good)).toMatchObject({ code: 'vm-timeout' });
});

/** Folds over ten to the seventh, or less. */
function slowSource(power = 7): string {
  const ten = '(list u1 u2 u3 u4 u5 u6 u7 u8 u9 u10)';
  const levels = Array.from(
    { length: power },
    (_, level) => `(define-private (f${level + 1} (i uint) (a uint)) (fold f${level} ${ten} a))`,
  );
  return `(define-private (f0 (i uint) (a uint)) (+ a u1))\n${levels.join('\n')}\n(f${power} u1 u0)`;
}
