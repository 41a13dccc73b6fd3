// Encodes canonical blocks as records of a fixed length, and combines a height and a fork number into a block id.

/** A stored block. Hashes are lower-case hex with a 0x prefix. */
export interface Block {
  /** The height times 4,096, plus the fork number, which counts the known blocks at the same height. */
  readonly blockId: number;
  readonly indexBlockHash: string;
  readonly height: number;
  readonly burnBlockHeight: number;
  readonly tenureHeight: number | undefined;
  readonly burnViewHeight: number | undefined;
  /** Seconds since the epoch. */
  readonly burnBlockTime: number | undefined;
  readonly canonical: boolean;
}

/** Maximum number of blocks at one height. */
export const MAX_FORKS = 4096;

export function heightOf(blockId: number): number {
  return Math.floor(blockId / MAX_FORKS);
}

export function blockIdOf(height: number, fork: number): number {
  return height * MAX_FORKS + fork;
}

/** Number of heights per page. */
export const PAGE_HEIGHTS = 256;
/**
 * Byte offsets of the fields in a record. A record begins with the index block hash. It ends with the fork number (12
 * bits) and the flags (4 bits).
 */
const BURN_AT = 32;
const TENURE_AT = 36;
const VIEW_AT = 40;
const TIME_AT = 44;
const FORK_AT = 49;
export const RECORD_BYTES = 51;
const TIME_BYTES = 5;
/** Flags: the tenure height is known, the burn view height is known, the record has a block. */
const HAS_TENURE = 0x1000;
const HAS_VIEW = 0x2000;
const IS_PRESENT = 0x8000;

/** A page: the records of 256 consecutive heights. The record of a height without a block is empty. */
export class BlockPage {
  readonly number: number;
  readonly bytes = Buffer.alloc(PAGE_HEIGHTS * RECORD_BYTES);
  isChanged = false;

  constructor(number: number, records?: Buffer) {
    this.number = number;
    records?.copy(this.bytes);
  }

  has(height: number): boolean {
    return (this.bytes.readUInt16LE(this.#at(height) + FORK_AT) & IS_PRESENT) !== 0;
  }

  /** Returns the time of the burn block in seconds since the epoch; 0 if it is unknown. */
  time(height: number): number {
    return this.bytes.readUIntLE(this.#at(height) + TIME_AT, TIME_BYTES);
  }

  isInTenure(height: number): boolean {
    return (this.bytes.readUInt16LE(this.#at(height) + FORK_AT) & (HAS_TENURE | HAS_VIEW)) !== 0;
  }

  hash(height: number): string {
    return `0x${this.bytes.toString('hex', this.#at(height), this.#at(height) + BURN_AT)}`;
  }

  block(height: number): Block | undefined {
    const at = this.#at(height);
    const flags = this.bytes.readUInt16LE(at + FORK_AT);
    if ((flags & IS_PRESENT) === 0) return undefined;
    return {
      blockId: blockIdOf(height, flags % MAX_FORKS),
      indexBlockHash: this.hash(height),
      height,
      burnBlockHeight: this.bytes.readUInt32LE(at + BURN_AT),
      tenureHeight: (flags & HAS_TENURE) === 0 ? undefined : this.bytes.readUInt32LE(at + TENURE_AT),
      burnViewHeight: (flags & HAS_VIEW) === 0 ? undefined : this.bytes.readUInt32LE(at + VIEW_AT),
      burnBlockTime: this.time(height) || undefined,
      canonical: true,
    };
  }

  put(block: Block): void {
    const at = this.#at(block.height);
    const tenure = block.tenureHeight === undefined ? 0 : HAS_TENURE;
    const view = block.burnViewHeight === undefined ? 0 : HAS_VIEW;
    this.bytes.write(block.indexBlockHash.slice(2), at, 'hex');
    this.bytes.writeUInt32LE(block.burnBlockHeight, at + BURN_AT);
    this.bytes.writeUInt32LE(block.tenureHeight ?? 0, at + TENURE_AT);
    this.bytes.writeUInt32LE(block.burnViewHeight ?? 0, at + VIEW_AT);
    this.bytes.writeUIntLE(block.burnBlockTime ?? 0, at + TIME_AT, TIME_BYTES);
    this.bytes.writeUInt16LE((block.blockId % MAX_FORKS) | tenure | view | IS_PRESENT, at + FORK_AT);
    this.isChanged = true;
  }

  remove(height: number): void {
    this.bytes.fill(0, this.#at(height), this.#at(height) + RECORD_BYTES);
    this.isChanged = true;
  }

  /** Yields the heights in this page that have blocks, upwards from `from`, or downwards with step -1. */
  *heights(from = this.number * PAGE_HEIGHTS, step: 1 | -1 = 1): Generator<number> {
    for (let height = from; Math.floor(height / PAGE_HEIGHTS) === this.number; height += step)
      if (this.has(height)) yield height;
  }

  /** Returns the height of the block with this hash; undefined if the page lacks it. */
  find(hash: Buffer): number | undefined {
    for (let at = this.bytes.indexOf(hash); at !== -1; at = this.bytes.indexOf(hash, at + 1)) {
      const height = this.number * PAGE_HEIGHTS + at / RECORD_BYTES;
      if (at % RECORD_BYTES === 0 && this.has(height)) return height;
    }
    return undefined;
  }

  /** Returns the bytes of the records up to the highest block; empty for a page without blocks. */
  trimmed(): Buffer {
    const [last] = this.heights((this.number + 1) * PAGE_HEIGHTS - 1, -1);
    return this.bytes.subarray(0, last === undefined ? 0 : this.#at(last) + RECORD_BYTES);
  }

  #at(height: number): number {
    return (height % PAGE_HEIGHTS) * RECORD_BYTES;
  }
}
