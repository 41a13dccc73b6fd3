// Queries about deploy transactions, their code, and the blocks that include them.

import { type SqlBool, sql } from 'kysely';
import type { ContractDeploy } from '#model/chain-event.ts';
import { unpackCode } from '#model/packed-code.ts';
import { countRows } from '#sqlite/aggregates.ts';
import { hashFromBlob, hashToBlob, withoutNulls } from '#sqlite/columns.ts';
import { insertRows, listed, listedHashes } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { isCanonical } from '../schema/block-ids.ts';
import { readBlocks, readWithParents } from './blocks.ts';
import { CODE_COLUMNS, codeColumns, toPackedCode } from './code-columns.ts';
import { insertReferences } from './references.ts';
import { deployColumns, type NewDeploy } from './upsert-deploys.ts';

export interface NewInclusion extends Pick<ContractDeploy, 'txIndex' | 'sponsorAddress' | 'events'> {
  readonly deployId: number;
  /** The block that includes the deploy. A microblock is given by the index block hash of its parent block. */
  readonly in: { readonly blockId: number } | { readonly microblockParent: string };
}

export async function insertInclusions(store: StoreWriter, inclusions: readonly NewInclusion[]): Promise<void> {
  const rows = inclusions.map(({ deployId, txIndex, sponsorAddress, events, in: including }) => ({
    deploy_id: deployId,
    sponsor_address: sponsorAddress ?? null,
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

const IS_INCLUDED = sql<0 | 1>`exists (select 1 from inclusion where inclusion.deploy_id = deploy.deploy_id)`.as(
  'is_included',
);

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
    .select(['block_id', 'sponsor_address as sponsorAddress', 'events'])
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

/**
 * Returns the contracts that transactions deployed, by transaction id. `isConfirmed` is true if a block or an API
 * report contains the deploy.
 */
export async function findDeployedContracts(store: StoreReader, txIds: readonly string[]) {
  const rows = await store
    .selectFrom('deploy')
    .leftJoin('report', (join) =>
      join.onRef('report.deploy_id', '=', 'deploy.deploy_id').onRef('report.contract_id', '=', 'deploy.contract_id'),
    )
    .select(['deploy.tx_id', 'deploy.contract_id', 'report.contract_id as reported_id', IS_INCLUDED])
    .where('deploy.tx_id', 'in', listedHashes(txIds))
    .execute();
  return new Map(
    rows.map((row) => {
      const isConfirmed = row.reported_id !== null || row.is_included === 1;
      return [hashFromBlob(row.tx_id), { contractId: row.contract_id, isConfirmed }];
    }),
  );
}

/**
 * Finds those deploys that are stored with a different source, interface or Clarity version. `isFromChain` is true if a
 * block includes the stored deploy.
 */
export async function findConflictingDeploys(store: StoreReader, deploys: readonly NewDeploy[]) {
  const rows = await store
    .selectFrom('deploy')
    .innerJoin('deploy_code', 'deploy_code.deploy_id', 'deploy.deploy_id')
    .select(['deploy.tx_id', 'deploy.clarity_version', 'deploy.interface_from', ...CODE_COLUMNS, IS_INCLUDED])
    .where('deploy.tx_id', 'in', listedHashes(deploys.map(({ txId }) => txId)))
    .execute();
  const byTxId = new Map(rows.map((row) => [hashFromBlob(row.tx_id), row]));
  return deploys.flatMap((deploy) => {
    const row = byTxId.get(deploy.txId);
    if (row === undefined) return [];
    const [stored, reported] = [unpackCode(toPackedCode(row)), unpackCode(deploy.code)];
    const storedInterface = row.interface_from === 'source' ? stored.interfaceJson : undefined;
    const interfaces = new Set([storedInterface, reported.interfaceJson].filter((json) => json !== undefined));
    const isOtherSource = stored.source !== reported.source;
    const versions = new Set(
      [row.clarity_version, deploy.clarityVersion ?? null].filter((version) => version !== null),
    );
    const isOther = isOtherSource || interfaces.size > 1 || versions.size > 1;
    return isOther ? [{ deploy, isOtherSource, isFromChain: row.is_included === 1 }] : [];
  });
}

/**
 * Overwrites a stored deploy except its transaction id. Replaces the references last, because a trigger of the table
 * deploy reads the earlier references.
 */
export async function replaceDeploy(store: StoreWriter, deploy: NewDeploy): Promise<void> {
  const replaced = store.updateTable('deploy').set(deployColumns(deploy)).where('tx_id', '=', hashToBlob(deploy.txId));
  const { deploy_id: deployId } = await replaced.returning('deploy_id').executeTakeFirstOrThrow();
  await store.updateTable('deploy_code').set(codeColumns(deploy.code)).where('deploy_id', '=', deployId).execute();
  await store.deleteFrom('code_reference').where('deploy_id', '=', deployId).execute();
  await insertReferences(store, [{ ...deploy.references, deployId }]);
}
