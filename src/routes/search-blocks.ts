// Cuts sorted rows into blocks for searching by prefix. A fence of the blocks' first keys tells which block has a key.

/** Rows of a typical block, 10 KB as JSON and 5 KB gzipped, and of the largest: two of these have 20 KB. */
export const USUAL_ROWS = 192;
const MAX_ROWS = 420;
/** One row in this many begins a block: RARE while it is small, OFTEN later. One more row then moves few cuts. */
const RARE = 1024;
const OFTEN = 48;

/** A searchable row; its key sorts as the rows do. */
export interface SearchRow {
  readonly key: string;
  /** Text shared by consecutive rows of a block, and the rest of this row. */
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
 * Cuts rows sorted by key into blocks. The keys themselves determine the cuts, so that one more row changes one block
 * and leaves the others unchanged.
 */
export class BlockCutter {
  #first = '';
  #count = 0;
  #rows: [string, ...(string | number)[]][] = [];

  /** Returns the block that ends before this row, if one does. */
  add({ key, group, member }: SearchRow): SearchBlock | undefined {
    const oneIn = this.#count < USUAL_ROWS ? RARE : OFTEN;
    const ended = this.#count >= MAX_ROWS || hashOf(key) % oneIn === 0 ? this.end() : undefined;
    if (this.#count++ === 0) this.#first = key;
    const last = this.#rows.at(-1);
    if (last?.[0] === group) last.push(member);
    else this.#rows.push([group, member]);
    return ended;
  }

  /** Returns the block of the remaining rows. */
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
  // The low bits depend mostly on the last letters, so the high ones are mixed in.
  return (hash ^ (hash >>> 15)) >>> 0;
}
