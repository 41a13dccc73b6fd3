// Reads who calls contracts, and which contracts have the very same source: of canonical, served deploys.

import { sql } from 'kysely';
import { hashFromBlob } from '#sqlite/columns.ts';
import { listed, listedHashes } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';

/** The order of deploys. */
const IN_ORDER = sql`contract.block_height, contract.tx_index, contract.contract_id`;

export interface Caller {
  readonly contractId: string;
  /** Functions that its code calls, sorted. */
  readonly functions: readonly string[];
}

/** Callers by contract id, in the order of their deploys; a contract without any is left out. */
export async function readCallers(store: StoreReader, contractIds: readonly string[]) {
  const rows = await callers(store)
    .select(['called_name.contract_id as callee', 'contract.contract_id as caller', 'called_name.function_name'])
    .where('called_name.contract_id', 'in', listed(contractIds))
    .orderBy(IN_ORDER)
    .orderBy('called_name.function_name')
    .execute();
  const byCallee = Map.groupBy(rows, (row) => row.callee);
  const callersIn = (ofCallee: typeof rows) =>
    [...Map.groupBy(ofCallee, (row) => row.caller)].map(([contractId, calls]) => ({
      contractId,
      functions: calls.map((row) => row.function_name),
    }));
  return new Map([...byCallee].map(([callee, ofCallee]) => [callee, callersIn(ofCallee)]));
}

export type DeployedSource = Awaited<ReturnType<typeof readDeployedSources>>[number];

/**
 * Deploys of contracts on all forks. `isServed`: it is canonical, and its contract's. `isIncludedOnce`: by one known
 * block, so their place never changed.
 */
export async function readDeployedSources(store: StoreReader, contractIds: readonly string[]) {
  const rows = await store
    .selectFrom('deploy')
    .leftJoin('contract', 'contract.deploy_id', 'deploy.deploy_id')
    .select(['deploy.deploy_id as deployId', 'deploy.contract_id as contractId', 'source_hash', 'canonical'])
    .select(sql<number>`(select count(*) from inclusion where inclusion.deploy_id = deploy.deploy_id)`.as('inclusions'))
    .where('deploy.contract_id', 'in', listed(contractIds))
    .orderBy('deploy.deploy_id')
    .execute();
  return rows.map(({ source_hash: hash, inclusions, canonical, ...deploy }) => {
    const isServed = canonical === 1;
    return { ...deploy, sourceHash: hashFromBlob(hash), isServed, isIncludedOnce: inclusions === 1 };
  });
}

export interface SourceFamily {
  /** The contract that was deployed first. */
  readonly first: string;
  /** The number of contracts with the source. */
  readonly members: number;
}

/** Families by the hash of their source. */
export async function readSourceFamilies(store: StoreReader, sourceHashes: readonly string[]) {
  const rows = await sql<{ hash: Buffer; members: number; first: string | null }>`select hash,
      (select count(*) from ${MEMBERS}) as members,
      (select contract.contract_id from ${MEMBERS} order by ${IN_ORDER} limit 1) as first
    from (select value as hash from ${listedHashes(sourceHashes)})`.execute(store);
  const families = new Map<string, SourceFamily>();
  for (const { hash, members, first } of rows.rows)
    if (first !== null) families.set(hashFromBlob(hash), { first, members });
  return families;
}

/** Ids of the contracts with a source, by its hash, in the order of their deploys. */
export async function readContractsBySource(store: StoreReader, sourceHashes: readonly string[]) {
  // One row for each source: a row for each of its contracts takes twice as long.
  const rows = await sql<{ hash: Buffer; ids: string }>`select hash,
      (select json_group_array(contract.contract_id order by ${IN_ORDER}) from ${MEMBERS}) as ids
    from (select value as hash from ${listedHashes(sourceHashes)})`.execute(store);
  return new Map(rows.rows.map(({ hash, ids }) => [hashFromBlob(hash), JSON.parse(ids) as string[]]));
}

/** The contracts with the source of a row. */
const MEMBERS = sql`deploy join contract using (deploy_id)
  where deploy.source_hash = hash and contract.canonical = 1`;

/** The first contract by id that another one calls. */
export async function firstCalledContract(store: StoreReader): Promise<string | undefined> {
  const row = await callers(store)
    .innerJoin('contract as called', 'called.contract_id', 'called_name.contract_id')
    .select('called_name.contract_id')
    .orderBy('called_name.contract_id')
    .limit(1)
    .executeTakeFirst();
  return row?.contract_id;
}

/** The number of contracts that call one, by its id; contracts that nobody calls are left out. */
export async function countCallers(store: StoreReader, contractIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await callers(store)
    .select((eb) => ['called_name.contract_id', eb.fn.count<number>('contract.contract_id').distinct().as('callers')])
    .where('called_name.contract_id', 'in', listed(contractIds))
    .groupBy('called_name.contract_id')
    .execute();
  return new Map(rows.map((row) => [row.contract_id, row.callers]));
}

/** Names of called functions, with the other contracts that call them. */
function callers(store: StoreReader) {
  return store
    .selectFrom('called_name')
    .innerJoin('code_reference', 'code_reference.key', 'called_name.key')
    .innerJoin('contract', 'contract.deploy_id', 'code_reference.deploy_id')
    .where('contract.canonical', '=', 1)
    .whereRef('contract.contract_id', '<>', 'called_name.contract_id');
}
