// Adds blocks to the stored tree, and maintains the canonical rule: a block is canonical if and only if it is on the
// chain that ends at the tip. Canonical blocks up to the final height stay canonical.

import type { BlockEvent } from '#model/chain-event.ts';
import {
  adoptBlocks,
  type Block,
  countForks,
  findBelow,
  insertBlocks,
  orphanBetween,
  readBlockBelow,
  readHashesAt,
  readLowestHeight,
  readTip,
} from '#store/chain/blocks.ts';
import { deleteGaps, findAbove, insertGap, readLowestGap } from '#store/chain/gaps.ts';
import { deleteSupplyChanges } from '#store/chain/supplies.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { MAX_FORKS } from '#store/schema/chain.ts';
import { type AddedBlock, newBlock } from '../new-block.ts';

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
  readonly blocks: readonly Block[];
  /** The height above which the branch replaces canonical blocks. */
  readonly above: number;
}

export type CanonicalChain = Awaited<ReturnType<typeof openChain>>;

/** Opens the chain for one transaction. Blocks may arrive in any order. */
export async function openChain(store: StoreWriter) {
  let tip = await readTip(store);
  const { finalHeight, chainVersion = 0 } = await readInfo(store);
  /** New blocks on top of the stored tip, which are not stored yet. */
  let pending: Block[] = [];
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
    finish,
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
  };

  /** Adds the new blocks, and returns them with their initial canonical flag. */
  async function add(events: readonly BlockEvent[]): Promise<AddedBlock[]> {
    const storedUpTo = tip?.height ?? -1;
    const heights = events.map(({ height }) => height).filter((height) => height <= storedUpTo);
    const known = await readHashesAt(store, heights);
    const added: AddedBlock[] = [];
    for (const event of events) {
      if (known.has(event.indexBlockHash)) continue;
      known.add(event.indexBlockHash);
      const block = addOnTop(event) ?? (await addToTree(event));
      if (block !== undefined) added.push({ event, block });
    }
    await storePending();
    const canonical = added.filter(({ block }) => block.canonical).length;
    if (canonical > 0) await writeInfo(store, { chainVersion: chainVersion + canonical });
    return added;
  }

  /** Adds the next block after the tip; undefined for another block. */
  function addOnTop(event: BlockEvent): Block | undefined {
    if (tip === undefined || event.height <= tip.height || event.parentIndexBlockHash !== tip.indexBlockHash)
      return undefined;
    tip = newBlock(event, 0, true, tip);
    pending.push(tip);
    return tip;
  }

  async function storePending(): Promise<void> {
    await insertBlocks(store, pending);
    pending = [];
  }

  /** Adds a block that is not the next block after the tip. */
  async function addToTree(event: BlockEvent): Promise<Block | undefined> {
    await storePending();
    const { indexBlockHash, parentIndexBlockHash, height } = event;
    const fork = await countForks(store, height);
    if (fork >= MAX_FORKS) return refuse(event, 'too-many-forks');
    const movesTip = tip === undefined || height > tip.height;
    const orphans = await findAbove(store, indexBlockHash);
    const children = orphans.filter((orphan) => orphan.height > height);
    // Across gaps, several canonical blocks may name this block as their missing parent. The highest becomes its child.
    const child = movesTip ? undefined : children.findLast(({ canonical }) => canonical);
    const joins = movesTip || child !== undefined;
    const parent = await findBelow(store, parentIndexBlockHash, height);
    const branch = joins ? await readBranch(height, parent) : { blocks: [], above: height - 1 };
    const below = joins ? (child?.height ?? Number.POSITIVE_INFINITY) : height + 1;
    if (await replacesFinal(branch.above, below)) return refuse(event, 'fork-too-deep');
    if (joins) await connect(branch, below);
    const added = newBlock(event, fork, joins, parent);
    await insertBlocks(store, [added]);
    if (parent === undefined && height > 0) {
      gaps.push({ ...added, missing: parentIndexBlockHash });
      await insertGap(store, added.blockId, parentIndexBlockHash);
    }
    for (const orphan of orphans) closedGaps.push(orphan.indexBlockHash);
    await deleteGaps(
      store,
      children.map(({ blockId }) => blockId),
    );
    if (movesTip) tip = added;
    else if (joins) joinedAt = Math.min(joinedAt, branch.above + 1);
    return added;
  }

  async function readBranch(height: number, parent: Block | undefined): Promise<Branch> {
    const blocks: Block[] = [];
    let ancestor: Block | undefined = parent;
    while (ancestor?.parentIndexBlockHash !== undefined) {
      blocks.push(ancestor);
      ancestor = await findBelow(store, ancestor.parentIndexBlockHash, ancestor.height);
    }
    // Canonical blocks below a gap stay canonical.
    return { blocks, above: ancestor?.height ?? (blocks.at(-1)?.height ?? height) - 1 };
  }

  /** True if a canonical block between two heights is final. */
  async function replacesFinal(above: number, below: number): Promise<boolean> {
    const highest = await readBlockBelow(store, Math.min(below, (finalHeight ?? -1) + 1));
    return highest !== undefined && highest.height > above;
  }

  function refuse(event: BlockEvent, code: RefusedBlock['code']): undefined {
    refused.push({ event, code });
  }

  /** Makes the blocks of a branch canonical, and orphans the blocks that they replace below the height `below`. */
  async function connect({ blocks, above }: Branch, below: number): Promise<void> {
    const adopted = blocks.map(({ blockId }) => blockId);
    for (const blockId of await orphanBetween(store, above, below)) flip(blockId, false);
    await adoptBlocks(store, adopted);
    for (const blockId of adopted) flip(blockId, true);
  }

  /**
   * Raises the final height to `finalBlocks` blocks below the tip, or below the lowest gap. Call this last, because it
   * deletes the data for undoing final blocks.
   */
  async function finish(finalBlocks: number): Promise<void> {
    const lowest = finalHeight ?? (await readLowestHeight(store));
    if (tip === undefined || lowest === undefined) return;
    const gap = await readLowestGap(store, lowest);
    const top = gap === undefined ? tip : await readBlockBelow(store, gap);
    const before = finalHeight ?? lowest - 1;
    const to = Math.max(before, (top?.height ?? 0) - finalBlocks);
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
