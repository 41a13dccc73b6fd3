// Splits long lists into runs that a statement has parameters for, and long results into pages.
import { type RawBuilder, sql } from 'kysely';

/** SQLite allows 32,766 parameters; shorter statements also compile faster. */
const MAX_PARAMETERS = 3_000;

/** Runs of `items` for a statement with `columns` parameters each; powers of two, so that few forms are compiled. */
export function* inRuns<T>(items: readonly T[], columns = 1): Generator<T[]> {
  const most = powerOfTwoWithin(Math.max(1, Math.floor(MAX_PARAMETERS / columns)));
  for (let start = 0; start < items.length; ) {
    const size = Math.min(most, powerOfTwoWithin(items.length - start));
    yield items.slice(start, start + size);
    start += size;
  }
}

/** Runs of items that weigh no more than `most` together, or of one that weighs more. */
export function* runsByWeight<T>(items: readonly T[], weightOf: (item: T) => number, most: number): Generator<T[]> {
  let run: T[] = [];
  let weight = 0;
  for (const item of items) {
    const own = weightOf(item);
    if (run.length > 0 && weight + own > most) {
      yield run;
      run = [];
      weight = 0;
    }
    run.push(item);
    weight += own;
  }
  if (run.length > 0) yield run;
}

/** A list of any length, as one parameter. */
export function listed<T extends string | number>(values: readonly T[]): RawBuilder<T> {
  return sql<T>`(select value from json_each(${JSON.stringify(values)}))`;
}

/** The rows that a query returns for all runs of `items`. */
export async function readInRuns<T, Row>(items: readonly T[], read: (run: T[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const run of inRuns(items)) rows.push(...(await read(run)));
  return rows;
}

function powerOfTwoWithin(limit: number): number {
  return 2 ** Math.floor(Math.log2(limit));
}

/** Rows of a query a page at a time; each page begins after the key of the last row before it. */
export async function* inPages<Row, Key>(
  read: (after: Key) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
  first: Key,
): AsyncGenerator<Row[]> {
  for (let rows = await read(first); ; ) {
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    rows = await read(keyOf(last));
  }
}

export function groupByToken<Row extends { readonly token_id: number | null }, T>(
  rows: readonly Row[],
  map: (row: Row) => T,
): Map<number, T[]> {
  const groups = Map.groupBy(rows, (row) => row.token_id ?? 0);
  return new Map([...groups].map(([tokenId, group]) => [tokenId, group.map(map)]));
}
