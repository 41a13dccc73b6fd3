// Sorts the lines of a range. Holds a line back until all lines below it have arrived: in memory, or in a temporary file
// if there are many.
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { type BlockHead, MAX_RUN } from '#source/observer/block-run.ts';
import type { CutPayload } from '#source/observer/cut-payload.ts';
import type { Range } from './plan-ranges.ts';
import { formatRun } from './seed-line.ts';

/** The blocks and microblocks of the index in a range. */
export interface Expected {
  /** The number of blocks at each height, on all forks, from the first height of the range. */
  readonly blocksAt: Uint16Array;
  /** The deploys in microblocks by the height of the microblocks' parent, as {@link microblockKey}. */
  readonly microblocksAt: ReadonlyMap<number, ReadonlySet<string>>;
}

/** The place of a line in the chain. */
export interface Place {
  readonly height: number;
  /** 0 for a canonical block; more for other blocks at the same height, and most for microblocks above it. */
  readonly rank: number;
  /** The order of arrival. */
  readonly order: number;
}

export interface Line {
  /** The height of the line, or the lowest height of a run of blocks. */
  readonly height: number;
  readonly pieces: readonly Buffer[];
  /** 1 for the first line of a block that is not canonical. */
  readonly orphans: number;
  /** The memory of the pieces, which can be freed once they are written. */
  readonly memory?: Uint8Array | undefined;
}

interface Entry extends Place {
  readonly key: string;
  /** True for the first line of a block. */
  readonly isFirst: boolean;
  /** A block without content, which has no bytes. */
  readonly head: BlockHead | undefined;
  readonly lacksInterface: boolean;
  /** The bytes, or their place in the file. */
  readonly pieces: readonly Buffer[] | undefined;
  readonly memory: Uint8Array | undefined;
  readonly at: number;
  readonly bytes: number;
}

/** The rank of microblocks, above the rank of any block. */
export const MICROBLOCK_RANK = 1e6;
/** The number of bytes to hold in memory. */
const MAX_HELD_BYTES = 64_000_000;

export function microblockKey(txId: string, parentHash: string): string {
  return `${txId} ${parentHash}`;
}

export class RangeLines {
  readonly range: Range;
  readonly #path: string;
  readonly #expected: Expected;
  /** The lines that are held back, by height. */
  readonly #held = new Map<number, Entry[]>();
  /** The deploys in microblocks that have arrived. */
  readonly #microblocks = new Set<string>();
  /** The lowest height whose lines were not yielded. */
  #next: number;
  /** Blocks without content, which the next line continues or ends. */
  #run: BlockHead[] = [];
  #heldBytes = 0;
  #file: number | undefined;
  #fileBytes = 0;

  constructor(path: string, range: Range, expected: Expected) {
    this.#path = path;
    this.range = range;
    this.#expected = expected;
    this.#next = range.first;
  }

  /** True if all lines were yielded. */
  get isDone(): boolean {
    return this.#next > this.range.last && this.#run.length === 0;
  }

  /** True if {@link take} would yield a line, or if no line is left. */
  isReady(isEnd: boolean): boolean {
    return this.#next > this.range.last || this.#canTake(this.#next, isEnd);
  }

  /** The lowest height at which a line is missing; undefined if none is. */
  get missingAt(): number | undefined {
    for (let height = this.#next; height <= this.range.last; height++) if (!this.#hasAll(height)) return height;
    return undefined;
  }

  /** Adds a payload. `line` is undefined for a block without content. A line that was added before is skipped. */
  add(
    { kind, head, transactions, lacksInterface, bytes: memory }: CutPayload,
    place: Place,
    line: readonly Buffer[] | undefined,
  ): void {
    const { height } = place;
    if (height < this.#next) return;
    const isBlock = kind === 'block';
    if (!isBlock)
      for (const { txId } of transactions) this.#microblocks.add(microblockKey(txId, head.parentIndexBlockHash));
    const key = isBlock ? head.indexBlockHash : `microblocks ${head.parentIndexBlockHash}`;
    const pieces = line ?? [];
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const held = this.#held.get(height) ?? [];
    const same = held.filter((entry) => entry.key === key);
    const isSame = (entry: Entry) => Buffer.concat(pieces).equals(Buffer.concat(this.#piecesOf(entry)));
    if (same.some((entry) => entry.bytes === bytes && isSame(entry))) return;
    const at = this.#heldBytes + bytes > MAX_HELD_BYTES ? this.#write(pieces) : -1;
    if (at === -1) this.#heldBytes += bytes;
    held.push({
      ...place,
      key,
      isFirst: same.length === 0,
      head: line === undefined ? head : undefined,
      lacksInterface,
      pieces: at === -1 ? pieces : undefined,
      memory: at === -1 ? memory : undefined,
      at,
      bytes,
    });
    this.#held.set(height, held);
  }

  /**
   * Yields the next lines, up to the first height at which a line is missing. Without `isEnd`, a deploy that lacks an
   * interface counts as missing, since another archive may have it.
   */
  *take(isEnd = false): Generator<Line> {
    for (; this.#next <= this.range.last; this.#next++) {
      if (!this.#canTake(this.#next, isEnd)) return;
      const held = this.#held.get(this.#next) ?? [];
      this.#held.delete(this.#next);
      for (const entry of held.sort((left, right) => left.rank - right.rank || left.order - right.order))
        yield* this.#linesOf(entry);
    }
    yield* this.#endRun();
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    rmSync(this.#path, { force: true });
  }

  *#linesOf(entry: Entry): Generator<Line> {
    const { head, height, rank, isFirst } = entry;
    const last = this.#run.at(-1);
    const isNext =
      head !== undefined && head.parentIndexBlockHash === last?.indexBlockHash && height === last.height + 1;
    if (!isNext || this.#run.length === MAX_RUN) yield* this.#endRun();
    const orphans = Number(isFirst && rank > 0 && rank < MICROBLOCK_RANK);
    if (head === undefined) yield { height, pieces: this.#piecesOf(entry), orphans, memory: entry.memory };
    else if (rank > 0) yield { height, pieces: [formatRun([head])], orphans };
    else this.#run.push(head);
    if (entry.pieces !== undefined) this.#heldBytes -= entry.bytes;
  }

  *#endRun(): Generator<Line> {
    const [first, ...rest] = this.#run;
    this.#run = [];
    if (first !== undefined) yield { height: first.height, pieces: [formatRun([first, ...rest])], orphans: 0 };
  }

  #canTake(height: number, isEnd: boolean): boolean {
    const waits = () => this.#held.get(height)?.some((entry) => entry.lacksInterface) === true;
    return this.#hasAll(height) && (isEnd || !waits());
  }

  #hasAll(height: number): boolean {
    const { blocksAt, microblocksAt } = this.#expected;
    const held = this.#held.get(height) ?? [];
    const blocks = held.reduce((sum, { isFirst, rank }) => sum + Number(isFirst && rank < MICROBLOCK_RANK), 0);
    return (
      blocks === blocksAt[height - this.range.first] &&
      [...(microblocksAt.get(height) ?? [])].every((key) => this.#microblocks.has(key))
    );
  }

  /** Appends bytes to the file, and returns their place. */
  #write(pieces: readonly Buffer[]): number {
    this.#file ??= openSync(this.#path, 'w+');
    const at = this.#fileBytes;
    const bytes = Buffer.concat(pieces);
    for (let end = 0; end < bytes.length; ) end += writeSync(this.#file, bytes, end, bytes.length - end, at + end);
    this.#fileBytes += bytes.length;
    return at;
  }

  #piecesOf({ pieces, at, bytes }: Entry): readonly Buffer[] {
    if (pieces !== undefined) return pieces;
    const line = Buffer.alloc(bytes);
    for (let end = 0; end < bytes; ) {
      const read = readSync(this.#file as number, line, end, bytes - end, at + end);
      if (read === 0) throw new Error(`${this.#path} is truncated`);
      end += read;
    }
    return [line];
  }
}
