// Queries about deploy transactions, their code, and the blocks that include them.

import { type SqlBool, sql } from 'kysely';
import type { ContractDeploy } from '#model/chain-event.ts';
import { unpackCode } from '#model/packed-code.ts';
import { countRows } from '#sqlite/aggregates.ts';
import { hashFromBlob, hashToBlob, withoutNulls } from '#sqlite/columns.ts';
import { insertRows, listed, listedHashes } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { isCanonical } from '../schema/chain.ts';
import { readBlocks, readWithParents } from './blocks.ts';
import { CODE_COLUMNS, codeColumns, toPackedCode } from './code-columns.ts';
import { insertReferences } from './references.ts';
import { deployColumns, type NewDeploy } from './upsert-deploys.ts';

export interface NewInclusion extends Pick<ContractDeploy, 'txIndex' | 'events'> {
  readonly deployId: number;
  /** The block that includes the deploy. A microblock is given by the index block hash of its parent block. */
  readonly in: { readonly blockId: number } | { readonly microblockParent: string };
}

export async function insertInclusions(store: StoreWriter, inclusions: readonly NewInclusion[]): Promise<void> {
  const rows = inclusions.map(({ deployId, txIndex, events, in: including }) => ({
    deploy_id: deployId,
    events: events === undefined ? null : Buffer.from(events),
    block_id: 'blockId' in including ? including.blockId : null,
    microblock_parent: 'blockId' in including ? null : hashToBlob(including.microblockParent),
    tx_index: txIndex,
  }));
  await insertRows(store, 'inclusion', rows, (conflict) => conflict.doNothing());
}

/** Deletes the inclusions that these ones replace: same transaction and block, but stored without an interface. */
export async function deleteOtherInclusions(store: StoreWriter, inclusions: readonly NewInclusion[]): Promise<void> {
  for (const { deployId, in: including } of inclusions) {
    if (!('blockId' in including)) continue;
    await sql`delete from inclusion where block_id = ${including.blockId} and deploy_id <> ${deployId}
      and deploy_id in (select other.deploy_id from deploy join deploy as other using (tx_id)
        where deploy.deploy_id = ${deployId})`.execute(store);
  }
}

/** Finds the blocks that include these deploys. `hasInterface` is true if a source provided the interface. */
export async function findIncluded(store: StoreReader, txIds: readonly string[]) {
  const rows = await store
    .selectFrom('deploy')
    .innerJoin('inclusion', 'inclusion.deploy_id', 'deploy.deploy_id')
    .select(['deploy.tx_id', 'deploy.clarity_version', 'deploy.epoch', 'deploy.interface_from'])
    .select('inclusion.block_id as blockId')
    .where('deploy.tx_id', 'in', listedHashes(txIds))
    .where('inclusion.block_id', 'is not', null)
    .$narrowType<{ blockId: number }>()
    .execute();
  const blocks = await readBlocks(
    store,
    rows.map(({ blockId }) => blockId),
  );
  return rows.map((row) => ({
    txId: hashFromBlob(row.tx_id),
    blockId: row.blockId,
    indexBlockHash: blocks.get(row.blockId)?.indexBlockHash,
    clarityVersion: row.clarity_version ?? undefined,
    epoch: row.epoch ?? undefined,
    hasInterface: row.interface_from === 'source',
  }));
}

/** Returns the ids of contracts that these blocks deploy. */
export async function contractIdsIn(store: StoreReader, blockIds: readonly number[]): Promise<string[]> {
  if (blockIds.length === 0) return [];
  const { rows } = await sql<{ contract_id: string }>`select contract_id from inclusion join deploy using (deploy_id)
    where block_id in ${listed(blockIds)}`.execute(store);
  return rows.map((row) => row.contract_id);
}

/** Reads the sources of a contract: from all its deploys on every fork, or only from its served deploy. */
export async function readSources(store: StoreReader, contractId: string, which: 'all' | 'served'): Promise<string[]> {
  const rows = await store
    .selectFrom('deploy')
    .innerJoin('deploy_code', 'deploy_code.deploy_id', 'deploy.deploy_id')
    .select(CODE_COLUMNS)
    .where('deploy.contract_id', '=', contractId)
    .$if(which === 'served', (query) => query.innerJoin('contract', 'contract.deploy_id', 'deploy.deploy_id'))
    .orderBy('deploy.deploy_id')
    .execute();
  return rows.map((row) => unpackCode(toPackedCode(row)).source);
}

/** Counts the deploys of a contract on all forks. */
export function countDeploys(store: StoreReader, contractId: string): Promise<number> {
  return countRows(store.selectFrom('deploy').where('contract_id', '=', contractId));
}

export type DeployBlock = NonNullable<Awaited<ReturnType<typeof readDeployBlock>>>;

/** Reads the canonical block that includes a deploy, with the burn height of its parent if known. */
export async function readDeployBlock(store: StoreReader, deployId: number) {
  const row = await store
    .selectFrom('inclusion')
    .select(['block_id', 'events'])
    .where('deploy_id', '=', deployId)
    .where('block_id', 'is not', null)
    .where(sql<SqlBool>`${sql.raw(isCanonical('inclusion.block_id'))}`)
    .$narrowType<{ block_id: number }>()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { block_id: blockId, ...inclusion } = withoutNulls(row);
  const block = (await readWithParents(store, [blockId])).get(blockId);
  return block && { ...block, ...inclusion };
}

/** Returns the ids of contracts that a block on any fork deploys. */
export async function contractsInBlocks(store: StoreReader, contractIds: readonly string[]): Promise<Set<string>> {
  const included = store
    .selectFrom('deploy')
    .innerJoin('inclusion', 'inclusion.deploy_id', 'deploy.deploy_id')
    .select('deploy.contract_id')
    .where('deploy.contract_id', 'in', listed(contractIds))
    .where('inclusion.block_id', 'is not', null);
  return new Set((await included.execute()).map((row) => row.contract_id));
}

/**
 * Overwrites stored deploys of the same transactions and contracts, if only an API reported them. The stored rows keep
 * their ids, and so the data of their tokens.
 */
export async function replaceReported(store: StoreWriter, deploys: readonly NewDeploy[]): Promise<void> {
  const keyOf = (txId: string, contractId: string) => `${txId} ${contractId}`;
  const byKey = new Map(deploys.map((deploy) => [keyOf(deploy.txId, deploy.contractId), deploy]));
  const rows = await store
    .selectFrom('deploy')
    .select(['deploy_id', 'tx_id', 'contract_id'])
    .where('tx_id', 'in', listedHashes(deploys.map(({ txId }) => txId)))
    .where(sql<SqlBool>`not exists (select 1 from inclusion where inclusion.deploy_id = deploy.deploy_id)`)
    .execute();
  for (const row of rows) {
    const deploy = byKey.get(keyOf(hashFromBlob(row.tx_id), row.contract_id));
    if (deploy !== undefined) await replaceDeploy(store, row.deploy_id, deploy);
  }
}

/** Overwrites a stored deploy. Replaces the references last, because a trigger of the table deploy reads the old ones. */
export async function replaceDeploy(store: StoreWriter, deployId: number, deploy: NewDeploy): Promise<void> {
  await store.updateTable('deploy').set(deployColumns(deploy)).where('deploy_id', '=', deployId).execute();
  await store.updateTable('deploy_code').set(codeColumns(deploy.code)).where('deploy_id', '=', deployId).execute();
  // The VM computes a missing interface again.
  await store.deleteFrom('interface_attempt').where('deploy_id', '=', deployId).execute();
  await store.deleteFrom('code_reference').where('deploy_id', '=', deployId).execute();
  await insertReferences(store, [{ ...deploy.references, deployId }]);
}
