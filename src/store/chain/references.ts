// Stores the functions and traits that the sources of deploys refer to.

import { sql } from 'kysely';
import type { CodeReferences } from '#model/chain-event.ts';
import type { StoreWriter } from '../index-database.ts';

interface DeployReferences extends CodeReferences {
  readonly deployId: number;
}

export async function insertReferences(store: StoreWriter, references: readonly DeployReferences[]): Promise<void> {
  const names = [...new Set(references.flatMap((deploy) => deploy.names))];
  if (names.length === 0) return;
  const list = JSON.stringify(names.map((name) => name.split(' ')));
  const columns = sql`value ->> 0 as form, value ->> 1 as contract_id, value ->> 2 as name from json_each(${list})`;
  await sql`insert or ignore into code_name (form, contract_id, name) select ${columns}`.execute(store);
  const { rows } = await sql<{ key: number; name_id: number }>`select key, name_id
    from (select key, ${columns}) cross join code_name using (contract_id, name, form)`.execute(store);
  const ids = new Map(rows.map((row) => [names[row.key], row.name_id]));
  const pairs = references.flatMap(({ deployId, names }) => names.map((name) => [ids.get(name), deployId]));
  await sql`insert or ignore into code_reference (name_id, deploy_id)
    select value ->> 0 as name_id, value ->> 1 from json_each(${JSON.stringify(pairs)}) order by name_id`.execute(
    store,
  );
}
