// Adds blocks to the stored tree, and maintains the canonical rule: a block is canonical if and only if it is on the
// chain that ends at the tip. Final blocks stay canonical.

import type { BlockEvent } from '#model/chain-event.ts';
import type { FinalityWindow } from '#model/finality-window.ts';
import { BlockPages } from '#store/chain/block-pages.ts';
import { type Block, heightOf, MAX_FORKS } from '#store/chain/block-records.ts';
import {
  deleteSideBlocks,
  findSideBlocks,
  hasSideBlocks,
  insertSideBlocks,
  lastSideFork,
  readSideBlocks,
  readTip,
  type SideBlock,
} from '#store/chain/blocks.ts';
import { deleteGaps, findAbove, insertGap, readMissing } from '#store/chain/gaps.ts';
import type { StoreWriter } from '#store/index-database.ts';
import type { AddedBlock } from '../added-block.ts';
import { openFinality } from './finality.ts';
import { newBlock } from './new-block.ts';

/** An added block whose parent is unknown. A gap is below such a block. */
export interface BlockAboveGap extends Block {
  readonly missing: string;
}

/** A block that the index refuses, and the reason. */
export interface RefusedBlock {
  readonly event: BlockEvent;
  readonly code: 'fork-too-deep' | 'too-many-forks';
}

/** A hash that no block has. It stands for the unknown parent of an orphaned block, such as the genesis block. */
const NO_HASH = `0x${'00'.repeat(32)}`;

/** Opens the chain for one transaction. Blocks may arrive in any order. Call `flush` to write the pages. */
export async function openChain(store: StoreWriter) {
  const pages = new BlockPages(store);
  let tip = await readTip(store);
  let hasSide = await hasSideBlocks(store);
  const finality = await openFinality(store, pages, tip);
  /** The new canonical flag of each block whose flag changed after the block was added. */
  const flipped = new Map<number, boolean>();
  const gaps: BlockAboveGap[] = [];
  const refused: RefusedBlock[] = [];
  const closedGaps: string[] = [];
  const closedAbove: Block[] = [];
  const flippedTo = (to: boolean) => [...flipped].flatMap(([blockId, canonical]) => (canonical === to ? blockId : []));
  return {
    add,
    flush: () => pages.flush(),
    /** Added blocks whose parent is unknown, in arrival order. */
    gaps: gaps as readonly BlockAboveGap[],
    /** Blocks that were not added, with the reasons. */
    refused: refused as readonly RefusedBlock[],
    /** Hashes of the blocks whose missing parent was added. */
    closedGaps: closedGaps as readonly string[],
    get tip(): Block | undefined {
      return tip;
    },
    /** Ids of the blocks that became canonical after they were added. */
    get adopted(): number[] {
      return flippedTo(true);
    },
    /** Ids of the blocks that are no longer canonical. */
    get orphaned(): number[] {
      return flippedTo(false);
    },
    /** Makes blocks far below the tip final. Call this last, because it deletes the data for undoing these blocks. */
    async finish(window: FinalityWindow): Promise<void> {
      if (tip !== undefined) await finality.advance(tip, window, closedAbove);
      await pages.flush();
    },
  };

  /** Adds the new blocks, and returns them with their initial canonical flag. */
  async function add(events: readonly BlockEvent[]): Promise<AddedBlock[]> {
    const hashes = events.map((event) => event.indexBlockHash);
    const known = new Set(hasSide ? (await findSideBlocks(store, hashes)).map((block) => block.indexBlockHash) : []);
    const added: AddedBlock[] = [];
    for (const event of events) {
      const isNext = tip !== undefined && event.height > tip.height;
      if (
        isNext &&
        event.parentIndexBlockHash === tip?.indexBlockHash &&
        !(hasSide && known.has(event.indexBlockHash))
      ) {
        const page = pages.held(event.height) ?? (await pages.pageOf(event.height));
        const next = newBlock(event, 0, true, tip);
        page.put(next);
        finality.extend(next);
        tip = next;
        added.push({ event, block: next });
        continue;
      }
      const { indexBlockHash } = event;
      if (known.has(indexBlockHash)) continue;
      const rival = isNext ? undefined : await pages.blockAt(event.height);
      if (rival?.indexBlockHash === indexBlockHash) continue;
      known.add(indexBlockHash);
      const block = await addToTree(event, rival);
      if (block !== undefined) added.push({ event, block });
    }
    return added;
  }

  /** Adds a block that is not the next block after the tip. `rival` is the canonical block at the same height. */
  async function addToTree(event: BlockEvent, rival: Block | undefined): Promise<Block | undefined> {
    const { indexBlockHash, parentIndexBlockHash, height } = event;
    const fork = 1 + Math.max(rival === undefined ? -1 : rival.blockId % MAX_FORKS, await lastSideFork(store, height));
    const isBelowFinal = rival !== undefined && pages.held(height)?.isFinal(height) === true;
    if (isBelowFinal || fork >= MAX_FORKS) {
      refused.push({ event, code: isBelowFinal ? 'fork-too-deep' : 'too-many-forks' });
      return undefined;
    }
    const movesTip = tip === undefined || height > tip.height;
    const above = await readAbove(indexBlockHash);
    const children = above.filter((child) => child.height > height);
    // Across gaps, several canonical blocks may name this block as their missing parent. The highest becomes its child.
    const child = children
      .filter((candidate) => !movesTip && candidate.canonical)
      .reduce<Block | undefined>((best, next) => (next.height > (best?.height ?? -1) ? next : best), undefined);
    // Canonical blocks between this block and its child would be orphaned, but one of them is final.
    if (child !== undefined && (await highestFinal(height + 1, child.height)) !== undefined) {
      refused.push({ event, code: 'fork-too-deep' });
      return undefined;
    }
    finality.restart();
    const joins = movesTip || child !== undefined;
    const parent = await findParent(parentIndexBlockHash, height);
    const added = newBlock(event, fork, joins, parent);
    if (parent === undefined && height > 0) await noteGap(added, parentIndexBlockHash);
    for (const orphan of above) closedGaps.push(orphan.indexBlockHash);
    for (const orphan of children) closedAbove.push(orphan);
    await deleteGaps(
      store,
      children.map(({ blockId }) => blockId),
    );
    if (joins) {
      await connect(added, parent, child?.height ?? Number.POSITIVE_INFINITY);
      await pages.put(added);
    } else {
      await insertSideBlocks(store, [{ ...added, parentIndexBlockHash }]);
      hasSide = true;
    }
    if (movesTip) tip = added;
    return added;
  }

  async function noteGap(block: Block, missing: string): Promise<void> {
    gaps.push({ ...block, missing });
    await insertGap(store, block.blockId, missing);
  }

  /** Reads the blocks whose missing parent has this hash. */
  async function readAbove(hash: string): Promise<Block[]> {
    const above: Block[] = [];
    const sideIds: number[] = [];
    for (const id of await findAbove(store, hash)) {
      const held = await pages.blockAt(heightOf(id));
      if (held?.blockId === id) above.push(held);
      else sideIds.push(id);
    }
    for (const block of await readSideBlocks(store, sideIds)) above.push(block);
    return above;
  }

  /**
   * Makes the known ancestors of a canonical block canonical, and orphans the blocks that they replace below the height
   * `below`. If the branch begins below a final block, only its part above that block becomes canonical.
   */
  async function connect(block: Block, parent: Block | undefined, below: number): Promise<void> {
    let adopted: SideBlock[] = [];
    let ancestor: Block | undefined = parent;
    while (ancestor !== undefined && !ancestor.canonical) {
      const side = ancestor as SideBlock;
      adopted.push(side);
      ancestor = await findParent(side.parentIndexBlockHash, side.height);
    }
    // Canonical blocks below a gap stay canonical.
    let above = ancestor?.height ?? (adopted.at(-1) ?? block).height - 1;
    const final = await highestFinal(above + 1, block.height);
    if (final !== undefined) {
      const lower = adopted.find(({ height }) => height <= final) ?? ancestor;
      adopted = adopted.filter(({ height }) => height > final);
      const lowest = adopted.at(-1);
      await noteGap(lowest ?? block, lowest?.parentIndexBlockHash ?? lower?.indexBlockHash ?? NO_HASH);
      above = final;
    }
    const replaced = await removeBetween(above, below);
    await insertSideBlocks(store, replaced);
    hasSide ||= replaced.length > 0;
    await deleteSideBlocks(
      store,
      adopted.map(({ blockId }) => blockId),
    );
    for (const { parentIndexBlockHash, ...block } of adopted) await pages.put({ ...block, canonical: true });
    for (const { blockId } of replaced) flip(blockId, false);
    for (const { blockId } of adopted) flip(blockId, true);
  }

  /** Returns the height of the highest final block from `from` to below `below`; undefined without such a block. */
  async function highestFinal(from: number, below: number): Promise<number | undefined> {
    let highest: number | undefined;
    for await (const { page, height } of pages.upFrom(from)) {
      if (height >= below) break;
      if (page.isFinal(height)) highest = height;
    }
    return highest;
  }

  /** Removes canonical blocks between two heights from the pages. Returns each block with the hash of its parent. */
  async function removeBetween(above: number, below: number): Promise<SideBlock[]> {
    const removed: SideBlock[] = [];
    let parentHash = (await pages.blockBelow(above + 1))?.indexBlockHash;
    for await (const { page, height } of pages.upFrom(above + 1)) {
      if (height >= below) break;
      const block = page.block(height) as Block;
      const missing = await readMissing(store, block.blockId);
      const side = { ...block, canonical: false, parentIndexBlockHash: missing ?? parentHash ?? NO_HASH };
      removed.push(side);
      parentHash = block.indexBlockHash;
    }
    for (const { height } of removed) (await pages.pageOf(height)).remove(height);
    return removed;
  }

  /** Finds the parent of a block; undefined above a gap. Ignores a parent that is not lower, to avoid cycles. */
  async function findParent(hash: string, height: number): Promise<Block | undefined> {
    const side = hasSide ? await findSideBlocks(store, [hash]) : [];
    return side.find((block) => block.height < height) ?? (await pages.findBelow(hash, height));
  }

  /** Notes that the canonical flag of a block changed. Two changes of a block in one transaction cancel each other. */
  function flip(blockId: number, canonical: boolean): void {
    if (flipped.get(blockId) === !canonical) flipped.delete(blockId);
    else flipped.set(blockId, canonical);
  }
}
