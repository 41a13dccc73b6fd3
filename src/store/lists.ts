// Cuts long lists into runs that fit the number of parameters a statement may have, and long results into pages.

/** SQLite allows 32,766 parameters; shorter statements also compile faster. */
const MAX_PARAMETERS = 3_000;

/**
 * Runs of `items` for a statement that has `columns` parameters an item. Their lengths are powers of two, so that few
 * different statements have to be compiled.
 */
export function* inRuns<T>(items: readonly T[], columns = 1): Generator<T[]> {
  const most = powerOfTwoWithin(Math.max(1, Math.floor(MAX_PARAMETERS / columns)));
  for (let start = 0; start < items.length; ) {
    const size = Math.min(most, powerOfTwoWithin(items.length - start));
    yield items.slice(start, start + size);
    start += size;
  }
}

/** The rows that a query gives for all runs of `items`. */
export async function readInRuns<T, Row>(items: readonly T[], read: (run: T[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const run of inRuns(items)) rows.push(...(await read(run)));
  return rows;
}

function powerOfTwoWithin(limit: number): number {
  return 2 ** Math.floor(Math.log2(limit));
}

/** Rows of a query a page at a time, each page beginning behind the key of the last row before it. */
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
