// Reads and writes single values that a database stores about itself: texts by key in the table `info`.
import { type QueryExecutorProvider, sql } from 'kysely';
import { keyed, type RowsOf, text } from './tables.ts';

export const INFO = { info: keyed({ key: text('primary key'), value: text() }) };

export async function readValues(db: QueryExecutorProvider): Promise<Partial<Record<string, string>>> {
  const { rows } = await sql<RowsOf<typeof INFO>['info']>`select key, value from info`.execute(db);
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

/** Stores values. Undefined removes a value. */
export async function writeValues(db: QueryExecutorProvider, values: Readonly<Record<string, string | undefined>>) {
  for (const [key, value] of Object.entries(values))
    if (value === undefined) await sql`delete from info where key = ${key}`.execute(db);
    else
      await sql`insert into info values (${key}, ${value})
      on conflict do update set value = excluded.value`.execute(db);
}
