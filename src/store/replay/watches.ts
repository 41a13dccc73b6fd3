// Queries about what is watched: contract variables, the functions that may write them, and callers of these functions.

import { sql } from 'kysely';
import { countRows } from '#sqlite/aggregates.ts';
import { excluded, toFlag } from '#sqlite/columns.ts';
import { insertRows, listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

export interface WatchedVariable {
  readonly contractId: string;
  readonly name: string;
  /** 0 in contracts that getters read; otherwise the number of calls to reach one. */
  readonly distance: number;
  /** True if no call that may write it came before it was watched. */
  readonly isWhole: boolean;
}

export interface WatchedFunction {
  readonly contractId: string;
  readonly functionName: string;
}

export interface Watches {
  readonly variables: readonly WatchedVariable[];
  readonly functions: readonly WatchedFunction[];
}

export async function readWatches(store: StoreReader): Promise<Watches & { readonly leading: readonly number[] }> {
  const variables = await store
    .selectFrom('watched_variable')
    .select(['contract_id as contractId', 'name', 'distance', 'is_whole'])
    .execute();
  const functions = store.selectFrom('watched_function').select(['contract_id as contractId', 'name as functionName']);
  const leading = await store.selectFrom('leading').select('key').execute();
  return {
    variables: variables.map(({ is_whole, ...variable }) => ({ ...variable, isWhole: is_whole === 1 })),
    functions: await functions.execute(),
    leading: leading.map(({ key }) => key),
  };
}

/** Names of a contract's variables whose calls are all recorded since its deploy. */
export async function readWholeVariables(store: StoreReader, contractId: string): Promise<Set<string>> {
  const rows = await store
    .selectFrom('watched_variable')
    .select('name')
    .where('contract_id', '=', contractId)
    .where('is_whole', '=', 1)
    .execute();
  return new Set(rows.map(({ name }) => name));
}

/** Adds watches. A variable that is already watched keeps the shorter distance. */
export async function insertWatches(store: StoreWriter, { variables, functions }: Watches): Promise<void> {
  const variableRows = variables.map(({ contractId, name, distance, isWhole }) => ({
    contract_id: contractId,
    name,
    distance,
    is_whole: toFlag(isWhole),
  }));
  const functionRows = functions.map(({ contractId, functionName: name }) => ({ contract_id: contractId, name }));
  await insertRows(store, 'watched_variable', variableRows, (conflict) =>
    conflict.doUpdateSet(excluded('distance', 'is_whole')),
  );
  await insertRows(store, 'watched_function', functionRows);
}

/** Number of variables of which calls may not be recorded. */
export async function countNotWhole(store: StoreReader): Promise<number> {
  return countRows(store.selectFrom('watched_variable').where('is_whole', '=', 0));
}

/** Takes the calls of all variables but these for recorded. Returns the contracts of which that was not known. */
export async function markWhole(store: StoreWriter, except: readonly string[]): Promise<string[]> {
  const updated = store
    .updateTable('watched_variable')
    .set({ is_whole: 1 })
    .where('is_whole', '=', 0)
    .where(sql<string>`contract_id || ' ' || name`, 'not in', listed(except));
  return [...new Set((await updated.returning('contract_id').execute()).map((row) => row.contract_id))];
}

/** Deletes watches on these contracts. */
export async function deleteWatches(store: StoreWriter, contractIds: readonly string[]): Promise<void> {
  await store.deleteFrom('watched_variable').where('contract_id', 'in', listed(contractIds)).execute();
  await store.deleteFrom('watched_function').where('contract_id', 'in', listed(contractIds)).execute();
}

/** Keys as in clarity/name-key.ts. */
export async function insertKeys(store: StoreWriter, table: 'seen' | 'leading', keys: ReadonlySet<number>) {
  if (keys.size === 0) return;
  const values = JSON.stringify([...keys]);
  await sql`insert or ignore into ${sql.table(table)} (key) select value from json_each(${values})`.execute(store);
}

/** The keys among these that were seen. */
export async function findSeen(store: StoreReader, keys: readonly number[]): Promise<Set<number>> {
  const rows = await store.selectFrom('seen').select('key').where('key', 'in', listed(keys)).execute();
  return new Set(rows.map(({ key }) => key));
}

/** Ids of contracts whose code may call one of these functions, at most `limit`. */
export async function findCallers(store: StoreReader, keys: readonly number[], limit: number): Promise<string[]> {
  const rows = await store
    .selectFrom('code_reference')
    .innerJoin('deploy', 'deploy.deploy_id', 'code_reference.deploy_id')
    .select('deploy.contract_id')
    .distinct()
    .where('code_reference.key', 'in', listed(keys))
    .limit(limit)
    .execute();
  return rows.map((row) => row.contract_id);
}
