// The shard that an index is of: it has tokens of those contracts alone, and of all others no more than their code.
import { formatShard, isInShard, parseShard, type Shard } from '#model/shard.ts';
import type { StoreReader } from './index-database.ts';
import { readInfoValue, writeInfoValue } from './info-values.ts';

const KEY = 'shard';

/** Undefined for an index of all contracts. */
export async function readShard(store: StoreReader): Promise<Shard | undefined> {
  return parseShard((await readInfoValue(store, KEY)) ?? '');
}

/** For an index that holds nothing yet. */
export function writeShard(store: StoreReader, shard: Shard): Promise<void> {
  return writeInfoValue(store, KEY, formatShard(shard));
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
