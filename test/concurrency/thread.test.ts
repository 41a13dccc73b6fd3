// Tests that a closed thread has finished its tasks, since Node aborts if a thread ends while zlib starts.
import { expect, test } from 'vitest';
import { openThread } from '#concurrency/thread.ts';

test('finishes its tasks before it closes', async () => {
  const thread = openThread<number, number>({
    module: new URL('./compress-often.ts', import.meta.url),
    name: 'work',
    tasks: 4,
  });
  const results = Array.from({ length: 4 }, () => thread.run(100));
  const [outcomes] = await Promise.all([Promise.allSettled(results), thread.close()]);
  expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
});
