// The mark of an index run that has not come to its end: what it looked up already, so that the next run does not do it again.
import type { Store, StoreReader, StoreWriter } from './index-database.ts';

/** `started`; `listed` once the whole token list was read. */
export type RunMark = 'started' | 'listed';

const KEY = 'run_mark';

/** Undefined where the last run came to its end. */
export async function readRunMark(store: StoreReader): Promise<RunMark | undefined> {
  const row = await store.selectFrom('info').select('value').where('key', '=', KEY).executeTakeFirst();
  return row?.value as RunMark | undefined;
}

export async function writeRunMark(store: StoreWriter, mark: RunMark): Promise<void> {
  await store
    .insertInto('info')
    .values({ key: KEY, value: mark })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: mark }))
    .execute();
}

export async function removeRunMark(store: Store): Promise<void> {
  await store.deleteFrom('info').where('key', '=', KEY).execute();
}
