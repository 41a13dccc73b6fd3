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

/** One transaction's view of the chain. Blocks may come in any order; {@link flush} writes the pending ones. */
export class CanonicalChain {
  readonly #store: StoreWriter;
  #tip: Block | undefined;
  #nextBlockId: number;
  /** Consecutive blocks that are not written yet. */
  #pending: Block[] = [];
  /** The canonical flag of each block that changed after it was added. */
  readonly #flipped = new Map<number, boolean>();
  /** Added blocks whose parent is unknown, in arrival order. */
  readonly gaps: Block[] = [];
  /** Hashes of blocks whose missing parent was added. */
  readonly closedGaps: string[] = [];

  private constructor(store: StoreWriter, tip: Block | undefined, nextBlockId: number) {
    this.#store = store;
    this.#tip = tip;
    this.#nextBlockId = nextBlockId;
  }

  static async open(store: StoreWriter): Promise<CanonicalChain> {
    return new CanonicalChain(store, await readTip(store), (await lastBlockId(store)) + 1);
  }

  get tip(): Block | undefined {
    return this.#tip;
  }

  /** Ids of the blocks that became canonical after they were added. */
  get adopted(): number[] {
    return [...this.#flipped].filter(([, canonical]) => canonical).map(([blockId]) => blockId);
  }

  /** Ids of the blocks that are no longer canonical. */
  get orphaned(): number[] {
    return [...this.#flipped].filter(([, canonical]) => !canonical).map(([blockId]) => blockId);
  }

  /** Adds the new blocks, and returns them with their initial canonical flag. */
  async add(events: readonly BlockEvent[]): Promise<AddedBlock[]> {
    const hashes = events.map((event) => event.indexBlockHash);
    const known = new Set((await findBlocks(this.#store, hashes)).map((block) => block.indexBlockHash));
    const added: AddedBlock[] = [];
    for (const event of events) {
      if (known.has(event.indexBlockHash)) continue;
      known.add(event.indexBlockHash);
      added.push({ event, block: await this.#addOne(event) });
    }
    return added;
  }

  /** Writes pending blocks. */
  async flush(): Promise<void> {
    await insertBlocks(this.#store, this.#pending);
    this.#pending = [];
  }

  async #addOne(event: BlockEvent): Promise<Block> {
    const tip = this.#tip;
    const block = (canonical: boolean, parent: Block | undefined): Block => ({
      blockId: this.#nextBlockId++,
      indexBlockHash: event.indexBlockHash,
      parentIndexBlockHash: event.parentIndexBlockHash,
      height: event.height,
      burnBlockHeight: event.burnBlockHeight,
      tenureHeight: event.tenureHeight,
      burnBlockTime: event.burnBlockTime,
      burnViewHeight: burnViewOf(event, parent),
      canonical,
    });
    if (tip !== undefined && event.parentIndexBlockHash === tip.indexBlockHash && event.height > tip.height) {
      const next = block(true, tip);
      this.#pending.push(next);
      this.#tip = next;
      return next;
    }

    // Any other case is rare: it reads, and may change, stored blocks.
    await this.flush();
    const movesTip = tip === undefined || event.height > tip.height;
    const children = await findChildren(this.#store, event.indexBlockHash);
    // If heights are missing, several canonical children may be above the gap that this block fills.
    const child = children
      .filter((candidate) => !movesTip && candidate.canonical && candidate.height > event.height)
      .reduce<Block | undefined>((highest, one) => (one.height > (highest?.height ?? -1) ? one : highest), undefined);
    const joins = movesTip || child !== undefined;
    const parent = await this.#parentOf(event);
    const added = block(joins, parent);
    if (parent === undefined && event.height > 0) this.gaps.push(added);
    this.closedGaps.push(...children.map((orphan) => orphan.indexBlockHash));
    this.#pending.push(added);
    await this.flush();
    if (joins) await this.#connect(added, parent, child?.height ?? Number.POSITIVE_INFINITY);
    if (movesTip) this.#tip = added;
    return added;
  }

  /** Makes known ancestors of a canonical block canonical, and orphans the blocks they replace below height `below`. */
  async #connect(block: Block, parent: Block | undefined, below: number): Promise<void> {
    const adopted: number[] = [];
    let ancestor = parent;
    let lowest = block;
    while (ancestor !== undefined && !ancestor.canonical) {
      adopted.push(ancestor.blockId);
      lowest = ancestor;
      ancestor = await this.#parentOf(ancestor);
    }
    // Canonical blocks below a gap stay canonical.
    const above = ancestor === undefined ? lowest.height - 1 : ancestor.height;
    const inPlace = await canonicalBlockIds(this.#store, above, below);
    const replaced = inPlace.filter((blockId) => blockId !== block.blockId);
    await setCanonical(this.#store, replaced, false);
    await setCanonical(this.#store, adopted, true);
    for (const blockId of replaced) this.#flip(blockId, false);
    for (const blockId of adopted) this.#flip(blockId, true);
  }

  /** Undefined above a gap, and for a parent that is not lower: following such links would never end. */
  async #parentOf(block: Pick<Block, 'parentIndexBlockHash' | 'height'>): Promise<Block | undefined> {
    const parent = await findBlock(this.#store, block.parentIndexBlockHash);
    return parent !== undefined && parent.height < block.height ? parent : undefined;
  }

  /** Records a flip; a block that flips twice in one transaction is unchanged. */
  #flip(blockId: number, canonical: boolean): void {
    if (this.#flipped.get(blockId) === !canonical) this.#flipped.delete(blockId);
    else this.#flipped.set(blockId, canonical);
  }
}

/** What the tenure sees is said where it begins or is extended: a block without that sees what its parent sees. */
function burnViewOf(event: BlockEvent, parent: Block | undefined): number | undefined {
  if (event.seesOwnBurnBlock !== undefined) return event.seesOwnBurnBlock ? event.burnBlockHeight : undefined;
  return parent?.burnBlockHeight === event.burnBlockHeight ? parent.burnViewHeight : undefined;
}
