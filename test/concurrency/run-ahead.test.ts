import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runAhead } from '#concurrency/run-ahead.ts';

async function* upTo(count: number, ending: { error?: unknown; closed?: boolean } = {}): AsyncGenerator<number> {
  try {
    for (let task = 0; task < count; task++) yield task;
    if (ending.error !== undefined) throw ending.error;
  } finally {
    ending.closed = true;
  }
}

/** Returns the results that were yielded, and the error that was thrown after them, if any. */
async function collect(results: AsyncIterable<number>): Promise<{ got: number[]; error?: unknown }> {
  const got: number[] = [];
  try {
    for await (const result of results) got.push(result);
    return { got };
  } catch (error) {
    return { got, error };
  }
}

test('default', async () => {
  // Earlier tasks take longer than later ones.
  const results = runAhead(upTo(12), 3, (task) => delay(12 - task, task * 10));
  expect(await collect(results)).toEqual({ got: Array.from({ length: 12 }, (_, task) => task * 10) });
});

test('runs no tasks, or fewer than the limit', async () => {
  expect(await collect(runAhead(upTo(0), 3, async (task) => task))).toEqual({ got: [] });
  expect(await collect(runAhead(upTo(2), 3, async (task) => task))).toEqual({ got: [0, 1] });
});

test.each([0, 1, 5])('with %d ahead, runs at most one more at once', async (ahead) => {
  let [running, maxRunning] = [0, 0];
  const results = runAhead(upTo(20), ahead, async (task) => {
    maxRunning = Math.max(maxRunning, ++running);
    await delay(1);
    running--;
    return task;
  });
  expect((await collect(results)).got).toHaveLength(20);
  expect(maxRunning).toBe(ahead + 1);
});

test('starts no task until a result is requested', async () => {
  const begun: number[] = [];
  const results = runAhead(upTo(20), 2, async (task) => begun.push(task));
  expect(begun).toEqual([]);
  await results.next();
  await delay(5);
  expect(begun).toEqual([0, 1, 2]);
  await results.return(undefined);
});

test('closes the source after an early stop, and ignores errors of running tasks', async () => {
  const ending = { closed: false };
  for await (const result of runAhead(upTo(20, ending), 3, async (task) => {
    if (task > 0) throw new Error(`task ${task}`);
    return task;
  })) {
    expect(result).toBe(0);
    break;
  }
  expect(ending.closed).toBe(true);
  await delay(5);
});

test('throws the error of a task in place of its result', async () => {
  const ending = { closed: false };
  const results = runAhead(upTo(9, ending), 3, async (task) => {
    // Task 4 fails before tasks 2 and 3, which started earlier, have finished.
    if (task === 4) throw new Error('task 4');
    await delay(5);
    return task;
  });
  expect(await collect(results)).toEqual({ got: [0, 1, 2, 3], error: new Error('task 4') });
  expect(ending.closed).toBe(true);
});

test('throws the error of the source after all results', async () => {
  const results = runAhead(upTo(5, { error: new Error('source') }), 3, (task) => delay(5 - task, task));
  expect(await collect(results)).toEqual({ got: [0, 1, 2, 3, 4], error: new Error('source') });
});

test('throws the error of a task before the error of the source', async () => {
  const results = runAhead(upTo(5, { error: new Error('source') }), 9, async (task) => {
    if (task === 3) throw new Error('task 3');
    return task;
  });
  expect(await collect(results)).toEqual({ got: [0, 1, 2], error: new Error('task 3') });
});

test.each(['a failed task', 'a break'])('waits for the running tasks after %s', async (cause) => {
  const slow = Promise.withResolvers<void>();
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
  slow.resolve();
  expect(await iteration).toBe(cause === 'a break' ? undefined : 'refused');
});
