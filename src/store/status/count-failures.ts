// Counts the failures in some tables by code, sorted by code.
import { countBy } from '#sqlite/aggregates.ts';
import type { StoreReader } from '../index-database.ts';

export async function countFailures(
  store: StoreReader,
  tables: readonly ('token' | 'reading' | 'document' | 'image' | 'job')[],
): Promise<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) {
    const ofTable = await countBy(store.selectFrom(table).where('failure_code', 'is not', null), 'failure_code');
    for (const [code, count = 0] of Object.entries(ofTable)) counts.set(code, (counts.get(code) ?? 0) + count);
  }
  return Object.fromEntries([...counts].sort(([left], [right]) => (left < right ? -1 : 1)));
}
