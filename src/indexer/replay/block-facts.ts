// Computes the chain heights that a transaction sees, from its block and epoch, and which heights the archive contains.

import { BLOCK_HEIGHT, BURN_HEIGHT, HEIGHT } from '#clarity/builtins.ts';
import { EPOCHS, type EpochName } from '#model/chain.ts';
import type { DeployBlock } from '#store/chain/deploys.ts';
import type { BlockFacts } from '#vm/messages.ts';

/** The names of the chain heights that contracts can read. The VM receives a height if the archive contains it. */
export const HEIGHTS: ReadonlySet<string> = new Set([HEIGHT, BLOCK_HEIGHT, BURN_HEIGHT]);

/** The heights that the archive contains. It is always one of the four sets below, because sets are keys of a cache. */
export type KnownHeights = ReadonlySet<string>;
const [ALL, NO_BURN, NO_BLOCK, NEITHER] = [
  HEIGHTS,
  new Set([HEIGHT, BLOCK_HEIGHT]),
  new Set([HEIGHT, BURN_HEIGHT]),
  new Set([HEIGHT]),
];
const FIRST_OF_TENURES = EPOCHS.findIndex(({ name }) => name === '3.0');

/**
 * Returns the heights that a transaction sees. Up to epoch 2.5, it sees the burn block of the parent block. From 3.0
 * on, it sees the last burn block that the tenure sees, and `block-height` is the height of the tenure.
 */
export function factsOf(
  stacksHeight: number,
  block: Pick<DeployBlock, 'burnBlockHeight' | 'burnViewHeight' | 'parentBurnHeight' | 'tenureHeight'> | undefined,
  epoch: EpochName | undefined,
): { readonly block: BlockFacts; readonly known: KnownHeights } {
  const hasTenures = EPOCHS.findIndex(({ name }) => name === epoch) >= FIRST_OF_TENURES;
  const blockHeight = hasTenures ? block?.tenureHeight : stacksHeight;
  const burnHeight = hasTenures ? block?.burnViewHeight : block?.parentBurnHeight;
  const withBlock = burnHeight === undefined ? NO_BURN : ALL;
  const withoutBlock = burnHeight === undefined ? NEITHER : NO_BLOCK;
  return {
    block: {
      stacksHeight,
      blockHeight: blockHeight ?? stacksHeight,
      burnHeight: burnHeight ?? block?.burnBlockHeight ?? 0,
    },
    known: blockHeight === undefined ? withoutBlock : withBlock,
  };
}
