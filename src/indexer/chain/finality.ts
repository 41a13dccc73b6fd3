// Makes canonical blocks final when they are far below the tip, and deletes the data for undoing them.
import type { FinalityWindow } from '#model/finality-window.ts';
import type { BlockPages } from '#store/chain/block-pages.ts';
import type { Block } from '#store/chain/block-records.ts';
import { deleteSupplyChanges, type FinalityState, readFinality, writeFinality } from '#store/chain/final-blocks.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import type { StoreWriter } from '#store/index-database.ts';

/** Opens the state of finality, and returns functions that update it. `tip` is the tip before the transaction. */
export async function openFinality(store: StoreWriter, pages: BlockPages, tip: Block | undefined) {
  let state = tip && (await readFinality(store, tip.blockId));
  return { extend, restart, advance };

  /** Updates the counters for a block that extends the chain at its tip. Must be called with each such block. */
  function extend({ burnBlockHeight }: Block): void {
    if (state === undefined) return;
    state.blocks_above++;
    if (burnBlockHeight <= state.tip_burn) return;
    state.burns_above++;
    state.tip_burn = burnBlockHeight;
  }

  /** Discards the counters, so that `advance` counts from scratch. Must be called for changes other than a new tip. */
  function restart(): void {
    state = undefined;
  }

  /** Makes blocks far below the tip final. `closed` are blocks whose missing parent was added. */
  async function advance(tip: Block, window: FinalityWindow, closed: readonly Block[]): Promise<void> {
    // If a closed block is final, the linked blocks below it are final too.
    for (const { height, blockId } of closed.toSorted((left, right) => right.height - left.height)) {
      const page = await pages.pageOf(height);
      if (page.block(height)?.blockId === blockId && page.isFinal(height)) await makeAllFinal(height);
    }
    const counted = state ?? (await count(tip));
    const first = counted.next_height;
    for await (const { page, height } of pages.upFrom(first)) {
      const burn = page.burnHeight(height);
      // The counters describe the block at `next_height`. The next higher block has fewer blocks above it, and maybe
      // fewer burn blocks.
      if (height !== counted.next_height) {
        counted.blocks_above--;
        if (burn > counted.next_burn) {
          counted.burns_above--;
          counted.next_burn = burn;
        }
        counted.next_height = height;
      }
      if (counted.blocks_above < window.blocks || counted.burns_above < window.burnBlocks) break;
      page.setFinal(height);
    }
    await deleteSupplyChanges(store, first, counted.next_height);
    state = { ...counted, tip_id: tip.blockId };
    await writeFinality(store, state);
  }

  /** Counts the blocks above the lowest linked block that is not final. */
  async function count(tip: Block): Promise<FinalityState> {
    const bottom = await bottomBelow(tip.height + 1);
    let next = tip.height;
    for await (const { page, height } of pages.downFrom(tip.height)) {
      if (page.isFinal(height)) break;
      next = height;
      if (height <= bottom) break;
    }
    const counted = {
      tip_id: tip.blockId,
      next_height: next,
      blocks_above: -1,
      burns_above: 0,
      next_burn: 0,
      tip_burn: 0,
    };
    for await (const { page, height } of pages.upFrom(next)) {
      const burn = page.burnHeight(height);
      if (height === next) counted.next_burn = counted.tip_burn = burn;
      counted.blocks_above++;
      if (burn <= counted.tip_burn) continue;
      counted.burns_above++;
      counted.tip_burn = burn;
    }
    return counted;
  }

  /** Makes the blocks below a height final, down to the next final block or gap. */
  async function makeAllFinal(below: number): Promise<void> {
    const bottom = await bottomBelow(below);
    let lowest = below;
    for await (const { page, height } of pages.downFrom(below - 1)) {
      if (height < bottom || page.isFinal(height)) break;
      page.setFinal(height);
      lowest = height;
    }
    await deleteSupplyChanges(store, lowest, below);
  }

  /** Returns the height of the block above the highest canonical gap below a height; 0 without such a gap. */
  async function bottomBelow(height: number): Promise<number> {
    return (await readHighestGap(store, { canonical: true, belowHeight: height })) ?? 0;
  }
}
