// Single values that an index keeps about itself, each under a key of its own.
import type { StoreReader } from './index-database.ts';

export async function readInfoValue(store: StoreReader, key: string): Promise<string | undefined> {
  const row = await store.selectFrom('info').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}

export async function writeInfoValue(store: StoreReader, key: string, value: string): Promise<void> {
  await store
    .insertInto('info')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
