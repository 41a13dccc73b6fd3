// Long lists in statements: a list as one parameter, rows inserted in runs, and long results in pages.
import {
  CompiledQuery,
  type InsertObject,
  type Kysely,
  type OnConflictBuilder,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type StringReference,
  sql,
  type Transaction,
} from 'kysely';

/** SQLite allows 32,766 parameters; shorter statements also compile faster. */
const MAX_PARAMETERS = 3_000;

/** A list of any length, as one parameter. */
export function listed<T extends string | number | null>(values: readonly T[]): RawBuilder<T> {
  return sql<T>`(select value from json_each(${JSON.stringify(values)}))`;
}

/** Hashes as blobs, from hex with a 0x prefix. */
export function listedHashes(hashes: readonly string[]): RawBuilder<Buffer> {
  return sql<Buffer>`(select unhex(substr(value, 3)) as value from json_each(${JSON.stringify(hashes)}))`;
}

/** Whole rows whose value in a column is one of these, or in a list made by {@link listed} or {@link listedHashes}. */
export async function rowsWith<Schema, Table extends keyof Schema & string>(
  db: Kysely<Schema>,
  table: Table,
  column: keyof Schema[Table] & string,
  values: readonly (string | number)[] | RawBuilder<unknown>,
): Promise<Selectable<Schema[Table]>[]> {
  const list = 'length' in values ? listed(values) : values;
  const query = sql<Selectable<Schema[Table]>>`select * from ${sql.table(table)} where ${sql.ref(column)} in ${list}`;
  return (await query.execute(db)).rows;
}

type OnConflict<Schema, Table extends keyof Schema> = (
  conflict: OnConflictBuilder<Schema, Table>,
) =>
  | ReturnType<OnConflictBuilder<Schema, Table>['doNothing']>
  | ReturnType<OnConflictBuilder<Schema, Table>['doUpdateSet']>;

/** Inserts any number of rows of plain values, all with the same columns: compiled once, for the first row. */
export async function insertRows<Schema, Table extends keyof Schema & string>(
  db: Kysely<Schema> | Transaction<Schema>,
  table: Table,
  rows: readonly InsertObject<Schema, Table>[],
  onConflict?: OnConflict<Schema, Table>,
): Promise<void> {
  const [first] = rows as readonly Record<string, unknown>[];
  if (first === undefined) return;
  const columns = Object.keys(first);
  const query = db.insertInto(table).values(first as InsertObject<Schema, Table>);
  const compiled = (onConflict === undefined ? query : query.onConflict(onConflict)).compile();
  const row = `(${columns.map(() => '?').join(', ')})`;
  const ofConflict = compiled.parameters.slice(columns.length);
  for (const run of inRuns(rows as readonly Record<string, unknown>[], columns.length)) {
    const text = compiled.sql.replace(row, new Array(run.length).fill(row).join(', '));
    const values = run.flatMap((one) => columns.map((column) => one[column]));
    await db.executeQuery(CompiledQuery.raw(text, [...values, ...ofConflict]));
  }
}

/** Splits items into runs for `columns` parameters each; lengths are powers of two, so that few forms are compiled. */
export function* inRuns<T>(items: readonly T[], columns = 1): Generator<T[]> {
  const most = powerOfTwoWithin(Math.max(1, Math.floor(MAX_PARAMETERS / columns)));
  for (let start = 0; start < items.length; ) {
    const size = Math.min(most, powerOfTwoWithin(items.length - start));
    yield items.slice(start, start + size);
    start += size;
  }
}

function powerOfTwoWithin(limit: number): number {
  return 2 ** Math.floor(Math.log2(limit));
}

/** Splits items into runs that weigh at most `most`; an item that weighs more is a run of its own. */
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

/** Pages through a query; each page begins after the key of the last row of the page before. */
export async function* inPages<Row, Key>(read: (after: Key) => Promise<Row[]>, keyOf: (row: Row) => Key, first: Key) {
  for (let rows = await read(first); ; ) {
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    rows = await read(keyOf(last));
  }
}

/** Pages through a query in the order of a column, whose value its rows have under a name; `first` comes before all. */
export function inOrderOf<Schema, Table extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Table, Row>,
  column: StringReference<Schema, Table> & string,
  name: keyof Row,
  pageRows: number,
  first: string | number = '',
): AsyncGenerator<Row[]> {
  const key = sql.ref<unknown>(column);
  const page = query.orderBy(key).limit(pageRows);
  return inPages<Row, unknown>(
    (after) => page.where(key, '>', after).execute(),
    (row) => row[name],
    first,
  );
}

export function groupByToken<Row extends { readonly token_id: number | null }, T>(
  rows: readonly Row[],
  map: (row: Row) => T,
): Map<number, T[]> {
  const groups = Map.groupBy(rows, (row) => row.token_id ?? 0);
  return new Map([...groups].map(([tokenId, group]) => [tokenId, group.map(map)]));
}
