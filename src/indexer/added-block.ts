// The type of a block that was added to the chain, with its events.
import type { BlockEvent } from '#model/chain-event.ts';
import type { Block } from '#store/chain/blocks.ts';

export interface AddedBlock {
  readonly block: Block;
  readonly event: BlockEvent;
}
