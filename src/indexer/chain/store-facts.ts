// Stores the contents of a batch's blocks: deploys, calls that may write, supplies, tokens, notifications and failures.
import type { BlockEvent, ChainEvent, SupplyChange } from '#model/chain-event.ts';
import { type ChainFailure, fail, failureSentence } from '#model/failure.ts';
import { isCollectionStandard, isSupply } from '#model/token.ts';
import { deleteChainFailures } from '#store/chain/chain-log.ts';
import { addToSupplies, insertSupplyChanges, readSupplyChanges } from '#store/chain/supplies.ts';
import type { StoreWriter } from '#store/index-database.ts';
import type { AddedBlock } from '../new-block.ts';
import type { CallRecorder } from '../replay/record-calls.ts';
import type { CanonicalChain } from './canonical-chain.ts';
import { markUnproven } from './mark-unproven.ts';
import { storeNotifications } from './notifications.ts';
import { writeDeploys } from './write-deploys.ts';
import { writeTokenEvents } from './write-token-events.ts';

/** The chain after a batch, and facts about the chain before it. */
export interface StoredChain {
  readonly chain: CanonicalChain;
  /** The height of the highest block on any branch whose parent was unknown before the batch. */
  readonly gapBefore: number | undefined;
  /** The height of the highest block whose parent is unknown after the batch; 0 if all parents are known. */
  readonly highestGap: number;
  /** True if the batch changed the highest gap below a canonical block. */
  readonly isOtherGap: boolean;
  readonly blocks: readonly BlockEvent[];
  readonly microblocks: readonly Exclude<ChainEvent, BlockEvent>[];
  readonly added: readonly AddedBlock[];
  /** The added blocks with deploys, calls or other content to store. */
  readonly withContent: readonly AddedBlock[];
}

export interface StoredFacts {
  /** The number of deploys in new blocks. */
  readonly deploys: number;
  /** Contracts whose served deploy may have changed. */
  readonly contractIds: readonly string[];
  /** Ids of collections' deploys for which the batch added tokens. */
  readonly grown: Iterable<number>;
  readonly failures: readonly ChainFailure[];
}

export async function storeFacts(
  store: StoreWriter,
  stored: StoredChain,
  { recorder, maxNftTokens }: { readonly recorder: CallRecorder; readonly maxNftTokens: number },
): Promise<StoredFacts> {
  const { chain, highestGap, blocks, microblocks, withContent } = stored;
  const refused = new Set(chain.refused.map(({ event }) => event));
  const deploying = blocks.filter((event) => event.deploys.length > 0 && !refused.has(event));
  const written = await writeDeploys(store, { added: withContent, blocks: deploying, microblocks });
  // A gap below height 1 does not matter, because only the genesis block is missing there.
  await recorder.record(store, withContent, highestGap > 1);
  const supplyFailures = await writeSupplies(store, stored);
  await markUnproven(store, withContent, chain, highestGap);
  const grown = await writeTokenEvents(store, withContent, maxNftTokens);
  await storeNotifications(store, withContent);
  await deleteChainFailures(store, 'block-gap', chain.closedGaps);
  const failures = [...supplyFailures, ...blockFailures(stored), ...lateCollections(stored)];
  return { deploys: written.deploys, contractIds: written.contractIds, grown, failures };
}

/** Adds the mints and burns of blocks that became canonical, and subtracts mints and burns of orphaned blocks. */
async function writeSupplies(store: StoreWriter, { chain, withContent }: StoredChain): Promise<ChainFailure[]> {
  const changes = withContent.flatMap(({ event, block: { blockId } }) =>
    event.supplyChanges.map((change) => ({ ...change, blockId })),
  );
  await insertSupplyChanges(store, changes);
  const amounts = new Map<string, bigint>();
  const add = (changes: readonly SupplyChange[], sign: 1n | -1n) => {
    for (const { assetIdentifier, amount } of changes)
      amounts.set(assetIdentifier, (amounts.get(assetIdentifier) ?? 0n) + sign * amount);
  };
  for (const { event, block } of withContent) if (block.canonical) add(event.supplyChanges, 1n);
  add(await readSupplyChanges(store, chain.adopted), 1n);
  add(await readSupplyChanges(store, chain.orphaned), -1n);
  const sums = await addToSupplies(store, amounts);
  return [...sums].flatMap(([subject, sum]) => {
    if (isSupply(sum)) return [];
    const message = `The indexed mints of ${subject} minus its burns are ${sum}, so its supply is left out.`;
    return { code: 'supply-out-of-range' as const, subject, message: `${message} Index the missing blocks.` };
  });
}

/** Returns the failures in events, and a failure for each refused block and each block with an unknown parent. */
function blockFailures({ chain, withContent, microblocks }: StoredChain): ChainFailure[] {
  const closed = new Set(chain.closedGaps);
  const events = [...withContent.map(({ event }) => event), ...microblocks];
  const within = events.flatMap((event) => event.failures);
  const gaps = chain.gaps.flatMap(({ indexBlockHash, missing, height }) => {
    if (closed.has(indexBlockHash)) return [];
    const message = `The parent ${missing} of the block at height ${height} is not known.`;
    return { code: 'block-gap' as const, subject: indexBlockHash, message };
  });
  const refused = chain.refused.map(({ event, code }) => {
    const message = `The block at height ${event.height} is not stored. ${failureSentence(code)}`;
    return { code, subject: event.indexBlockHash, message };
  });
  return [...within, ...gaps, ...refused];
}

/** Returns a failure for each collection deployed below a gap, because mints in earlier blocks were not recorded. */
function lateCollections({ gapBefore, withContent }: StoredChain): ChainFailure[] {
  if (gapBefore === undefined) return [];
  const { code, message } = fail('mints-not-recorded');
  return withContent
    .filter(({ block }) => block.height < gapBefore)
    .flatMap(({ event }) => event.deploys)
    .filter(({ interfaceFacts, sourceStandard }) => isCollectionStandard(interfaceFacts?.standard ?? sourceStandard))
    .map(({ contractId }) => ({ code, subject: contractId, message }));
}
