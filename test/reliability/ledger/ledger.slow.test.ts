// Makes random sequences of writes to an index, and checks that incremental builds equal full builds.
//
// LEDGER_SEED selects different sequences, and LEDGER_STEPS sets the number of writes. SOAK=1 compares after each
// write, and also tests the triggers in RARE.

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openIndex, type Store } from '#store/index-database.ts';
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
 * The seed of the first sequence that is tried in order to notice a dropped trigger. Seed 6 makes sequences that notice
 * most triggers early.
 */
const FIRST_SEED = SEED + (isSoak ? 0 : 5);
const SHORT = { steps: 40, indexes: 60 };
const LONG = { steps: STEPS_PER_INDEX, indexes: 20 };
const RARE = [
  'ledger_collection_of_chain_failure',
  'ledger_collection_of_collection',
  'ledger_graph_of_deploy',
  'ledger_image_of_contract',
  'ledger_image_of_document',
  'ledger_image_of_image_file',
  'ledger_status_of_job',
  'ledger_status_of_report',
  'ledger_work_of_lookalike',
  'ledger_work_of_reading',
];

/**
 * Returns a description of the first difference between an incremental build and a full build, with the latest writes.
 * Returns undefined without a difference.
 */
async function findDifference(seed: number, steps: number, prepare: (store: Store) => Promise<void>) {
  const store = await openIndex(':memory:');
  try {
    await prepare(store);
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
        expect(await findDifference(SEED + steps, STEPS_PER_INDEX, async () => {})).toBeUndefined();
    },
    60_000 + STEPS * 100,
  );

  test('gives different builds without any single recording', { timeout: 1_200_000 }, async () => {
    const store = await openIndex(':memory:');
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master where type = 'trigger' and name like 'ledger%'`.execute(store);
    await store.destroy();
    const recordings = new Set(rows.map(({ name }) => name.replace(/_[a-z]+$/, '')));
    expect(recordings.size).toBe(23);
    const { steps, indexes } = isSoak ? LONG : SHORT;
    for (const recording of recordings) {
      if (!isSoak && RARE.includes(recording)) continue;
      const drop = async (index: Store) => {
        for (const { name } of rows.filter((row) => row.name.startsWith(`${recording}_`)))
          await sql`drop trigger ${sql.id(name)}`.execute(index);
      };
      let found: string | undefined;
      for (let seed = FIRST_SEED; found === undefined && seed < FIRST_SEED + indexes; seed++)
        found = await findDifference(seed, steps, drop);
      expect(found, recording).toBeDefined();
    }
  });
});
