// Makes the stored form of a block from its event and its parent.
import type { BlockEvent } from '#model/chain-event.ts';
import { type Block, blockIdOf } from '#store/chain/block-records.ts';

/** `fork`: the number of the block at its height. */
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

/** A block that begins or extends a tenure names the burn block that it sees. Any other block sees that of its parent. */
function burnViewOf(event: BlockEvent, parent: Block | undefined): number | undefined {
  if (event.seesOwnBurnBlock !== undefined) return event.seesOwnBurnBlock ? event.burnBlockHeight : undefined;
  return parent?.burnBlockHeight === event.burnBlockHeight ? parent.burnViewHeight : undefined;
}
