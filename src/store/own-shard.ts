// The shard that an index is of: it has tokens of those contracts alone, and of all others no more than their code.
import { formatShard, isInShard, parseShard, type Shard } from '#model/shard.ts';
import type { StoreReader } from './index-database.ts';

const KEY = 'shard';

/** Undefined for an index of all contracts. */
export async function readShard(store: StoreReader): Promise<Shard | undefined> {
  const row = await store.selectFrom('info').select('value').where('key', '=', KEY).executeTakeFirst();
  return row && parseShard(row.value);
}

/** For an index that holds nothing yet. */
export async function writeShard(store: StoreReader, shard: Shard): Promise<void> {
  const value = formatShard(shard);
  await store
    .insertInto('info')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Those of contracts that the index works on. */
export async function ofOwnShard<Item>(
  store: StoreReader,
  items: readonly Item[],
  contractIdOf: (item: Item) => string,
): Promise<readonly Item[]> {
  if (items.length === 0) return items;
  const shard = await readShard(store);
  return shard === undefined ? items : items.filter((item) => isInShard(shard, contractIdOf(item)));
}
