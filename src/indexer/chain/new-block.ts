// Converts a block event and its parent to a stored block.
import type { BlockEvent } from '#model/chain-event.ts';
import { type Block, blockIdOf } from '#store/chain/block-records.ts';

/** `fork` is the number of the block at its height. */
export function newBlock(event: BlockEvent, fork: number, canonical: boolean, parent: Block | undefined): Block {
  const { indexBlockHash, height, burnBlockHeight, tenureHeight, burnBlockTime } = event;
  return {
    blockId: blockIdOf(height, fork),
    indexBlockHash,
    height,
    burnBlockHeight,
    tenureHeight,
    burnViewHeight: burnViewOf(event, parent),
    burnBlockTime,
    canonical,
  };
}

/** Returns the burn height that contracts see. Blocks that do not begin or extend a tenure inherit it. */
function burnViewOf(event: BlockEvent, parent: Block | undefined): number | undefined {
  if (event.seesOwnBurnBlock !== undefined) return event.seesOwnBurnBlock ? event.burnBlockHeight : undefined;
  return parent?.burnBlockHeight === event.burnBlockHeight ? parent.burnViewHeight : undefined;
}
