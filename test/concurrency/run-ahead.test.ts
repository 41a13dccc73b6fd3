import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runAhead } from '#concurrency/run-ahead.ts';

/** A task that runs until `end` is called. */
function pendingTask() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, end: resolve };
}

test('yields the results in the order of the tasks', async () => {
  const first = pendingTask();
  const results = runAhead([0, 1, 2], 2, async (task) => {
    if (task === 0) await first.promise;
    if (task === 2) first.end();
    return task;
  });
  expect(await Array.fromAsync(results)).toEqual([0, 1, 2]);
});

test.each(['a failed task', 'a break'])('waits for the running tasks after %s', async (cause) => {
  const slow = pendingTask();
  let ended = false;
  const results = runAhead(['first', 'slow'], 1, async (task) => {
    if (task === 'slow') await slow.promise;
    else if (cause === 'a failed task') throw new Error('refused');
  });
  const iteration = (async () => {
    for await (const _ of results) break;
  })()
    .catch((error: Error) => error.message)
    .finally(() => {
      ended = true;
    });
  await turn();
  expect(ended).toBe(false);
  slow.end();
  expect(await iteration).toBe(cause === 'a break' ? undefined : 'refused');
});
