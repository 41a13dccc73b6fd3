// Finds contracts whose files an output folder cannot hold, and hides contracts from the queries of a build.

import { sql } from 'kysely';
import { listed } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';
import { LOWER_NAME } from '../schema/contracts.ts';

/** Returns the ids of contracts that share their id with another contract if case is ignored. */
export async function findCaseTwins(store: StoreReader): Promise<string[]> {
  // Takes 70 ms for 100,000 contracts.
  const { rows } = await sql<{ ids: string }>`select json_group_array(contract_id) as ids from contract
    group by lower(contract_id) having count(*) > 1`.execute(store);
  return rows.flatMap(({ ids }) => JSON.parse(ids) as string[]);
}

/** Returns the ids of contracts with one of the names, which are in lower case. Ignores case. */
export async function findNamed(store: StoreReader, lowerNames: readonly string[]): Promise<string[]> {
  const named = store.selectFrom('contract').select('contract_id');
  const rows = await named.where(sql<string>`${sql.raw(LOWER_NAME)}`, 'in', listed(lowerNames)).execute();
  return rows.map((row) => row.contract_id);
}

/**
 * Calls `use` in a transaction whose queries do not find these contracts. SQLite prefers temporary views to tables with
 * the same name.
 */
export async function withoutContracts<Result>(
  transaction: StoreReader,
  contractIds: readonly string[],
  use: () => Promise<Result>,
): Promise<Result> {
  if (contractIds.length === 0) return use();
  const execute = (statement: string) => sql.raw(statement).execute(transaction);
  await execute('create temp table hidden (contract_key integer primary key, deploy_id integer unique)');
  await sql`insert into temp.hidden select contract_key, deploy_id from contract
    where contract_id in ${listed(contractIds)}`.execute(transaction);
  for (const [name, key] of [['contract', 'contract_key'] as const, ['served_token', 'deploy_id'] as const])
    await execute(`create temp view ${name} as
      select * from main.${name} where ${key} not in (select ${key} from temp.hidden)`);
  // An error undoes these statements with the transaction.
  const result = await use();
  for (const dropped of ['view temp.contract', 'view temp.served_token', 'table temp.hidden'])
    await execute(`drop ${dropped}`);
  return result;
}
