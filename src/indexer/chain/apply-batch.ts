// Applies a batch of chain events in one transaction: blocks, deploys, supplies, notifications, what is served, and the position behind them.
import type { ArchivePosition } from '#model/archive-position.ts';
import type { BlockEvent, ChainEvent, ContractDeploy, SupplyChange } from '#model/chain-event.ts';
import { isSupply } from '#model/token.ts';
import { writeArchivePosition } from '#store/archives.ts';
import { unconfirmedContractIds } from '#store/candidates.ts';
import { addToCounters, type ChainFailure, deleteChainFailures, insertChainFailures } from '#store/chain-log.ts';
import { fungibleTokensAmong } from '#store/contracts.ts';
import {
  contractIdsInBlocks,
  contractIdsInMicroblocks,
  insertInclusions,
  type NewDeploy,
  type NewInclusion,
  upsertDeploys,
} from '#store/deploys.ts';
import { type Store, type StoreWriter, writeChainId } from '#store/index-database.ts';
import { insertJobs } from '#store/jobs.ts';
import { addToSupplies, insertSupplyChanges, readSupplyChanges } from '#store/supplies.ts';
import { insertTokens, readTokens } from '#store/tokens.ts';
import { type AddedBlock, CanonicalChain } from './canonical-chain.ts';
import { describeDeploy } from './describe-deploy.ts';
import { followNotifications, storeNotifications } from './notifications.ts';
import { serveContracts } from './serve-contracts.ts';

export interface Batch {
  readonly events: readonly ChainEvent[];
  readonly passedOver: ReadonlyMap<string, number>;
  readonly failures: readonly ChainFailure[];
  readonly position: ArchivePosition;
  /** The archive's row, if it has one already. */
  readonly archiveId: number | undefined;
  /** The chain of the index; undefined while no transaction has told it. */
  readonly chainId: number | undefined;
  /** Whether the index does not know its chain yet. */
  readonly chainIdIsNew: boolean;
}

export interface AppliedBatch {
  readonly archiveId: number;
  readonly blocks: number;
  readonly repeatedBlocks: number;
  readonly orphanedBlocks: number;
  readonly deploys: number;
  readonly changedContracts: number;
  /** Failures that were not known before. */
  readonly failures: readonly ChainFailure[];
}

export async function applyBatch(store: Store, batch: Batch): Promise<AppliedBatch> {
  return store.transaction().execute((transaction) => new BatchWriter(transaction, batch).write());
}

class BatchWriter {
  readonly #store: StoreWriter;
  readonly #batch: Batch;
  readonly #failures: ChainFailure[];
  /** Contracts of which another deploy may have to be served now. */
  readonly #touched = new Set<string>();

  constructor(store: StoreWriter, batch: Batch) {
    this.#store = store;
    this.#batch = batch;
    this.#failures = [...batch.failures];
  }

  async write(): Promise<AppliedBatch> {
    const { events, archiveId, position, passedOver, chainId, chainIdIsNew } = this.#batch;
    if (chainIdIsNew && chainId !== undefined) await writeChainId(this.#store, chainId);

    const chain = await CanonicalChain.open(this.#store);
    const blocks = events.filter((event) => event.kind === 'block');
    const unconfirmedBefore = await unconfirmedContractIds(this.#store);
    const added = await chain.add(blocks);
    await chain.flush();

    const deploys = await this.#writeDeploys(added, events);
    await this.#writeSupplies(added, chain);
    const toFollow = await storeNotifications(this.#store, added);
    await this.#noteFailures(added, events, chain);

    for (const id of unconfirmedBefore) this.#touched.add(id);
    for (const id of await contractIdsInBlocks(this.#store, [...chain.orphaned, ...chain.adopted]))
      this.#touched.add(id);
    const parents = added.map(({ block }) => block.indexBlockHash);
    for (const id of await contractIdsInMicroblocks(this.#store, parents)) this.#touched.add(id);
    const changed = await this.#writeServed(chain);
    await followNotifications(this.#store, toFollow);

    await addToCounters(this.#store, passedOver);
    return {
      archiveId: await writeArchivePosition(this.#store, archiveId, position),
      blocks: added.length,
      repeatedBlocks: blocks.length - added.length,
      orphanedBlocks: chain.orphaned.length,
      deploys,
      changedContracts: changed,
      failures: await insertChainFailures(this.#store, this.#failures),
    };
  }

  async #writeDeploys(added: readonly AddedBlock[], events: readonly ChainEvent[]): Promise<number> {
    const deploys: NewDeploy[] = [];
    const inclusions: NewInclusion[] = [];
    const collect = (deploy: ContractDeploy, burnBlockHeight: number, where: NewInclusion['in']) => {
      deploys.push(describeDeploy(deploy, burnBlockHeight, this.#batch.chainId));
      inclusions.push({ txId: deploy.txId, txIndex: deploy.txIndex, in: where });
      this.#touched.add(deploy.contractId);
    };
    for (const { event, block } of added) {
      for (const deploy of event.deploys) collect(deploy, event.burnBlockHeight, { blockId: block.blockId });
    }
    for (const event of events) {
      if (event.kind !== 'microblocks') continue;
      for (const deploy of event.deploys)
        collect(deploy, event.burnBlockHeight, { microblockParent: event.parentIndexBlockHash });
    }
    await insertInclusions(this.#store, inclusions, await upsertDeploys(this.#store, deploys));
    return deploys.length;
  }

  async #writeSupplies(added: readonly AddedBlock[], chain: CanonicalChain): Promise<void> {
    await insertSupplyChanges(
      this.#store,
      added.flatMap(({ event, block }) => event.supplyChanges.map((change) => ({ ...change, blockId: block.blockId }))),
    );
    const amounts = new Map<string, bigint>();
    const add = (changes: readonly SupplyChange[], sign: 1n | -1n) => {
      for (const { assetIdentifier, amount } of changes) {
        amounts.set(assetIdentifier, (amounts.get(assetIdentifier) ?? 0n) + sign * amount);
      }
    };
    add(
      added.flatMap(({ event, block }) => (block.canonical ? event.supplyChanges : [])),
      1n,
    );
    add(await readSupplyChanges(this.#store, chain.adopted), 1n);
    add(await readSupplyChanges(this.#store, chain.orphaned), -1n);
    const sums = await addToSupplies(this.#store, amounts);
    const outOfRange = [...sums].filter(([, sum]) => !isSupply(sum));
    for (const [assetIdentifier, sum] of outOfRange) {
      const message = `${assetIdentifier} was minted less burned ${sum} by the archive's events: no supply is answered while it is so.`;
      this.#failures.push({ code: 'supply-out-of-range', subject: assetIdentifier, message });
    }
  }

  async #noteFailures(
    added: readonly AddedBlock[],
    events: readonly ChainEvent[],
    chain: CanonicalChain,
  ): Promise<void> {
    const addedEvents: readonly ChainEvent[] = [
      ...added.map(({ event }): BlockEvent => event),
      ...events.filter((event) => event.kind === 'microblocks'),
    ];
    for (const event of addedEvents) {
      for (const { subject, failure } of event.failures) {
        this.#failures.push({ code: failure.code, subject, message: failure.message });
      }
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

  /** Chooses again what the touched contracts serve; new tokens get a job. Returns how many contracts changed. */
  async #writeServed(chain: CanonicalChain): Promise<number> {
    const { changed, failures } = await serveContracts(this.#store, [...this.#touched], chain.tip);
    this.#failures.push(...failures);
    const tokens = await fungibleTokensAmong(this.#store, changed);
    await queueTokens(
      this.#store,
      tokens.map((token) => token.deployId),
    );
    return changed.length;
  }
}

/** Tokens that are served and not evaluated yet get a job: new ones, and those that a fork had taken away. */
async function queueTokens(store: StoreWriter, deployIds: readonly number[]): Promise<void> {
  await insertTokens(store, deployIds);
  const tokens = [...(await readTokens(store, deployIds)).values()];
  const unread = tokens.filter((token) => token.state === 'queued' && token.readings.length === 0);
  await insertJobs(
    store,
    unread.map(({ tokenId }) => ({ kind: 'evaluate-token' as const, tokenId })),
  );
}
