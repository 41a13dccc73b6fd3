// Stores the blocks of a batch, and says what they changed on the chain.
import { hasContent } from '#model/block-content.ts';
import type { BlockEvent, ChainEvent } from '#model/chain-event.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import type { StoreWriter } from '#store/index-database.ts';
import type { AddedBlock } from '../added-block.ts';
import { openChain } from './canonical-chain.ts';

export type MicroblocksEvent = Exclude<ChainEvent, BlockEvent>;

/** The chain after a batch, and what was different before. */
export interface StoredChain {
  readonly chain: Awaited<ReturnType<typeof openChain>>;
  readonly tipHeightBefore: number;
  /** The height of the highest block whose parent was unknown, on any branch. */
  readonly gapBefore: number | undefined;
  /** The same, after the batch; 0 where there is none. */
  readonly highestGap: number;
  /** True if the highest gap of the canonical chain is another one than before. */
  readonly isOtherGap: boolean;
  readonly blocks: readonly BlockEvent[];
  readonly microblocks: readonly MicroblocksEvent[];
  readonly added: readonly AddedBlock[];
  /** The added blocks that have anything to store. */
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
  await chain.flush();
  // A branch may take over that was stored with a gap.
  const isOtherGap = (await readHighestGap(store, { canonical: true })) !== canonicalGapBefore;
  const highestGap = chain.gaps.reduce((highest, { height }) => Math.max(highest, height), gapBefore ?? 0);
  const withContent = added.filter(({ event }) => hasContent(event));
  return { chain, tipHeightBefore, gapBefore, highestGap, isOtherGap, blocks, microblocks, added, withContent };
}
