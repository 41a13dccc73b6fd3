// Stores the blocks of a batch, and returns how the chain changed.
import { hasContent } from '#model/block-content.ts';
import type { BlockEvent, ChainEvent } from '#model/chain-event.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import type { StoreWriter } from '#store/index-database.ts';
import type { AddedBlock } from '../added-block.ts';
import { openChain } from './canonical-chain.ts';

export type MicroblocksEvent = Exclude<ChainEvent, BlockEvent>;

/** The chain after a batch, and facts about the chain before it. */
export interface StoredChain {
  readonly chain: Awaited<ReturnType<typeof openChain>>;
  readonly tipHeightBefore: number;
  /** The height of the highest block on any branch whose parent was unknown before the batch. */
  readonly gapBefore: number | undefined;
  /** The height of the highest block whose parent is unknown after the batch; 0 if all parents are known. */
  readonly highestGap: number;
  /** True if the batch changed the highest gap below a canonical block. */
  readonly isOtherGap: boolean;
  readonly blocks: readonly BlockEvent[];
  readonly microblocks: readonly MicroblocksEvent[];
  readonly added: readonly AddedBlock[];
  /** The added blocks with deploys, calls or other content to store. */
  readonly withContent: readonly AddedBlock[];
}

export async function storeChain(store: StoreWriter, events: readonly ChainEvent[]): Promise<StoredChain> {
  const blocks = events.filter((event) => event.kind === 'block');
  const microblocks = events.filter((event) => event.kind === 'microblocks');
  const chain = await openChain(store);
  const tipHeightBefore = chain.tip?.height ?? 0;
  const gapBefore = await readHighestGap(store);
  const canonicalGapBefore = await readHighestGap(store, { canonical: true });
  const added = await chain.add(blocks);
  // The highest gap may change without new gaps: a branch above an earlier gap may have become canonical.
  const isOtherGap = (await readHighestGap(store, { canonical: true })) !== canonicalGapBefore;
  const highestGap = chain.gaps.reduce((highest, { height }) => Math.max(highest, height), gapBefore ?? 0);
  const withContent = added.filter(({ event }) => hasContent(event));
  return { chain, tipHeightBefore, gapBefore, highestGap, isOtherGap, blocks, microblocks, added, withContent };
}
