// Makes the stored form of a block from its event and its parent.
import type { BlockEvent } from '#model/chain-event.ts';
import { type Block, blockIdOf } from '#store/chain/block-records.ts';

/** `fork`: the number of the block among those of its height. */
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

/** What the tenure sees is said where it begins or is extended: a block without that sees what its parent sees. */
function burnViewOf(event: BlockEvent, parent: Block | undefined): number | undefined {
  if (event.seesOwnBurnBlock !== undefined) return event.seesOwnBurnBlock ? event.burnBlockHeight : undefined;
  return parent?.burnBlockHeight === event.burnBlockHeight ? parent.burnViewHeight : undefined;
}
