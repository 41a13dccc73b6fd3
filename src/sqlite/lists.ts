// Handles long lists in SQL: passes a list as one parameter, inserts rows in batches, and reads long results in pages.
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

/** The maximum number of parameters of a statement. SQLite allows 32,766, but shorter statements compile faster. */
const MAX_PARAMETERS = 3_000;

/** Returns a list of any length as one SQL parameter. */
export function listed<T extends string | number | null>(values: readonly T[]): RawBuilder<T> {
  return sql<T>`(select value from json_each(${JSON.stringify(values)}))`;
}

/** Returns a list of hashes as one SQL parameter. Takes hex with a 0x prefix, for columns of blobs. */
export function listedHashes(hashes: readonly string[]): RawBuilder<Buffer> {
  return sql<Buffer>`(select unhex(substr(value, 3)) as value from json_each(${JSON.stringify(hashes)}))`;
}

/**
 * Reads the rows whose value in a column is in a list: an array, or the result of {@link listed} or
 * {@link listedHashes}.
 */
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

/**
 * Inserts any number of rows of plain values. All rows must have the columns of the first row, since the statement is
 * compiled for these columns.
 */
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
  const conflictParameters = compiled.parameters.slice(columns.length);
  for (const batch of inBatches(rows as readonly Record<string, unknown>[], columns.length)) {
    const text = compiled.sql.replace(row, new Array(batch.length).fill(row).join(', '));
    const values = batch.flatMap((fields) => columns.map((column) => fields[column]));
    await db.executeQuery(CompiledQuery.raw(text, [...values, ...conflictParameters]));
  }
}

/**
 * Splits items into batches, one for each statement. An item takes `columns` parameters. The lengths of batches are
 * powers of two, so that few different statements are compiled.
 */
export function* inBatches<T>(items: readonly T[], columns = 1): Generator<T[]> {
  const maxSize = powerOfTwoWithin(Math.max(1, Math.floor(MAX_PARAMETERS / columns)));
  for (let start = 0; start < items.length; ) {
    const size = Math.min(maxSize, powerOfTwoWithin(items.length - start));
    yield items.slice(start, start + size);
    start += size;
  }
}

function powerOfTwoWithin(limit: number): number {
  return 2 ** Math.floor(Math.log2(limit));
}

/** Splits items into runs of at most `size` items. */
export function* runsOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Splits each page of items into runs of at most `size` items. */
export async function* inRuns<Item>(pages: AsyncIterable<readonly Item[]>, size: number): AsyncGenerator<Item[]> {
  for await (const page of pages) yield* runsOf(page, size);
}

/** Splits items into batches of at most `maxWeight` in total. A heavier item is the only item of its batch. */
export function* batchesByWeight<T>(
  items: readonly T[],
  weightOf: (item: T) => number,
  maxWeight: number,
): Generator<T[]> {
  let batch: T[] = [];
  let weight = 0;
  for (const item of items) {
    const itemWeight = weightOf(item);
    if (batch.length > 0 && weight + itemWeight > maxWeight) {
      yield batch;
      batch = [];
      weight = 0;
    }
    batch.push(item);
    weight += itemWeight;
  }
  if (batch.length > 0) yield batch;
}

/** Reads a query in pages. Each page begins after the key of the last row of the previous page. */
export async function* inPages<Row, Key>(read: (after: Key) => Promise<Row[]>, keyOf: (row: Row) => Key, first: Key) {
  for (let rows = await read(first); ; ) {
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    rows = await read(keyOf(last));
  }
}

/**
 * Reads a query in pages, sorted by a column. `name` is the name of this column in the rows, and `first` is a value
 * that sorts before all values of the column.
 */
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
