// Reads the canonical contracts that define each public or read-only function.

import { sql } from 'kysely';
import type { StoreReader } from '../index-database.ts';

/** The contracts that define each function, by function name: their number, and the first contracts. */
export type FunctionOwners = ReadonlyMap<string, { count: number; readonly first: string[] }>;

/**
 * Reads the contracts that define each function, at most `maxOwners` per function. Lists only the first of contracts
 * that define the same functions.
 */
export async function readFunctionOwners(store: StoreReader, maxOwners: number): Promise<FunctionOwners> {
  const sets = await canonicalDeploys(store)
    .innerJoin('function_set', 'function_set.functions_hash', 'deploy.functions_hash')
    .where('function_set.names', '<>', '')
    .select((eb) => ['function_set.names', eb.fn.countAll<number>().as('count')])
    .select(
      sql<string>`min(printf('%012d %08d ', contract.block_height, contract.tx_index) || contract.contract_id)`.as(
        'first',
      ),
    )
    .groupBy('function_set.functions_hash')
    .orderBy('first')
    .execute();
  const owners = new Map<string, { count: number; readonly first: string[] }>();
  for (const { names, count, first } of sets) {
    const contractId = first.slice(first.lastIndexOf(' ') + 1);
    for (const name of names.split(' ')) {
      const known = owners.get(name) ?? { count: 0, first: [] };
      owners.set(name, known);
      known.count += count;
      if (known.first.length < maxOwners) known.first.push(contractId);
    }
  }
  return owners;
}

/** Returns the sort key of a function: the name in lower case, then the name as written. */
export const sortKey = (name: string): string => `${name.toLowerCase()} ${name}`;

/** Returns the name of the first function in the order of {@link sortKey}. */
export async function firstFunctionName(store: StoreReader): Promise<string | undefined> {
  // The joined names are valid JSON, because names do not contain quotes or backslashes.
  const name = sql<string>`(select min(lower(value) || ' ' || value)
    from json_each('["' || replace(function_set.names, ' ', '","') || '"]'))`;
  // Reads each set of functions once, because many contracts have the same set.
  const row = await store
    .selectFrom('function_set')
    .select((eb) => eb.fn.min(name).as('first'))
    .where('names', '<>', '')
    .where('functions_hash', 'in', canonicalDeploys(store).select('deploy.functions_hash'))
    .executeTakeFirst();
  return row?.first?.split(' ')[1];
}

function canonicalDeploys(store: StoreReader) {
  return store
    .selectFrom('contract')
    .innerJoin('deploy', 'deploy.deploy_id', 'contract.deploy_id')
    .where('contract.canonical', '=', 1);
}
