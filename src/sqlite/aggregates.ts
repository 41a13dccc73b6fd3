// Reads numbers about tables: the highest value of a column, the number of rows, and the number of rows for each value
// of a column.
import { type Kysely, type SelectQueryBuilder, type StringReference, sql } from 'kysely';

const COUNT = sql<number>`count(*)`;

/** Returns the highest value of a column; 0 for an empty table. */
export async function highest<Schema, Table extends keyof Schema & string>(
  db: Kysely<Schema>,
  table: Table,
  column: keyof Schema[Table] & string,
): Promise<number> {
  const query = sql<{ last: number | null }>`select max(${sql.ref(column)}) as last from ${sql.table(table)}`;
  return (await query.execute(db)).rows[0]?.last ?? 0;
}

export async function countRows<Schema, Table extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Table, Row>,
): Promise<number> {
  const counted = query.select(COUNT.as('count')).$castTo<{ count: number }>();
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** Returns the number of rows for each value of a column, sorted by value. Values without rows are missing. */
export async function countBy<Schema, Table extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Table, Row>,
  column: StringReference<Schema, Table> & string,
): Promise<Record<string, number>> {
  const value = sql`${sql.ref(column)}`;
  const counted = query
    .select([value.as('value'), COUNT.as('count')])
    .groupBy(value)
    .orderBy(value);
  const rows = await counted.$castTo<{ value: string; count: number }>().execute();
  return Object.fromEntries(rows.map((row) => [row.value, row.count]));
}
