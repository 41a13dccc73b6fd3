import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Pipeline } from '#indexer/pipeline.ts';

const running = () => new AbortController().signal;

describe('Pipeline', () => {
  test('default', async () => {
    const pipeline = new Pipeline(running());
    const order: string[] = [];
    const first = pipeline.start([], async () => {
      await delay(20);
      order.push('first');
      return 1;
    });
    const second = pipeline.start([first], async (feeders) => {
      expect(feeders.areRunning()).toBe(true);
      await feeders.ended;
      expect(feeders.areRunning()).toBe(false);
      order.push('second');
      return 2;
    });
    await pipeline.end();
    expect([await first.result, await second.result, order]).toEqual([1, 2, ['first', 'second']]);
  });

  test('behavior: undefined work is no stage', async () => {
    const pipeline = new Pipeline(running());
    const none = pipeline.start([], undefined);
    expect(none.isRunning).toBe(false);
    await pipeline.end();
    expect(await none.result).toBeUndefined();
  });

  test('behavior: a stage that fails stops the others, and its error is thrown', async () => {
    const pipeline = new Pipeline(running());
    let stopped = false;
    pipeline.start([], async () => {
      await delay(10_000, undefined, { signal: pipeline.signal }).catch(() => {});
      stopped = pipeline.signal.aborted;
    });
    pipeline.start([], () => Promise.reject(new Error('the first')));
    await expect(pipeline.end()).rejects.toThrow('the first');
    expect(stopped).toBe(true);
  });

  test('behavior: a run that is stopped stops every stage', async () => {
    const run = new AbortController();
    const pipeline = new Pipeline(run.signal);
    pipeline.start([], () => delay(10_000, undefined, { signal: pipeline.signal }).catch(() => {}));
    run.abort();
    await pipeline.end();
  });
});
