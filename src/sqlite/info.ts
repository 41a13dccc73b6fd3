// Single values that a database stores about itself: texts by key in a table `info`.
import { type QueryExecutorProvider, sql } from 'kysely';

export interface InfoTable {
  key: string;
  value: string;
}

export const INFO_TABLE = 'create table info (key text primary key, value text not null) strict, without rowid';

export async function readValues(db: QueryExecutorProvider): Promise<Partial<Record<string, string>>> {
  const { rows } = await sql<InfoTable>`select key, value from info`.execute(db);
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

/** Undefined removes a value. */
export async function writeValues(db: QueryExecutorProvider, values: Readonly<Record<string, string | undefined>>) {
  for (const [key, value] of Object.entries(values))
    if (value === undefined) await sql`delete from info where key = ${key}`.execute(db);
    else
      await sql`insert into info values (${key}, ${value})
      on conflict do update set value = excluded.value`.execute(db);
}
