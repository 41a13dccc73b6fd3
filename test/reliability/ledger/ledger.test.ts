// An incremental build has what a full one has, after every write: random sequences of all writes that there are.
//
// LEDGER_SEED makes other sequences, LEDGER_STEPS longer ones; SOAK leaves out each recording, not only some.

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openIndex, type Store } from '#store/index-database.ts';
import { Random } from '../../support/random.ts';
import { RandomWrites } from './random-writes.ts';
import { firstDifference, RenderedSite, renderAnew } from './rendered-site.ts';

const SEED = Number(process.env.LEDGER_SEED ?? 1);
const STEPS = Number(process.env.LEDGER_STEPS ?? 500);
/** An index begins anew so often: in a small one, more of the writes change something. */
const STEPS_PER_INDEX = 250;

/** The first step after which an incremental build differs from a full one, and the steps before it. */
async function findDifference(seed: number, steps: number, prepare: (store: Store) => Promise<void>) {
  const store = await openIndex(':memory:');
  try {
    await prepare(store);
    const writes = new RandomWrites(store, new Random(seed));
    const site = new RenderedSite();
    const done: string[] = [];
    for (let step = 0; step < steps; step++) {
      done.push(await writes.step());
      await site.update(store);
      const difference = firstDifference(site.files, await renderAnew(store));
      if (difference !== undefined)
        return `LEDGER_SEED=${seed}, step ${step}: ${difference}\nafter ${done.slice(-5).join('; ')}`;
    }
    return undefined;
  } finally {
    await store.destroy();
  }
}

describe('ledger', () => {
  test(
    'behavior: after every write, an incremental build has what a full one has',
    async () => {
      for (let steps = 0; steps < STEPS; steps += STEPS_PER_INDEX)
        expect(await findDifference(SEED + steps, STEPS_PER_INDEX, async () => {})).toBeUndefined();
    },
    60_000 + STEPS * 100,
  );

  test('behavior: without any one of its recordings, that is found', { timeout: 240_000 }, async () => {
    const store = await openIndex(':memory:');
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master where type = 'trigger' and name like 'ledger%'`.execute(store);
    await store.destroy();
    const recordings = new Set(rows.map(({ name }) => name.replace(/_[a-z]+$/, '')));
    expect(recordings.size).toBe(16);
    // All of them take a minute.
    const some = [...recordings].filter((_, index) => process.env.SOAK === '1' || index % 6 === SEED % 6);
    for (const recording of some) {
      const drop = async (index: Store) => {
        for (const { name } of rows.filter((row) => row.name.startsWith(`${recording}_`)))
          await sql`drop trigger ${sql.id(name)}`.execute(index);
      };
      let found: string | undefined;
      for (let seed = SEED; found === undefined && seed < SEED + 20; seed++)
        found = await findDifference(seed, STEPS_PER_INDEX, drop);
      expect(found, recording).toBeDefined();
    }
  });
});
