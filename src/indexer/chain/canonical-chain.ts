// Adds blocks to the stored tree and maintains the canonical rule: a block is canonical if and only if it is on the
// chain that ends at the tip.

import type { BlockEvent } from '#model/chain-event.ts';
import {
  type Block,
  canonicalBlockIds,
  findBlock,
  findBlocks,
  findChildren,
  insertBlocks,
  lastBlockId,
  readTip,
  setCanonical,
} from '#store/chain/blocks.ts';
import type { StoreWriter } from '#store/index-database.ts';
import type { AddedBlock } from '../added-block.ts';

/** One transaction's view of the chain. Blocks may come in any order; `flush` writes the pending ones. */
export async function openChain(store: StoreWriter) {
  let tip = await readTip(store);
  let nextBlockId = (await lastBlockId(store)) + 1;
  /** Consecutive blocks that are not written yet. */
  let pending: Block[] = [];
  /** The canonical flag of each block that changed after it was added. */
  const flipped = new Map<number, boolean>();
  const gaps: Block[] = [];
  const closedGaps: string[] = [];
  const flippedTo = (to: boolean) => [...flipped].flatMap(([blockId, canonical]) => (canonical === to ? blockId : []));
  return {
    add,
    flush,
    /** Added blocks whose parent is unknown, in arrival order. */
    gaps: gaps as readonly Block[],
    /** Hashes of blocks whose missing parent was added. */
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
    const hashes = events.map((event) => event.indexBlockHash);
    const known = new Set((await findBlocks(store, hashes)).map((block) => block.indexBlockHash));
    const added: AddedBlock[] = [];
    for (const event of events) {
      if (known.has(event.indexBlockHash)) continue;
      known.add(event.indexBlockHash);
      added.push({ event, block: await addOne(event) });
    }
    return added;
  }

  /** Writes pending blocks. */
  async function flush(): Promise<void> {
    await insertBlocks(store, pending);
    pending = [];
  }

  async function addOne(event: BlockEvent): Promise<Block> {
    const { indexBlockHash, parentIndexBlockHash, height, burnBlockHeight, tenureHeight, burnBlockTime } = event;
    const block = (canonical: boolean, parent: Block | undefined): Block => ({
      ...{ indexBlockHash, parentIndexBlockHash, height, burnBlockHeight, tenureHeight, burnBlockTime },
      blockId: nextBlockId++,
      burnViewHeight: burnViewOf(event, parent),
      canonical,
    });
    if (tip !== undefined && parentIndexBlockHash === tip.indexBlockHash && height > tip.height) {
      const next = block(true, tip);
      pending.push(next);
      tip = next;
      return next;
    }

    // Any other case is rare: it reads, and may change, stored blocks.
    await flush();
    const movesTip = tip === undefined || height > tip.height;
    const children = await findChildren(store, indexBlockHash);
    // If heights are missing, several canonical children may be above the gap that this block fills.
    const child = children
      .filter((candidate) => !movesTip && candidate.canonical && candidate.height > height)
      .reduce<Block | undefined>((highest, one) => (one.height > (highest?.height ?? -1) ? one : highest), undefined);
    const joins = movesTip || child !== undefined;
    const parent = await parentOf(event);
    const added = block(joins, parent);
    if (parent === undefined && height > 0) gaps.push(added);
    for (const orphan of children) closedGaps.push(orphan.indexBlockHash);
    pending.push(added);
    await flush();
    if (joins) await connect(added, parent, child?.height ?? Number.POSITIVE_INFINITY);
    if (movesTip) tip = added;
    return added;
  }

  /** Makes known ancestors of a canonical block canonical, and orphans the blocks they replace below height `below`. */
  async function connect(block: Block, parent: Block | undefined, below: number): Promise<void> {
    const adopted: number[] = [];
    let ancestor = parent;
    let lowest = block;
    while (ancestor !== undefined && !ancestor.canonical) {
      adopted.push(ancestor.blockId);
      lowest = ancestor;
      ancestor = await parentOf(ancestor);
    }
    // Canonical blocks below a gap stay canonical.
    const above = ancestor === undefined ? lowest.height - 1 : ancestor.height;
    const inPlace = await canonicalBlockIds(store, above, below);
    const replaced = inPlace.filter((blockId) => blockId !== block.blockId);
    await setCanonical(store, replaced, false);
    await setCanonical(store, adopted, true);
    for (const blockId of replaced) flip(blockId, false);
    for (const blockId of adopted) flip(blockId, true);
  }

  /** Undefined above a gap, and for a parent that is not lower: following such links would never end. */
  async function parentOf(block: Pick<Block, 'parentIndexBlockHash' | 'height'>): Promise<Block | undefined> {
    const parent = await findBlock(store, block.parentIndexBlockHash);
    return parent !== undefined && parent.height < block.height ? parent : undefined;
  }

  /** Records a flip; a block that flips twice in one transaction is unchanged. */
  function flip(blockId: number, canonical: boolean): void {
    if (flipped.get(blockId) === !canonical) flipped.delete(blockId);
    else flipped.set(blockId, canonical);
  }
}

/** What the tenure sees is said where it begins or is extended: a block without that sees what its parent sees. */
function burnViewOf(event: BlockEvent, parent: Block | undefined): number | undefined {
  if (event.seesOwnBurnBlock !== undefined) return event.seesOwnBurnBlock ? event.burnBlockHeight : undefined;
  return parent?.burnBlockHeight === event.burnBlockHeight ? parent.burnViewHeight : undefined;
}
