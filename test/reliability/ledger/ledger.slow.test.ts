// Makes random sequences of writes to an index, and checks that incremental builds equal full builds.
//
// LEDGER_SEED selects different sequences, and LEDGER_STEPS sets the number of writes. SOAK=1 compares after each
// write.

import { describe, expect, test } from 'vitest';
import { openIndex } from '#store/index-database.ts';
import { Random } from '../../support/random.ts';
import { randomWrites } from './random-writes.ts';
import { firstDifference, RenderedSite, renderFull } from './rendered-site.ts';

const SEED = Number(process.env.LEDGER_SEED ?? 1);
const STEPS = Number(process.env.LEDGER_STEPS ?? 250);
const isSoak = process.env.SOAK === '1';
/**
 * The number of writes to an index, before a new index begins. In a small index, a larger share of writes changes the
 * site.
 */
const STEPS_PER_INDEX = 250;
/**
 * The number of writes between two comparisons. It is high because full builds are slow, and later comparisons still
 * show most differences.
 */
const COMPARED_EVERY = isSoak ? 1 : 4;

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
        return `LEDGER_SEED=${seed}, step ${step}: ${difference}\nafter ${done.slice(-5 * COMPARED_EVERY).join('; ')}`;
    }
    return undefined;
  } finally {
    await store.destroy();
  }
}

describe('ledger', () => {
  test(
    'gives incremental builds the contents of full builds after every write',
    async () => {
      for (let steps = 0; steps < STEPS; steps += STEPS_PER_INDEX)
        expect(await findDifference(SEED + steps, STEPS_PER_INDEX)).toBeUndefined();
    },
    60_000 + STEPS * 100,
  );
});
