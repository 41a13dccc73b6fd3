// Stores the highest tip that a node or an API reported, for parts of the chain without indexed blocks.

import { highest } from '#sqlite/aggregates.ts';
import type { StoreReader } from '../index-database.ts';
import { readInfo } from '../index-info.ts';

export async function readReportedTip(store: StoreReader): Promise<number | undefined> {
  const { reportedTip = 0 } = await readInfo(store);
  const [report, reading] = [await highest(store, 'report', 'tip_height'), await highest(store, 'reading', 'height')];
  return Math.max(report, reading, reportedTip) || undefined;
}
