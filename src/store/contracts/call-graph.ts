// Reads the call graph: the functions and traits that sources refer to, callers, and contracts with equal sources.
// Callers and copies are canonical contracts, in the order of their deploys.

import { sql } from 'kysely';
import { hashFromBlob } from '#sqlite/columns.ts';
import { listed, listedHashes } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';

/** The order in which contracts were deployed. */
const IN_ORDER = sql`contract.block_height, contract.tx_index, contract.contract_id`;

export interface GraphBlock {
  /** The id of the block: three hex digits (layout/data-files.ts). */
  readonly digits: string;
  /** The number of contracts in the block. */
  readonly contracts: number;
}

/** Returns the blocks of the call graph in order of their digits, optionally only the blocks of these contracts. */
export async function readGraphBlocks(store: StoreReader, contractIds?: readonly string[]): Promise<GraphBlock[]> {
  const blocks = store
    .selectFrom('contract')
    .select((eb) => ['graph_block as digits', eb.fn.countAll<number>().as('contracts')])
    .$if(contractIds !== undefined, (query) =>
      query.where('graph_block', 'in', (eb) =>
        eb
          .selectFrom('contract')
          .select('graph_block')
          .where('contract_id', 'in', listed(contractIds ?? [])),
      ),
    );
  return blocks.groupBy('graph_block').orderBy('graph_block').execute();
}

export type GraphRow = Awaited<ReturnType<typeof readGraphContracts>>[number];

/** Returns the contracts in these blocks, sorted by block and id. Only canonical contracts have a `sourceHash`. */
export async function readGraphContracts(store: StoreReader, blocks: readonly string[]) {
  const rows = await store
    .selectFrom('contract')
    .innerJoin('deploy', 'deploy.deploy_id', 'contract.deploy_id')
    .select(['graph_block as digits', 'contract.contract_id as contractId', 'contract.deploy_id as deployId'])
    .select(['canonical', 'interface_from as interfaceFrom', 'source_hash'])
    .where('graph_block', 'in', listed(blocks))
    .orderBy('graph_block')
    .orderBy('contract.contract_id')
    .execute();
  return rows.map(({ canonical, source_hash: hash, ...row }) => {
    return { ...row, sourceHash: canonical === 1 ? hashFromBlob(hash) : undefined };
  });
}

/** Returns the functions and traits that the source of each deploy refers to, sorted, by deploy id. */
export async function readCodeNames(store: StoreReader, deployIds: readonly number[]) {
  const rows = await store
    .selectFrom('code_reference')
    .innerJoin('code_name', 'code_name.name_id', 'code_reference.name_id')
    .select(['deploy_id', 'form', 'contract_id as contractId', 'name'])
    .where('deploy_id', 'in', listed(deployIds))
    .orderBy('contract_id')
    .orderBy('name')
    .execute();
  return Map.groupBy(rows, (row) => row.deploy_id);
}

/** Returns the calls of each contract by other contracts, by called contract: the caller and the called function. */
export async function readCallers(store: StoreReader, contractIds: readonly string[]) {
  const rows = await callers(store)
    .select(['code_name.contract_id as called', 'contract.contract_id as contractId', 'code_name.name'])
    .where('code_name.contract_id', 'in', listed(contractIds))
    .orderBy(IN_ORDER)
    .orderBy('code_name.name')
    .execute();
  return Map.groupBy(rows, (row) => row.called);
}

/** Groups canonical contracts by source. Returns their ids by the hash of the source. */
export async function readCopies(store: StoreReader, hashes: Iterable<string>): Promise<Map<string, string[]>> {
  // The query returns a row for each source, because a row for each contract takes twice as long.
  const { rows } = await sql<{ hash: Buffer; ids: string }>`select hash, (
      select json_group_array(contract.contract_id order by ${IN_ORDER}) from deploy join contract using (deploy_id)
      where deploy.source_hash = hash and contract.canonical = 1
    ) as ids from (select value as hash from ${listedHashes([...hashes])})`.execute(store);
  return new Map(rows.map(({ hash, ids }) => [hashFromBlob(hash), JSON.parse(ids) as string[]]));
}

/** Returns the contracts that the changed contracts call, and copies of the changed contracts, on any fork. */
export async function findAffected(store: StoreReader, changedIds: readonly string[]): Promise<string[]> {
  const called = await store
    .selectFrom('deploy')
    .innerJoin('code_reference', 'code_reference.deploy_id', 'deploy.deploy_id')
    .innerJoin('code_name', 'code_name.name_id', 'code_reference.name_id')
    .select('code_name.contract_id')
    .distinct()
    .where('deploy.contract_id', 'in', listed(changedIds))
    .where('form', '=', 'contract-call?')
    .execute();
  return [...called.map((row) => row.contract_id), ...(await findCopied(store, changedIds))];
}

/**
 * Returns the first contract with each source of the changed contracts. Returns all contracts with a source if the
 * first one may have changed.
 */
async function findCopied(store: StoreReader, changedIds: readonly string[]): Promise<string[]> {
  const deploys = await store
    .selectFrom('deploy')
    .leftJoin('contract', 'contract.deploy_id', 'deploy.deploy_id')
    .select(['source_hash', 'canonical'])
    .select(sql<number>`(select count(*) from inclusion where inclusion.deploy_id = deploy.deploy_id)`.as('inclusions'))
    .where('deploy.contract_id', 'in', listed(changedIds))
    .execute();
  const bySource = Map.groupBy(deploys, (row) => hashFromBlob(row.source_hash));
  const changed = new Set(changedIds);
  // A canonical deploy that only one known block includes has not moved in the chain.
  const mayHaveBeenFirst = (row: (typeof deploys)[number]) => row.canonical !== 1 || row.inclusions !== 1;
  return [...(await readCopies(store, bySource.keys()))].flatMap(([hash, copies]) => {
    const [first = ''] = copies;
    return changed.has(first) || bySource.get(hash)?.some(mayHaveBeenFirst) ? copies : copies.slice(0, 1);
  });
}

/** Returns the first contract that has a caller, in order of contract id. */
export async function firstCalledContract(store: StoreReader): Promise<string | undefined> {
  const row = await callers(store)
    .innerJoin('contract as called', 'called.contract_id', 'code_name.contract_id')
    .select('code_name.contract_id')
    .orderBy('code_name.contract_id')
    .limit(1)
    .executeTakeFirst();
  return row?.contract_id;
}

/**
 * Returns the number of addresses that deployed the callers of each contract, by contract id. One person may deploy
 * thousands of callers. Skips contracts without callers.
 */
export async function countCallingAddresses(
  store: StoreReader,
  contractIds: readonly string[],
): Promise<Map<string, number>> {
  const address = sql`substr(contract.contract_id, 1, instr(contract.contract_id, '.') - 1)`;
  const rows = await callers(store)
    .select(['code_name.contract_id', sql<number>`count(distinct ${address})`.as('callers')])
    .where('code_name.contract_id', 'in', listed(contractIds))
    .groupBy('code_name.contract_id')
    .execute();
  return new Map(rows.map((row) => [row.contract_id, row.callers]));
}

/** Selects called functions, each with a contract that calls it. Skips calls of a contract to itself. */
function callers(store: StoreReader) {
  return store
    .selectFrom('code_name')
    .innerJoin('code_reference', 'code_reference.name_id', 'code_name.name_id')
    .innerJoin('contract', 'contract.deploy_id', 'code_reference.deploy_id')
    .where('form', '=', 'contract-call?')
    .where('contract.canonical', '=', 1)
    .whereRef('contract.contract_id', '<>', 'code_name.contract_id');
}
