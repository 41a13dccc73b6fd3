// How far the chain is known where no blocks are: the highest tip at which a node or an API answered.
import type { StoreReader, StoreWriter } from './index-database.ts';
import { readInfoValue, writeInfoValue } from './info-values.ts';

/** Of answers that are in other indexes. */
const KEY = 'reported_tip';

export async function readReportedTip(store: StoreReader): Promise<number | undefined> {
  const report = await store
    .selectFrom('report')
    .select((eb) => eb.fn.max('tip_height').as('height'))
    .executeTakeFirst();
  const reading = await store
    .selectFrom('reading')
    .select((eb) => eb.fn.max('height').as('height'))
    .executeTakeFirst();
  const elsewhere = await readInfoValue(store, KEY);
  const known = elsewhere === undefined ? undefined : Number(elsewhere);
  const heights = [report?.height, reading?.height, known].flatMap((height) => height ?? []);
  return heights.length === 0 ? undefined : Math.max(...heights);
}

/** Notes one of another index. */
export async function writeReportedTip(store: StoreWriter, height: number): Promise<void> {
  await writeInfoValue(store, KEY, String(Math.max(height, (await readReportedTip(store)) ?? 0)));
}
