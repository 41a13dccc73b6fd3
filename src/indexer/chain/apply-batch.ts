// Applies a batch of chain events in one transaction: blocks, deploys, supplies, notifications, served contracts, and
// the new archive position.

import { hasContent } from '#model/block-content.ts';
import type { SupplyChange } from '#model/chain-event.ts';
import { fail, failureSentence } from '#model/failure.ts';
import { isCollectionStandard, isSupply } from '#model/token.ts';
import type { ArchiveBatch } from '#source/event-archive/read-archive.ts';
import { writeArchivePosition } from '#store/chain/archives.ts';
import { addToCounters, type ChainFailure, deleteChainFailures, insertChainFailures } from '#store/chain/chain-log.ts';
import { contractIdsIn } from '#store/chain/deploys.ts';
import { contractsWithoutFacts } from '#store/chain/epochs.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import { linkMicroblocks } from '#store/chain/microblocks.ts';
import { addToSupplies, insertSupplyChanges, readSupplyChanges } from '#store/chain/supplies.ts';
import { unconfirmedContractIds } from '#store/contracts/candidates.ts';
import { tokenContractsAmong } from '#store/contracts/contracts.ts';
import { reportedBetween } from '#store/contracts/reports.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { writeInfo } from '#store/index-info.ts';
import { queueEvaluated } from '#store/replay/evaluation-inputs.ts';
import { forgetAllShapes } from '#store/replay/shapes.ts';
import type { IndexOptions } from '../index-options.ts';
import { queueNew, queueNewTokens } from '../queue/queue-evaluations.ts';
import { CallRecorder } from '../replay/record-calls.ts';
import { openChain } from './canonical-chain.ts';
import { doubtReadings } from './doubt-readings.ts';
import { queueNotified, storeNotifications } from './notifications.ts';
import { serveContracts } from './serve-contracts.ts';
import { writeDeploys } from './write-deploys.ts';
import { writeTokenEvents } from './write-token-events.ts';

export interface Batch
  extends Pick<ArchiveBatch, 'events' | 'skipped' | 'broken' | 'position'>,
    Pick<IndexOptions, 'nft' | 'maxNftTokens' | 'finality'> {
  /** The archive's name in messages. */
  readonly archiveName: string;
  /** Id of the archive's row, if it has one already. */
  readonly archiveId: number | undefined;
  /** Chain id of the index; undefined until a transaction carries it. */
  readonly chainId: number | undefined;
  /** True if the index does not know its chain yet. */
  readonly chainIdIsNew: boolean;
  /** Kept from batch to batch of a run. */
  readonly recorder?: CallRecorder;
}

export interface AppliedBatch {
  readonly archiveId: number;
  readonly blocks: number;
  readonly repeatedBlocks: number;
  readonly refusedBlocks: number;
  readonly orphanedBlocks: number;
  readonly deploys: number;
  /** Failures that were not stored before. */
  readonly failures: readonly ChainFailure[];
}

export function applyBatch(store: Store, batch: Batch): Promise<AppliedBatch> {
  return store.transaction().execute((transaction) => writeBatch(transaction, batch));
}

async function writeBatch(store: StoreWriter, batch: Batch): Promise<AppliedBatch> {
  const { events, archiveName, archiveId, position, skipped, chainId, chainIdIsNew, nft, maxNftTokens } = batch;
  const failures: ChainFailure[] = [...batch.broken];
  /** Contracts that may serve another deploy now. */
  const contractIds = new Set<string>();
  if (chainIdIsNew && chainId !== undefined) {
    await writeInfo(store, { chainId });
    for (const contractId of await contractsWithoutFacts(store)) contractIds.add(contractId);
  }

  const chain = await openChain(store);
  const gap = await readHighestGap(store);
  const gapBefore = await readHighestGap(store, { canonical: true });
  const blocks = events.filter((event) => event.kind === 'block');
  const microblocks = events.filter((event) => event.kind === 'microblocks');
  const unconfirmedBefore = await unconfirmedContractIds(store);
  const tipBefore = chain.tip?.height ?? 0;
  const added = await chain.add(blocks);
  await chain.flush();
  const refused = new Set(chain.refused.map(({ event }) => event));
  const full = added.filter(({ event }) => hasContent(event));
  const deploying = blocks.filter((event) => event.deploys.length > 0 && !refused.has(event));
  // A branch may take over that was stored with a gap.
  const isOtherGap = (await readHighestGap(store, { canonical: true })) !== gapBefore;
  // Below the block at height 1 is the genesis block alone.
  const highestGap = [{ height: gap ?? 0 }, ...chain.gaps].reduce((most, { height }) => Math.max(most, height), 0);
  const hasGap = highestGap > 1;

  const written = await writeDeploys(store, { added: full, blocks: deploying, microblocks });
  for (const failure of written.failures) failures.push(failure);
  for (const contractId of written.contractIds) contractIds.add(contractId);
  const { recorder = new CallRecorder() } = batch;
  await recorder.record(store, full, hasGap);
  await writeSupplies();
  await doubtReadings(store, full, chain, highestGap);
  const grown = await writeTokenEvents(store, full, maxNftTokens);
  await storeNotifications(store, full);
  await collectFailures();
  collectLateCollections();

  // Code that calls unknown contracts may write more where blocks are missing.
  if (chain.gaps.length > 0) await forgetAllShapes(store);
  if (isOtherGap || chain.gaps.length + chain.closedGaps.length > 0) await queueEvaluated(store);

  const affected = [
    ...(await contractIdsIn(store, [...chain.orphaned, ...chain.adopted])),
    ...(await linkMicroblocks(
      store,
      added.map(({ block }) => block),
    )),
  ];
  // What an API said gives way when the archive goes beyond the tip that it had.
  const overtaken = await reportedBetween(store, tipBefore, chain.tip?.height ?? 0);
  for (const id of [...unconfirmedBefore, ...affected, ...overtaken]) contractIds.add(id);
  await writeServed();
  const orphaned = new Set(chain.orphaned);
  const notified = full.filter(({ event, block }) => block.canonical && event.notifications.length > 0);
  const staying = notified.flatMap(({ block }) => (orphaned.has(block.blockId) ? [] : [block.blockId]));
  await queueNotified(store, [...staying, ...chain.adopted]);
  await chain.finish(batch.finality);

  await addToCounters(store, skipped);
  return {
    archiveId: await writeArchivePosition(store, archiveId, archiveName, position),
    blocks: added.length,
    repeatedBlocks: blocks.length - added.length - refused.size,
    refusedBlocks: refused.size,
    orphanedBlocks: chain.orphaned.length,
    deploys: written.deploys,
    failures: await insertChainFailures(store, failures),
  };

  async function writeSupplies(): Promise<void> {
    const changes = full.flatMap(({ event, block: { blockId } }) =>
      event.supplyChanges.map((change) => ({ ...change, blockId })),
    );
    await insertSupplyChanges(store, changes);
    const amounts = new Map<string, bigint>();
    const add = (changes: readonly SupplyChange[], sign: 1n | -1n) => {
      for (const { assetIdentifier, amount } of changes) {
        amounts.set(assetIdentifier, (amounts.get(assetIdentifier) ?? 0n) + sign * amount);
      }
    };
    for (const { event, block } of full) if (block.canonical) add(event.supplyChanges, 1n);
    add(await readSupplyChanges(store, chain.adopted), 1n);
    add(await readSupplyChanges(store, chain.orphaned), -1n);
    const sums = await addToSupplies(store, amounts);
    for (const [subject, sum] of sums) {
      if (isSupply(sum)) continue;
      const message = `The archive's mints of ${subject} less its burns are ${sum}, so it has no supply for now.`;
      failures.push({ code: 'supply-out-of-range', subject, message });
    }
  }

  async function collectFailures(): Promise<void> {
    for (const event of [...full.map((one) => one.event), ...microblocks]) {
      for (const { subject, failure } of event.failures) failures.push({ ...failure, subject });
    }
    const closed = new Set(chain.closedGaps);
    for (const block of chain.gaps.filter(({ indexBlockHash }) => !closed.has(indexBlockHash))) {
      failures.push({
        code: 'block-gap',
        subject: block.indexBlockHash,
        message: `The parent ${block.missing} of the block at height ${block.height} is not known.`,
      });
    }
    await deleteChainFailures(store, 'block-gap', chain.closedGaps);
    for (const { event, code } of chain.refused) {
      const message = `The block at height ${event.height} is not stored. ${failureSentence(code)}`;
      failures.push({ code, subject: event.indexBlockHash, message });
    }
  }

  /** Tokens minted in blocks that arrived before the deploy's block are unknown. */
  function collectLateCollections(): void {
    const { code, message } = fail('mints-not-recorded');
    for (const { event, block } of full) {
      if (gap === undefined || block.height >= gap) continue;
      for (const { contractId, interfaceFacts, likelyStandard } of event.deploys)
        if (isCollectionStandard(interfaceFacts?.standard ?? likelyStandard))
          failures.push({ code, subject: contractId, message });
    }
  }

  /** Chooses anew which deploys the affected contracts serve, and queues new tokens. */
  async function writeServed(): Promise<void> {
    const ids = [...contractIds];
    for (const failure of await serveContracts(store, ids, chain.tip)) failures.push(failure);
    // Not only if another deploy is served: an interface may arrive after its deploy.
    const tokens = await tokenContractsAmong(store, ids);
    await queueNew(store, tokens, nft);
    await queueNewTokens(store, [...grown], nft);
  }
}
