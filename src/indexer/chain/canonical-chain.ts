// Adds blocks to the stored tree, and maintains the canonical rule: a block is canonical if and only if it is on the
// chain that ends at the tip. Canonical blocks up to the final height stay canonical.

import type { BlockEvent } from '#model/chain-event.ts';
import { BlockPages } from '#store/chain/block-pages.ts';
import { type Block, heightOf, MAX_FORKS } from '#store/chain/block-records.ts';
import {
  deleteSideBlocks,
  findSideBlocks,
  hasSideBlocks,
  insertSideBlocks,
  lastSideFork,
  readLowestHeight,
  readSideBlocks,
  readTip,
  type SideBlock,
} from '#store/chain/blocks.ts';
import { deleteGaps, findAbove, insertGap, readLowestGap, readMissing } from '#store/chain/gaps.ts';
import { deleteSupplyChanges } from '#store/chain/supplies.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import type { AddedBlock } from '../added-block.ts';
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

/** The known ancestors of a new block that are not canonical, highest first. */
interface Branch {
  readonly blocks: readonly SideBlock[];
  /** The height above which the branch replaces canonical blocks. */
  readonly above: number;
}

/** A hash that no block has. It stands for the unknown parent of an orphaned block, such as the genesis block. */
const NO_HASH = `0x${'00'.repeat(32)}`;

/** Opens the chain for one transaction. Blocks may arrive in any order. Call `flush` to write the pages. */
export async function openChain(store: StoreWriter) {
  const pages = new BlockPages(store);
  let tip = await readTip(store);
  let hasSide = await hasSideBlocks(store);
  /** The highest final height; undefined if no block is final. Canonical blocks up to this height stay canonical. */
  const { finalHeight } = await readInfo(store);
  /** The lowest height at which a block joined the chain below the tip. */
  let joinedAt = Number.POSITIVE_INFINITY;
  /** The new canonical flag of each block whose flag changed after the block was added. */
  const flipped = new Map<number, boolean>();
  const gaps: BlockAboveGap[] = [];
  const refused: RefusedBlock[] = [];
  const closedGaps: string[] = [];
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
    finish,
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
    if (fork >= MAX_FORKS) return refuse(event, 'too-many-forks');
    const movesTip = tip === undefined || height > tip.height;
    const above = await readAbove(indexBlockHash);
    const children = above.filter((child) => child.height > height);
    // Across gaps, several canonical blocks may name this block as their missing parent. The highest becomes its child.
    const child = children
      .filter((candidate) => !movesTip && candidate.canonical)
      .reduce<Block | undefined>((best, next) => (next.height > (best?.height ?? -1) ? next : best), undefined);
    const joins = movesTip || child !== undefined;
    const below = child?.height ?? Number.POSITIVE_INFINITY;
    const parent = await findParent(parentIndexBlockHash, height);
    const branch = joins ? await readBranch(height, parent) : undefined;
    if (await replacesFinal(branch?.above ?? height - 1, branch === undefined ? height + 1 : below))
      return refuse(event, 'fork-too-deep');
    const added = newBlock(event, fork, joins, parent);
    if (parent === undefined && height > 0) await noteGap(added, parentIndexBlockHash);
    for (const orphan of above) closedGaps.push(orphan.indexBlockHash);
    await deleteGaps(
      store,
      children.map(({ blockId }) => blockId),
    );
    if (branch !== undefined) {
      joinedAt = Math.min(joinedAt, branch.blocks.at(-1)?.height ?? height);
      await connect(branch, below);
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

  async function readBranch(height: number, parent: Block | undefined): Promise<Branch> {
    const blocks: SideBlock[] = [];
    let ancestor: Block | undefined = parent;
    while (ancestor !== undefined && !ancestor.canonical) {
      const side = ancestor as SideBlock;
      blocks.push(side);
      ancestor = await findParent(side.parentIndexBlockHash, side.height);
    }
    // Canonical blocks below a gap stay canonical.
    return { blocks, above: ancestor?.height ?? (blocks.at(-1)?.height ?? height) - 1 };
  }

  /** True if a canonical block between two heights is final. */
  async function replacesFinal(above: number, below: number): Promise<boolean> {
    if (finalHeight === undefined || above >= finalHeight) return false;
    for await (const { height } of pages.upFrom(above + 1)) return height <= finalHeight && height < below;
    return false;
  }

  function refuse(event: BlockEvent, code: RefusedBlock['code']): undefined {
    refused.push({ event, code });
  }

  /** Makes the blocks of a branch canonical, and orphans the blocks that they replace below the height `below`. */
  async function connect({ blocks: adopted, above }: Branch, below: number): Promise<void> {
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

  /**
   * Raises the final height to `window` blocks below the tip, or below the lowest gap. Call this last, because it
   * deletes the data for undoing final blocks.
   */
  async function finish(window: number): Promise<void> {
    await pages.flush();
    const lowest = await readLowestHeight(store);
    if (tip === undefined || lowest === undefined) return;
    const gap = await readLowestGap(store, finalHeight ?? lowest);
    const top = gap === undefined ? tip : await pages.blockBelow(gap);
    const before = finalHeight ?? lowest - 1;
    const to = Math.max(before, (top?.height ?? 0) - window);
    const from = Math.min(joinedAt, before + 1);
    if (from <= to) await deleteSupplyChanges(store, from, to + 1);
    if (to > before) await writeInfo(store, { finalHeight: to });
  }

  /** Notes that the canonical flag of a block changed. Two changes of a block in one transaction cancel each other. */
  function flip(blockId: number, canonical: boolean): void {
    if (flipped.get(blockId) === !canonical) flipped.delete(blockId);
    else flipped.set(blockId, canonical);
  }
}
