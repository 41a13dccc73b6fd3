// Cuts sorted rows into blocks for searching by prefix: a fence of the blocks' first keys says which block has what.

/** Rows of a usual block, 10 KB as JSON and 5 KB gzipped, and of the largest: two of these have 20 KB. */
export const USUAL_ROWS = 192;
const MAX_ROWS = 420;
/** One row in so many begins a block: while a block is small, and once it is not. A row more moves few cuts then. */
const RARE = 1024;
const OFTEN = 48;

/** What is found: by its key, which sorts as the rows do. */
export interface SearchRow {
  readonly key: string;
  /** What rows of a block that come one behind the other have in common, and what of this one is beside it. */
  readonly group: string;
  readonly member: string | number;
}

/** A group and its members: `["wrapped-token", "SP…", "SP…"]`. */
export type BlockRow = readonly [string, ...(string | number)[]];

export interface SearchBlock {
  /** Key of its first row. */
  readonly first: string;
  readonly rows: readonly BlockRow[];
}

/**
 * The blocks of rows that come sorted by key. The keys themselves say where they are cut, so that a row more changes one
 * block and leaves the others as they are.
 */
export class BlockCutter {
  #first = '';
  #count = 0;
  #rows: [string, ...(string | number)[]][] = [];

  /** Returns the block that ends before the row, if one does. */
  add({ key, group, member }: SearchRow): SearchBlock | undefined {
    const oneIn = this.#count < USUAL_ROWS ? RARE : OFTEN;
    const ended = this.#count >= MAX_ROWS || hashOf(key) % oneIn === 0 ? this.end() : undefined;
    if (this.#count++ === 0) this.#first = key;
    const last = this.#rows.at(-1);
    if (last?.[0] === group) last.push(member);
    else this.#rows.push([group, member]);
    return ended;
  }

  /** The block of what was added since the last one. */
  end(): SearchBlock | undefined {
    if (this.#count === 0) return undefined;
    const block = { first: this.#first, rows: this.#rows };
    this.#count = 0;
    this.#rows = [];
    return block;
  }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // Its low bits are those of the last letters: the high ones are mixed in.
  return (hash ^ (hash >>> 15)) >>> 0;
}
