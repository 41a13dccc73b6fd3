// Marks an index run that has not finished, with what it has looked up, so that the next run does not repeat it.
import type { Store, StoreReader, StoreWriter } from './index-database.ts';

/** `listed`: the whole token list was read. */
export type RunMark = 'started' | 'listed';

const KEY = 'run_mark';

/** Undefined if the last run finished. */
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
