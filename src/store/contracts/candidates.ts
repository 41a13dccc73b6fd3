// Queries about candidates: all deploys of a contract id. The index chooses one of them to be served.

import { graphBlockOf } from '#layout/data-files.ts';
import { rulesOf } from '#model/epoch-calendar.ts';
import { excluded, hashFromBlob, toFlag } from '#sqlite/columns.ts';
import { insertRows, listed } from '#sqlite/lists.ts';
import { readBlocks } from '../chain/blocks.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { readInfo } from '../index-info.ts';

/** A deploy that could be served for a contract id. */
export interface Candidate {
  readonly contractId: string;
  readonly deployId: number;
  readonly txId: string;
  readonly txIndex: number;
  readonly blockHeight: number;
  readonly canonical: boolean;
  readonly confirmed: boolean;
  /** The Clarity version and the epoch, from the transaction or the interface; undefined if both lack the value. */
  readonly clarityVersion: number | undefined;
  readonly epoch: string | undefined;
  /** Burn height of the deploy's block, or of a microblock's parent; undefined if only an API reports the deploy. */
  readonly burnHeight: number | undefined;
}

/**
 * Returns a candidate for each inclusion of a deploy, sorted by block hash, so that later choices do not depend on
 * arrival order. A microblock has the height after its parent, and is canonical while the parent is the tip. Skips
 * microblocks whose parent is unknown.
 */
export async function findCandidates(store: StoreReader, contractIds: readonly string[], tipHash: string | undefined) {
  const rows = await store
    .selectFrom('deploy')
    .innerJoin('inclusion', 'inclusion.deploy_id', 'deploy.deploy_id')
    .select(['deploy.contract_id as contractId', 'deploy.deploy_id as deployId', 'deploy.tx_id'])
    .select(['inclusion.tx_index as txIndex', 'inclusion.block_id', 'inclusion.parent_block_id'])
    .select(['deploy.clarity_version', 'deploy.epoch'])
    .where('deploy.contract_id', 'in', listed(contractIds))
    .execute();
  const ids = rows.flatMap((row) => row.block_id ?? row.parent_block_id ?? []);
  const blocks = await readBlocks(store, ids);
  const candidates = rows.flatMap((row): (Candidate & { readonly hash: string })[] => {
    const block = blocks.get(row.block_id ?? row.parent_block_id ?? -1);
    if (block === undefined) return [];
    const { height, canonical, indexBlockHash: hash, burnBlockHeight: burnHeight } = block;
    const deploy = { ...deployOf(row), txIndex: row.txIndex, burnHeight, hash };
    if (row.block_id !== null) return [{ ...deploy, blockHeight: height, canonical, confirmed: true }];
    return [{ ...deploy, blockHeight: height + 1, canonical: hash === tipHash, confirmed: false }];
  });
  const inOrder = candidates.sort(
    (left, right) => Number(left.confirmed) - Number(right.confirmed) || (left.hash < right.hash ? -1 : 1),
  );
  return inOrder.map(({ hash, ...candidate }) => candidate);
}

/** Reads the last API report about each of these contracts. */
export async function findReportedCandidates(store: StoreReader, contractIds: readonly string[]): Promise<Candidate[]> {
  const rows = await store
    .selectFrom('report')
    .innerJoin('deploy', 'deploy.deploy_id', 'report.deploy_id')
    .select(['report.contract_id as contractId', 'deploy.deploy_id as deployId', 'deploy.tx_id'])
    .select(['report.block_height', 'report.canonical'])
    .select(['deploy.clarity_version', 'deploy.epoch'])
    .where('report.contract_id', 'in', listed(contractIds))
    .execute();
  return rows.map(({ block_height, canonical, ...row }) => {
    const position = { txIndex: 0, blockHeight: block_height ?? 0, canonical: canonical === 1, confirmed: true };
    return { ...deployOf(row), ...position, burnHeight: undefined };
  });
}

interface DeployRow {
  readonly contractId: string;
  readonly deployId: number;
  readonly tx_id: Buffer;
  readonly clarity_version: number | null;
  readonly epoch: string | null;
}

function deployOf({ contractId, deployId, tx_id, clarity_version, epoch }: DeployRow) {
  const rules = { clarityVersion: clarity_version ?? undefined, epoch: epoch ?? undefined };
  return { contractId, deployId, txId: hashFromBlob(tx_id), ...rules };
}

/** Returns the ids of contracts that only unconfirmed microblocks deploy. */
export async function unconfirmedContractIds(store: StoreReader): Promise<string[]> {
  const rows = await store.selectFrom('contract').select('contract_id').where('confirmed', '=', 0).execute();
  return rows.map((row) => row.contract_id);
}

const SERVED_COLUMNS = [
  'deploy_id',
  'block_height',
  'tx_index',
  'canonical',
  'confirmed',
  'clarity_version',
  'epoch',
] as const;

export async function writeServed(store: StoreWriter, served: readonly Candidate[]): Promise<void> {
  const { chainId } = await readInfo(store);
  const ruled = served.map((candidate) => ({ candidate, rules: rulesOf(chainId, candidate) }));
  const rows = ruled.map(({ candidate, rules }) => ({
    contract_id: candidate.contractId,
    graph_block: graphBlockOf(candidate.contractId),
    deploy_id: candidate.deployId,
    block_height: candidate.blockHeight,
    tx_index: candidate.txIndex,
    canonical: toFlag(candidate.canonical),
    confirmed: toFlag(candidate.confirmed),
    clarity_version: rules.clarityVersion ?? null,
    epoch: rules.epoch ?? null,
  }));
  await insertRows(store, 'contract', rows, (conflict) =>
    conflict
      .column('contract_id')
      .doUpdateSet(excluded(...SERVED_COLUMNS))
      .where((eb) =>
        eb.or(SERVED_COLUMNS.map((name) => eb(`contract.${name}`, 'is distinct from', eb.ref(`excluded.${name}`)))),
      ),
  );
}
