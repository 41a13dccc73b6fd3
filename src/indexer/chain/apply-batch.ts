// Applies a batch of chain events in one transaction: blocks, deploys, supplies, notifications, served contracts, and
// the new archive position.

import type { ChainEvent, ContractDeploy, SupplyChange } from '#model/chain-event.ts';
import { fail } from '#model/failure.ts';
import { isCollectionStandard, isSupply } from '#model/token.ts';
import type { ArchiveBatch } from '#source/event-archive/read-archive.ts';
import { writeArchivePosition } from '#store/chain/archives.ts';
import { addToCounters, type ChainFailure, deleteChainFailures, insertChainFailures } from '#store/chain/chain-log.ts';
import { contractIdsIn, insertInclusions, type NewInclusion } from '#store/chain/deploys.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import { addToSupplies, insertSupplyChanges, readSupplyChanges } from '#store/chain/supplies.ts';
import { type NewDeploy, upsertDeploys } from '#store/chain/upsert-deploys.ts';
import { unconfirmedContractIds } from '#store/contracts/candidates.ts';
import { tokenContractsAmong } from '#store/contracts/contracts.ts';
import { reportedBetween } from '#store/contracts/reports.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { writeInfo } from '#store/index-info.ts';
import { queueEvaluated } from '#store/replay/evaluation-inputs.ts';
import type { AddedBlock } from '../added-block.ts';
import type { IndexOptions } from '../index-options.ts';
import { queueNew, queueNewTokens } from '../queue/queue-evaluations.ts';
import { findCalls, recordCalls } from '../replay/record-calls.ts';
import { WatchList } from '../replay/watch-list.ts';
import { CanonicalChain } from './canonical-chain.ts';
import { correctDeploys } from './correct-deploys.ts';
import { describeDeploy } from './describe-deploy.ts';
import { doubtReadings } from './doubt-readings.ts';
import { findLate } from './find-late.ts';
import { queueNotified, storeNotifications } from './notifications.ts';
import { serveContracts } from './serve-contracts.ts';
import { writeTokenEvents } from './write-token-events.ts';

export interface Batch
  extends Pick<ArchiveBatch, 'events' | 'skipped' | 'broken' | 'position'>,
    Pick<IndexOptions, 'nft' | 'maxNftTokens' | 'maxCalls'> {
  /** The archive's name in messages. */
  readonly archiveName: string;
  /** Id of the archive's row, if it has one already. */
  readonly archiveId: number | undefined;
  /** Chain id of the index; undefined until a transaction carries it. */
  readonly chainId: number | undefined;
  /** True if the index does not know its chain yet. */
  readonly chainIdIsNew: boolean;
  /** Kept from batch to batch of a run; read from the store if omitted. */
  readonly watchList?: WatchList;
}

export interface AppliedBatch {
  readonly archiveId: number;
  readonly blocks: number;
  readonly repeatedBlocks: number;
  readonly orphanedBlocks: number;
  readonly deploys: number;
  /** Failures that were not stored before. */
  readonly failures: readonly ChainFailure[];
}

export async function applyBatch(store: Store, batch: Batch): Promise<AppliedBatch> {
  return store.transaction().execute((transaction) => new BatchWriter(transaction, batch).write());
}

class BatchWriter {
  readonly #store: StoreWriter;
  readonly #batch: Batch;
  readonly #failures: ChainFailure[];
  /** Contracts that may serve another deploy now. */
  readonly #contractIds = new Set<string>();
  /** Deploys of collections with new tokens. */
  readonly #grown = new Set<number>();

  constructor(store: StoreWriter, batch: Batch) {
    this.#store = store;
    this.#batch = batch;
    this.#failures = [...batch.broken];
  }

  async write(): Promise<AppliedBatch> {
    const { events, archiveName, archiveId, position, skipped, chainId, chainIdIsNew } = this.#batch;
    if (chainIdIsNew && chainId !== undefined) await writeInfo(this.#store, { chainId });

    const chain = await CanonicalChain.open(this.#store);
    const gap = await readHighestGap(this.#store);
    const gapBefore = await readHighestGap(this.#store, { canonical: true });
    const blocks = events.filter((event) => event.kind === 'block');
    const unconfirmedBefore = await unconfirmedContractIds(this.#store);
    const tipBefore = chain.tip?.height ?? 0;
    const added = await chain.add(blocks);
    await chain.flush();
    // A branch may take over that was stored with a gap.
    const isOtherGap = (await readHighestGap(this.#store, { canonical: true })) !== gapBefore;
    const late = findLate(added, chain.gaps, gap);
    // Below the block at height 1 is the genesis block alone.
    const highestGap = [{ height: gap ?? 0 }, ...chain.gaps].reduce((most, { height }) => Math.max(most, height), 0);
    const hasGap = highestGap > 1;

    const deploys = await this.#writeDeploys(added, events);
    const { maxCalls, watchList = await WatchList.open(this.#store) } = this.#batch;
    const newDeploys = added.flatMap(({ event }) => event.deploys);
    watchList.begin(newDeploys, hasGap);
    await recordCalls(this.#store, await findCalls(this.#store, added, watchList, late), maxCalls);
    await this.#writeSupplies(added, chain);
    await doubtReadings(this.#store, added, chain.orphaned, highestGap);
    for (const deployId of await writeTokenEvents(this.#store, added, this.#batch.maxNftTokens))
      this.#grown.add(deployId);
    await storeNotifications(this.#store, added);
    await this.#collectFailures(added, events, chain);
    this.#collectLateCollections(added, gap);

    if (isOtherGap || chain.gaps.length + chain.closedGaps.length > 0) await queueEvaluated(this.#store);

    const parents = added.map(({ block }) => block.indexBlockHash);
    const affected = await contractIdsIn(this.#store, [...chain.orphaned, ...chain.adopted], parents);
    // What an API said gives way when the archive goes beyond the tip that it had.
    const overtaken = await reportedBetween(this.#store, tipBefore, chain.tip?.height ?? 0);
    for (const id of [...unconfirmedBefore, ...affected, ...overtaken]) this.#contractIds.add(id);
    await this.#writeServed(chain);
    const addedIds = added.flatMap(({ block }) => (block.canonical ? [block.blockId] : []));
    const staying = addedIds.filter((blockId) => !chain.orphaned.includes(blockId));
    await queueNotified(this.#store, [...staying, ...chain.adopted]);

    await addToCounters(this.#store, skipped);
    return {
      archiveId: await writeArchivePosition(this.#store, archiveId, archiveName, position),
      blocks: added.length,
      repeatedBlocks: blocks.length - added.length,
      orphanedBlocks: chain.orphaned.length,
      deploys,
      failures: await insertChainFailures(this.#store, this.#failures),
    };
  }

  async #writeDeploys(added: readonly AddedBlock[], events: readonly ChainEvent[]): Promise<number> {
    const deploys: NewDeploy[] = [];
    const inclusions: Omit<NewInclusion, 'deployId'>[] = [];
    const collect = (deploy: ContractDeploy, burnBlockHeight: number, where: NewInclusion['in']) => {
      deploys.push(describeDeploy(deploy, burnBlockHeight, this.#batch.chainId));
      const { txIndex, sponsorAddress, events } = deploy;
      inclusions.push({ txIndex, sponsorAddress, events, in: where });
      this.#contractIds.add(deploy.contractId);
    };
    for (const { event, block } of added) {
      for (const deploy of event.deploys) collect(deploy, event.burnBlockHeight, { blockId: block.blockId });
    }
    for (const event of events) {
      if (event.kind !== 'microblocks') continue;
      for (const deploy of event.deploys)
        collect(deploy, event.burnBlockHeight, { microblockParent: event.parentIndexBlockHash });
    }
    this.#failures.push(...(await correctDeploys(this.#store, deploys)));
    const deployIds = await upsertDeploys(this.#store, deploys);
    const idOf = (index: number) => deployIds[index] as number;
    await insertInclusions(
      this.#store,
      inclusions.map((one, index) => ({ ...one, deployId: idOf(index) })),
    );
    return deploys.length;
  }

  async #writeSupplies(added: readonly AddedBlock[], chain: CanonicalChain): Promise<void> {
    const changes = added.flatMap(({ event, block: { blockId } }) =>
      event.supplyChanges.map((change) => ({ ...change, blockId })),
    );
    await insertSupplyChanges(this.#store, changes);
    const amounts = new Map<string, bigint>();
    const add = (changes: readonly SupplyChange[], sign: 1n | -1n) => {
      for (const { assetIdentifier, amount } of changes) {
        amounts.set(assetIdentifier, (amounts.get(assetIdentifier) ?? 0n) + sign * amount);
      }
    };
    for (const { event, block } of added) if (block.canonical) add(event.supplyChanges, 1n);
    add(await readSupplyChanges(this.#store, chain.adopted), 1n);
    add(await readSupplyChanges(this.#store, chain.orphaned), -1n);
    const sums = await addToSupplies(this.#store, amounts);
    for (const [subject, sum] of sums) {
      if (isSupply(sum)) continue;
      const message = `The archive's mints of ${subject} less its burns are ${sum}, so it has no supply for now.`;
      this.#failures.push({ code: 'supply-out-of-range', subject, message });
    }
  }

  async #collectFailures(
    added: readonly AddedBlock[],
    events: readonly ChainEvent[],
    chain: CanonicalChain,
  ): Promise<void> {
    const microblocks = events.filter((event) => event.kind === 'microblocks');
    for (const event of [...added.map((one) => one.event), ...microblocks]) {
      for (const { subject, failure } of event.failures) this.#failures.push({ ...failure, subject });
    }
    for (const block of chain.gaps) {
      this.#failures.push({
        code: 'block-gap',
        subject: block.indexBlockHash,
        message: `The parent ${block.parentIndexBlockHash} of the block at height ${block.height} is not known.`,
      });
    }
    await deleteChainFailures(this.#store, 'block-gap', chain.closedGaps);
    for (const hash of chain.closedGaps) {
      const at = this.#failures.findIndex((failure) => failure.code === 'block-gap' && failure.subject === hash);
      if (at !== -1) this.#failures.splice(at, 1);
    }
  }

  /** Tokens minted in blocks that arrived before the deploy's block are unknown. */
  #collectLateCollections(added: readonly AddedBlock[], gap: number | undefined): void {
    const { code, message } = fail('mints-not-recorded');
    for (const { event, block } of added) {
      if (gap === undefined || block.height >= gap) continue;
      for (const { contractId, interfaceFacts } of event.deploys)
        if (isCollectionStandard(interfaceFacts?.standard)) this.#failures.push({ code, subject: contractId, message });
    }
  }

  /** Chooses anew which deploys the affected contracts serve, and queues new tokens. */
  async #writeServed(chain: CanonicalChain): Promise<void> {
    const contractIds = [...this.#contractIds];
    this.#failures.push(...(await serveContracts(this.#store, contractIds, chain.tip)));
    // Not only if another deploy is served: an interface may arrive after its deploy.
    const tokens = await tokenContractsAmong(this.#store, contractIds);
    await queueNew(this.#store, tokens, this.#batch.nft);
    await queueNewTokens(this.#store, [...this.#grown], this.#batch.nft);
  }
}
