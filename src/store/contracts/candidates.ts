// Queries about candidates: deploys that could be served for a contract id, and the chosen one.

import { excluded, hashFromBlob, toFlag } from '#sqlite/columns.ts';
import { insertRows, listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

/** A deploy that could be served for a contract id. */
export interface Candidate {
  readonly contractId: string;
  readonly deployId: number;
  readonly txId: string;
  readonly txIndex: number;
  readonly blockHeight: number;
  readonly canonical: boolean;
  readonly confirmed: boolean;
}

export interface ReportedCandidate extends Candidate {
  /** Chain tip when the API answered; undefined if it returned none. */
  readonly reportedAt: number | undefined;
}

/**
 * Returns every inclusion of deploys of these contracts, in the order of block hashes, so that a choice among equals
 * does not depend on arrival order. A microblock counts as one higher than its parent, and as canonical while its
 * parent is the tip. A microblock with an unknown parent has no height and is left out.
 */
export async function findCandidates(store: StoreReader, contractIds: readonly string[], tipHash: string | undefined) {
  const rows = await store
    .selectFrom('deploy')
    .innerJoin('inclusion', 'inclusion.deploy_id', 'deploy.deploy_id')
    .leftJoin('block', 'block.block_id', 'inclusion.block_id')
    .leftJoin('block as parent', 'parent.index_block_hash', 'inclusion.microblock_parent')
    .select(['deploy.contract_id as contractId', 'deploy.deploy_id as deployId', 'deploy.tx_id'])
    .select(['inclusion.tx_index as txIndex', 'block.height', 'block.canonical'])
    .select(['parent.height as parent_height', 'parent.index_block_hash as parent_hash'])
    .where('deploy.contract_id', 'in', listed(contractIds))
    .orderBy('block.index_block_hash')
    .orderBy('inclusion.microblock_parent')
    .execute();
  return rows.flatMap(({ tx_id, height, canonical, parent_height, parent_hash, ...row }): Candidate[] => {
    const deploy = { ...row, txId: hashFromBlob(tx_id) };
    if (height !== null) return [{ ...deploy, blockHeight: height, canonical: canonical === 1, confirmed: true }];
    if (parent_height === null || parent_hash === null) return [];
    const isOnTip = hashFromBlob(parent_hash) === tipHash;
    return [{ ...deploy, blockHeight: parent_height + 1, canonical: isOnTip, confirmed: false }];
  });
}

/** Last API reports about these contracts. */
export async function findReportedCandidates(store: StoreReader, contractIds: readonly string[]) {
  const rows = await store
    .selectFrom('report')
    .innerJoin('deploy', 'deploy.deploy_id', 'report.deploy_id')
    .select(['report.contract_id as contractId', 'deploy.deploy_id as deployId', 'deploy.tx_id'])
    .select(['report.block_height', 'report.canonical', 'report.tip_height'])
    .where('report.contract_id', 'in', listed(contractIds))
    .execute();
  return rows.map(({ tx_id, block_height, canonical, tip_height, ...row }) => {
    const position = { txIndex: 0, blockHeight: block_height ?? 0, canonical: canonical === 1, confirmed: true };
    return { ...row, ...position, txId: hashFromBlob(tx_id), reportedAt: tip_height ?? undefined };
  });
}

/** Ids of the contracts deployed only in unconfirmed microblocks. */
export async function unconfirmedContractIds(store: StoreReader): Promise<string[]> {
  const rows = await store.selectFrom('contract').select('contract_id').where('confirmed', '=', 0).execute();
  return rows.map((row) => row.contract_id);
}

const PLACE_COLUMNS = ['deploy_id', 'block_height', 'tx_index', 'canonical', 'confirmed'] as const;

export async function writeServed(store: StoreWriter, served: readonly Candidate[]): Promise<void> {
  const rows = served.map((candidate) => ({
    contract_id: candidate.contractId,
    deploy_id: candidate.deployId,
    block_height: candidate.blockHeight,
    tx_index: candidate.txIndex,
    canonical: toFlag(candidate.canonical),
    confirmed: toFlag(candidate.confirmed),
  }));
  await insertRows(store, 'contract', rows, (conflict) =>
    conflict
      .column('contract_id')
      .doUpdateSet(excluded(...PLACE_COLUMNS))
      .where((eb) => eb.or(PLACE_COLUMNS.map((name) => eb(`contract.${name}`, '<>', eb.ref(`excluded.${name}`))))),
  );
}
