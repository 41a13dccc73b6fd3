// Converts a block event to a stored block, with facts from its parent.
import type { BlockEvent } from '#model/chain-event.ts';
import type { Block } from '#store/chain/blocks.ts';
import { blockIdOf } from '#store/schema/chain.ts';

/** A block that was added to the chain, and its event. */
export interface AddedBlock {
  readonly block: Block;
  readonly event: BlockEvent;
}

/** Returns the block to store. `fork` counts the known blocks at the same height. */
export function newBlock(event: BlockEvent, fork: number, canonical: boolean, parent: Block | undefined): Block {
  const { indexBlockHash, parentIndexBlockHash, height, burnBlockHeight, tenureHeight, burnBlockTime } = event;
  return {
    blockId: blockIdOf(height, fork),
    indexBlockHash,
    height,
    burnBlockHeight,
    tenureHeight,
    burnViewHeight: burnViewOf(event, parent),
    // Boot blocks of some chains have the time 0.
    burnBlockTime: burnBlockTime || undefined,
    parentIndexBlockHash: canonical ? undefined : parentIndexBlockHash,
    canonical,
  };
}

/** Returns the burn height that contracts in the block see: the parent's, unless a tenure begins or is extended. */
function burnViewOf(event: BlockEvent, parent: Block | undefined): number | undefined {
  if (event.seesOwnBurnBlock !== undefined) return event.seesOwnBurnBlock ? event.burnBlockHeight : undefined;
  return parent?.burnBlockHeight === event.burnBlockHeight ? parent.burnViewHeight : undefined;
}
