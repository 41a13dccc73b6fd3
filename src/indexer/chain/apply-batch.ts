// Applies a batch of chain events in one transaction. Stores blocks, their contents, served contracts, jobs, and the
// new position in the archive.

import { type ChainEvent, hasContent } from '#model/chain-event.ts';
import type { ArchiveBatch } from '#source/event-archive/read-archive.ts';
import { writeArchivePosition } from '#store/chain/archives.ts';
import { insertChainFailures } from '#store/chain/chain-log.ts';
import { contractIdsIn } from '#store/chain/deploys.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import { linkMicroblocks } from '#store/chain/microblocks.ts';
import { unconfirmedContractIds } from '#store/contracts/candidates.ts';
import { tokenContractsAmong } from '#store/contracts/contracts.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { writeInfo } from '#store/index-info.ts';
import { forgetAllWrites } from '#store/replay/call-kinds.ts';
import { queueEvaluated } from '#store/replay/evaluation-inputs.ts';
import type { IndexOptions } from '../index-options.ts';
import { queueNew, queueNewTokens } from '../queue/queue-new-tokens.ts';
import { findWritesIfEvaluated } from '../replay/find-writes.ts';
import { CallRecorder } from '../replay/record-calls.ts';
import { openChain } from './canonical-chain.ts';
import { queueNotified } from './notifications.ts';
import type { ReorgGuard } from './reorg-guard.ts';
import { serveContracts } from './serve-contracts.ts';
import { type StoredChain, type StoredFacts, storeFacts } from './store-facts.ts';

export interface Batch
  extends Pick<ArchiveBatch, 'events' | 'broken' | 'position'>,
    Pick<IndexOptions, 'nft' | 'maxNftTokens' | 'finalBlocks'> {
  /** The archive's name in messages. */
  readonly archiveName: string;
  /** Id of the archive's row; undefined for a new archive. */
  readonly archiveId: number | undefined;
  /** The chain id to store, if the index has none yet. */
  readonly newChainId?: number | undefined;
  /** Checks the blocks that the batch orphans. The batches of a run share it. */
  readonly guard?: ReorgGuard | undefined;
  /** Records the calls of blocks. The batches of a run share it. */
  readonly recorder?: CallRecorder;
}

export type AppliedBatch = Awaited<ReturnType<typeof writeBatch>>;

export function applyBatch(store: Store, batch: Batch): Promise<AppliedBatch> {
  return store.transaction().execute((transaction) => writeBatch(transaction, batch));
}

async function writeBatch(store: StoreWriter, batch: Batch) {
  const { archiveName, archiveId, position, broken, newChainId, maxNftTokens, recorder = new CallRecorder() } = batch;
  // The chain id comes before the contracts, whose epoch it decides. A deploy on mainnet shows mainnet by itself.
  if (newChainId !== undefined) await writeInfo(store, { chainId: newChainId });
  const unconfirmed = await unconfirmedContractIds(store);
  const stored = await storeChain(store, batch.events);
  batch.guard?.(archiveName, stored);
  const facts = await storeFacts(store, stored, { recorder, maxNftTokens });
  const contractIds = [...new Set([...unconfirmed, ...facts.contractIds])];
  const served = await serve(store, stored, contractIds);
  await queue(store, stored, { ...facts, contractIds: served, nft: batch.nft });
  await findWritesIfEvaluated(store);
  const { chain, blocks, added } = stored;
  await chain.finish(batch.finalBlocks);
  return {
    archiveId: await writeArchivePosition(store, archiveId, archiveName, position),
    blocks: added.length,
    repeatedBlocks: blocks.length - added.length - chain.refused.length,
    refusedBlocks: chain.refused.length,
    orphanedBlocks: chain.orphaned.length,
    deploys: facts.deploys,
    /** The failures that were not stored before the batch. */
    failures: await insertChainFailures(store, [...broken, ...facts.failures]),
  };
}

/** Stores the blocks of a batch, and returns how the chain changed. */
async function storeChain(store: StoreWriter, events: readonly ChainEvent[]): Promise<StoredChain> {
  const blocks = events.filter((event) => event.kind === 'block');
  const microblocks = events.filter((event) => event.kind === 'microblocks');
  const chain = await openChain(store);
  const gapBefore = await readHighestGap(store);
  const canonicalGapBefore = await readHighestGap(store, { canonical: true });
  const added = await chain.add(blocks);
  // The highest gap may change without new gaps: a branch above an earlier gap may have become canonical.
  const isOtherGap = (await readHighestGap(store, { canonical: true })) !== canonicalGapBefore;
  const highestGap = chain.gaps.reduce((highest, { height }) => Math.max(highest, height), gapBefore ?? 0);
  const withContent = added.filter(({ event }) => hasContent(event));
  return { chain, gapBefore, highestGap, isOtherGap, blocks, microblocks, added, withContent };
}

/**
 * Chooses the served deploys of these contracts, and of contracts whose blocks joined or left the chain. Returns all
 * these contracts.
 */
async function serve(
  store: StoreWriter,
  { chain, added }: StoredChain,
  contractIds: readonly string[],
): Promise<readonly string[]> {
  const moved = await contractIdsIn(store, [...chain.orphaned, ...chain.adopted]);
  const linked = await linkMicroblocks(
    store,
    added.map(({ block }) => block),
  );
  const all = [...new Set([...contractIds, ...moved, ...linked])];
  await serveContracts(store, all, chain.tip);
  return all;
}

/** Queues the work that a batch causes: evaluations, new tokens, and the targets of notifications. */
async function queue(
  store: StoreWriter,
  { chain, isOtherGap, withContent }: StoredChain,
  { contractIds, grown, nft }: Pick<StoredFacts, 'contractIds' | 'grown'> & Pick<Batch, 'nft'>,
): Promise<void> {
  // If blocks are missing, calls of contracts without known code may write more variables.
  if (chain.gaps.length > 0) await forgetAllWrites(store);
  if (isOtherGap || chain.gaps.length + chain.closedGaps.length > 0) await queueEvaluated(store);
  // Queues tokens even if the served deploys stay the same, because an interface may arrive after its deploy.
  await queueNew(store, await tokenContractsAmong(store, contractIds), nft);
  await queueNewTokens(store, [...grown], nft);
  const orphaned = new Set(chain.orphaned);
  const notifying = withContent.filter(({ event, block }) => block.canonical && event.notifications.length > 0);
  const staying = notifying.flatMap(({ block }) => (orphaned.has(block.blockId) ? [] : [block.blockId]));
  await queueNotified(store, [...staying, ...chain.adopted]);
}
