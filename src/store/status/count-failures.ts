// Counts the failures in some tables by code, sorted by code.
import type { FailureCode } from '#model/failure.ts';
import type { StoreReader } from '../index-database.ts';

export async function countFailures(
  store: StoreReader,
  tables: readonly ('token' | 'reading' | 'document' | 'image' | 'job')[],
): Promise<Record<string, number>> {
  const counts = new Map<FailureCode, number>();
  for (const table of tables) {
    const rows = await store
      .selectFrom(table)
      .select((eb) => ['failure_code', eb.fn.countAll<number>().as('count')])
      .where('failure_code', 'is not', null)
      .groupBy('failure_code')
      .execute();
    for (const { failure_code: code, count } of rows)
      if (code !== null) counts.set(code, (counts.get(code) ?? 0) + count);
  }
  return Object.fromEntries([...counts].sort(([left], [right]) => (left < right ? -1 : 1)));
}
