import { describe, expect, test } from 'vitest';
import type { Store } from '#store/index-database.ts';
import { newIndex } from '../../support/archives.ts';
import { apply, block } from '../../support/chain-index.ts';
import { hashOf } from '../../support/observer-lines.ts';

// Random trees, batches and orders, with what they deploy and mint, are in test/reliability/forks.
describe('CanonicalChain', () => {
  describe('blocks whose parent is not known', () => {
    const at = (id: string, parent: string, height: number) => block({ id, parent, height });
    const canonical = async (store: Store) => {
      const rows = await store
        .selectFrom('block')
        .select('height')
        .where('canonical', '=', 1)
        .orderBy('height')
        .execute();
      return rows.map((row) => row.height);
    };
    const gaps = async (store: Store) =>
      (await store.selectFrom('chain_failure').select('subject').where('code', '=', 'block-gap').execute()).map(
        (row) => row.subject,
      );
    const below = [at('a0', 'none', 0), at('a1', 'a0', 1), at('a2', 'a1', 2)];

    test('default: what is canonical below a gap stays canonical', async () => {
      const store = await newIndex();
      await apply(store, [...below, at('a5', 'a4', 5), at('a6', 'a5', 6)]);
      expect(await canonical(store)).toEqual([0, 1, 2, 5, 6]);
      expect(await gaps(store)).toEqual([hashOf('a5')]);
    });

    test.each([
      ['from above', ['a4', 'a3']],
      ['from below', ['a3', 'a4']],
    ])('behavior: parents that arrive late, %s, close it', async (_, order) => {
      for (const together of [true, false]) {
        const store = await newIndex();
        await apply(store, [...below, at('a5', 'a4', 5)]);
        const late = order.map((id) => at(id, id === 'a4' ? 'a3' : 'a2', Number(id[1])));
        for (const batch of together ? [late] : late.map((one) => [one])) await apply(store, batch);
        expect(await canonical(store)).toEqual([0, 1, 2, 3, 4, 5]);
        expect(await gaps(store)).toEqual([]);
      }
    });

    test('behavior: a parent that closes a gap on another fork takes the places of what was there', async () => {
      const store = await newIndex();
      await apply(store, [...below, at('b4', 'b3', 4)]);
      await apply(store, [at('b2', 'a1', 2)]);
      await apply(store, [at('b3', 'b2', 3)]);
      const rows = await store
        .selectFrom('block')
        .select('index_block_hash')
        .where('canonical', '=', 1)
        .orderBy('height')
        .execute();
      expect(rows.map((row) => `0x${row.index_block_hash.toString('hex')}`)).toEqual(
        ['a0', 'a1', 'b2', 'b3', 'b4'].map(hashOf),
      );
    });

    test('behavior: an archive that begins above height 0 is a gap', async () => {
      const store = await newIndex();
      const { failures } = await apply(store, [at('a7', 'a6', 7), at('a8', 'a7', 8)]);
      expect(failures).toMatchObject([{ code: 'block-gap', subject: hashOf('a7') }]);
      expect(await canonical(store)).toEqual([7, 8]);
    });
  });
});
