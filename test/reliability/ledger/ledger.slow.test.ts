// Makes random sequences of writes to an index, and checks that incremental builds equal full builds.
import { expect, test } from 'vitest';
import { openIndex } from '#store/index-database.ts';
import { Random } from '../../support/random.ts';
import { IS_SOAK, limitOf, rounds } from '../../support/soak.ts';
import { randomWrites } from './random-writes.ts';
import { firstDifference, RenderedSite, renderFull } from './rendered-site.ts';

/**
 * The number of writes to an index, before a new index begins. In a small index, a larger share of writes changes the
 * site.
 */
const STEPS_PER_INDEX = 250;
/**
 * The number of writes between two comparisons. It is high because full builds are slow, and later comparisons still
 * show most differences.
 */
const COMPARED_EVERY = IS_SOAK ? 1 : 4;

/**
 * Returns a description of the first difference between an incremental build and a full build, with the latest writes.
 * Returns undefined without a difference.
 */
async function findDifference(seed: number, steps: number) {
  const store = await openIndex(':memory:');
  try {
    const write = randomWrites(store, new Random(seed));
    const site = new RenderedSite();
    const done: string[] = [];
    for (let step = 0; step < steps; step++) {
      done.push(await write());
      await site.update(store);
      if (done.length % COMPARED_EVERY !== 0) continue;
      const difference = firstDifference(site.files, await renderFull(store));
      if (difference !== undefined)
        return `SEED=${seed}, step ${step}: ${difference}\nafter ${done.slice(-5 * COMPARED_EVERY).join('; ')}`;
    }
    return undefined;
  } finally {
    await store.destroy();
  }
}

test('gives incremental builds the contents of full builds after every write', { timeout: limitOf(20) }, async () => {
  for (const seed of rounds(1)) expect(await findDifference(seed, STEPS_PER_INDEX)).toBeUndefined();
});
