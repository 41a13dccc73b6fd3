// Marks an index run that has not finished, with what it has looked up, so that the next run does not repeat it.
import type { Store, StoreReader, StoreWriter } from './index-database.ts';
import { readInfoValue, writeInfoValue } from './info-values.ts';

/** `listed`: the whole token list was read. */
export type RunMark = 'started' | 'listed';

const KEY = 'run_mark';

/** Undefined if the last run finished. */
export async function readRunMark(store: StoreReader): Promise<RunMark | undefined> {
  return (await readInfoValue(store, KEY)) as RunMark | undefined;
}

export function writeRunMark(store: StoreWriter, mark: RunMark): Promise<void> {
  return writeInfoValue(store, KEY, mark);
}

export async function removeRunMark(store: Store): Promise<void> {
  await store.deleteFrom('info').where('key', '=', KEY).execute();
}
