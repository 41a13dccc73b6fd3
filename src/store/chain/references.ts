// Stores what the sources of deploys say about calls and functions.

import { sql } from 'kysely';
import type { CodeReferences } from '#model/chain-event.ts';
import { hashToBlob } from '#sqlite/columns.ts';
import { insertRows } from '#sqlite/lists.ts';
import type { StoreWriter } from '../index-database.ts';

export async function insertReferences(
  store: StoreWriter,
  references: readonly (CodeReferences & { readonly deployId: number })[],
): Promise<void> {
  const pairs = references.flatMap(({ deployId, calls }) => [...calls].map((key) => [key, deployId]));
  if (pairs.length > 0)
    await sql`insert or ignore into code_reference (key, deploy_id)
      select value ->> 0 as key, value ->> 1 from json_each(${JSON.stringify(pairs)}) order by key`.execute(store);
  const names = new Map(references.flatMap(({ calls, names }) => names.map((name, index) => [name, calls[index]])));
  if (names.size > 0)
    await sql`insert or ignore into called_name (contract_id, function_name, key)
      select substr(value ->> 0, 1, instr(value ->> 0, ' ') - 1), substr(value ->> 0, instr(value ->> 0, ' ') + 1),
        value ->> 1
      from json_each(${JSON.stringify([...names])})`.execute(store);
  const sets = new Map(references.map(({ functionsHash, functions }) => [functionsHash, functions]));
  const rows = [...sets].map(([hash, names]) => ({ functions_hash: hashToBlob(hash), names }));
  await insertRows(store, 'function_set', rows, (conflict) => conflict.doNothing());
}
