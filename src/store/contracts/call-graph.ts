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

/** Deploys of contracts on all forks; `isIncludedOnce`: by one known block, so their place never changed. */
export async function readDeployedSources(store: StoreReader, contractIds: readonly string[]) {
  const rows = await store
    .selectFrom('deploy')
    .select(['deploy_id as deployId', 'contract_id as contractId', 'source_hash'])
    .select(sql<number>`(select count(*) from inclusion where inclusion.deploy_id = deploy.deploy_id)`.as('inclusions'))
    .where('contract_id', 'in', listed(contractIds))
    .orderBy('deploy_id')
    .execute();
  return rows.map(({ source_hash: hash, inclusions, ...deploy }) => {
    return { ...deploy, sourceHash: hashFromBlob(hash), isIncludedOnce: inclusions === 1 };
  });
}

/** Ids of the contracts with a source, by its hash, in the order of their deploys. */
export async function readContractsBySource(store: StoreReader, sourceHashes: readonly string[]) {
  const rows = await store
    .selectFrom('deploy')
    .innerJoin('contract', 'contract.deploy_id', 'deploy.deploy_id')
    .select(['deploy.source_hash', 'contract.contract_id'])
    .where('deploy.source_hash', 'in', listedHashes(sourceHashes))
    .where('contract.canonical', '=', 1)
    .orderBy(IN_ORDER)
    .execute();
  const groups = Map.groupBy(rows, (row) => hashFromBlob(row.source_hash));
  return new Map([...groups].map(([hash, group]) => [hash, group.map((row) => row.contract_id)]));
}

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
