// Stores the highest tip that a node or an API reported, for parts of the chain without indexed blocks.

import type { StoreReader } from '../index-database.ts';
import { readInfo } from '../index-info.ts';

export async function readReportedTip(store: StoreReader): Promise<number | undefined> {
  const report = await store
    .selectFrom('report')
    .select((eb) => eb.fn.max('tip_height').as('height'))
    .executeTakeFirst();
  const reading = await store
    .selectFrom('reading')
    .select((eb) => eb.fn.max('height').as('height'))
    .executeTakeFirst();
  const { reportedTip } = await readInfo(store);
  const heights = [report?.height, reading?.height, reportedTip].flatMap((height) => height ?? []);
  return heights.length === 0 ? undefined : Math.max(...heights);
}
