// Reads which contracts define a public or read-only function: of canonical, served deploys.

import { sql } from 'kysely';
import type { StoreReader } from '../index-database.ts';

/** By function name. */
export type FunctionOwners = ReadonlyMap<string, { count: number; readonly first: string[] }>;

/** `most`: contracts listed for a name; of those with the same functions, the first stands for all. */
export async function readFunctionOwners(store: StoreReader, most: number): Promise<FunctionOwners> {
  const sets = await servedSets(store)
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
      if (known.first.length < most) known.first.push(contractId);
    }
  }
  return owners;
}

/** Functions are sorted by their names in lower case. */
export const sortKey = (name: string): string => `${name.toLowerCase()} ${name}`;

/** The first function in this order. */
export async function firstFunctionName(store: StoreReader): Promise<string | undefined> {
  // Names have no quotes and no backslashes.
  const name = sql<string>`(select min(lower(value) || ' ' || value)
    from json_each('["' || replace(function_set.names, ' ', '","') || '"]'))`;
  const row = await servedSets(store)
    .select((eb) => eb.fn.min(name).as('first'))
    .executeTakeFirst();
  return row?.first?.split(' ')[1];
}

function servedSets(store: StoreReader) {
  return store
    .selectFrom('contract')
    .innerJoin('deploy', 'deploy.deploy_id', 'contract.deploy_id')
    .innerJoin('function_set', 'function_set.functions_hash', 'deploy.functions_hash')
    .where('contract.canonical', '=', 1)
    .where('function_set.names', '<>', '');
}
