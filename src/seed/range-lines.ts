// Sorts the lines of a range. Holds a line back until all lines below it have arrived.
import { freeCalls } from '#clarity/packed-calls.ts';
import { type BlockHead, MAX_RUN } from '#source/observer/block-run.ts';
import type { CutPayload } from '#source/observer/cut-payload.ts';
import { formatRun } from '#source/seed/seed-line.ts';
import { type Budget, type HeldLine, HeldLines } from './held-lines.ts';
import type { Range } from './plan-ranges.ts';

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
  /** The lowest and the highest height of the line. They differ for a run of blocks. */
  readonly first: number;
  readonly last: number;
  readonly pieces: readonly Buffer[];
  /** 1 for the first line of a block that is not canonical. */
  readonly orphans: number;
  /** The memory of the pieces, which can be freed once they are written. */
  readonly memory?: Uint8Array | undefined;
}

interface Entry extends Place {
  /** True for the first line of a block. */
  readonly isFirst: boolean;
  /** A block without content. Other blocks have a line. */
  readonly content: BlockHead | HeldLine;
  readonly lacksInterface: boolean;
}

/** The lines of a height that are held back. */
interface HeldHeight {
  readonly entries: Entry[];
  /** The number of blocks. */
  blocks: number;
  /** The first line of each block, and the hashes of its lines once it has several. */
  readonly copies: Map<string, { readonly first: Entry; hashes: Set<string> | undefined }>;
}

/** The rank of microblocks, above the rank of any block. */
export const MICROBLOCK_RANK = 1e6;
export function microblockKey(txId: string, parentHash: string): string {
  return `${txId} ${parentHash}`;
}

export class RangeLines {
  readonly range: Range;
  readonly #expected: Expected;
  readonly #lines: HeldLines;
  readonly #held = new Map<number, HeldHeight>();
  /** The deploys in microblocks that have arrived. */
  readonly #microblocks = new Set<string>();
  /** The lowest height whose lines were not yielded. */
  #next: number;
  /** Blocks without content, which the next line continues or ends. */
  #run: BlockHead[] = [];

  /** `path`: a file for lines that are held back. `budget`: shared by all ranges. */
  constructor(path: string, range: Range, expected: Expected, budget: Budget) {
    this.range = range;
    this.#expected = expected;
    this.#next = range.first;
    this.#lines = new HeldLines(path, budget);
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
  add(payload: CutPayload, place: Place, line: readonly Buffer[] | undefined): void {
    const { kind, head, transactions, lacksInterface, bytes: memory } = payload;
    if (line === undefined) freeCalls(memory);
    if (place.height < this.#next) return;
    if (kind === 'microblocks')
      for (const { txId } of transactions) this.#microblocks.add(microblockKey(txId, head.parentIndexBlockHash));
    const key = kind === 'block' ? head.indexBlockHash : `microblocks ${head.parentIndexBlockHash}`;
    const height: HeldHeight = this.#held.get(place.height) ?? { entries: [], blocks: 0, copies: new Map() };
    this.#held.set(place.height, height);
    const known = height.copies.get(key);
    const content = line === undefined ? head : this.#lines.hold(line, memory);
    if (known !== undefined) {
      known.hashes ??= new Set([this.#hashOf(known.first)]);
      const { size } = known.hashes;
      if (known.hashes.add(this.#hashOf({ content })).size === size) {
        if ('pieces' in content) this.#lines.release(content);
        return;
      }
    }
    const entry = { ...place, isFirst: known === undefined, content, lacksInterface };
    height.entries.push(entry);
    if (known === undefined) height.copies.set(key, { first: entry, hashes: undefined });
    if (known === undefined && kind === 'block') height.blocks++;
  }

  /**
   * Yields the next lines, up to the first height at which a line is missing. Without `isEnd`, a deploy that lacks an
   * interface counts as missing, since another archive may have it.
   */
  *take(isEnd = false): Generator<Line> {
    for (; this.#next <= this.range.last; this.#next++) {
      if (!this.#canTake(this.#next, isEnd)) return;
      const entries = this.#held.get(this.#next)?.entries ?? [];
      this.#held.delete(this.#next);
      for (const entry of entries.sort((left, right) => left.rank - right.rank || left.order - right.order))
        yield* this.#linesOf(entry);
    }
    yield* this.#endRun();
  }

  close(): void {
    this.#lines.close();
  }

  *#linesOf({ content, height, rank, isFirst }: Entry): Generator<Line> {
    const last = this.#run.at(-1);
    const at = { first: height, last: height, orphans: Number(isFirst && rank > 0 && rank < MICROBLOCK_RANK) };
    if ('pieces' in content) {
      yield* this.#endRun();
      yield { ...at, pieces: this.#lines.piecesOf(content), memory: content.memory };
      this.#lines.release(content);
      return;
    }
    const isNext = content.parentIndexBlockHash === last?.indexBlockHash && height === last.height + 1;
    if (!isNext || this.#run.length === MAX_RUN) yield* this.#endRun();
    if (rank > 0) yield { ...at, pieces: [formatRun([content])] };
    else this.#run.push(content);
  }

  *#endRun(): Generator<Line> {
    const [first, ...rest] = this.#run;
    this.#run = [];
    const { height: last } = rest.at(-1) ?? first ?? { height: 0 };
    if (first !== undefined) yield { first: first.height, last, pieces: [formatRun([first, ...rest])], orphans: 0 };
  }

  #canTake(height: number, isEnd: boolean): boolean {
    const waits = () => this.#held.get(height)?.entries.some((entry) => entry.lacksInterface) === true;
    return this.#hasAll(height) && (isEnd || !waits());
  }

  #hasAll(height: number): boolean {
    const { blocksAt, microblocksAt } = this.#expected;
    return (
      (this.#held.get(height)?.blocks ?? 0) === blocksAt[height - this.range.first] &&
      [...(microblocksAt.get(height) ?? [])].every((key) => this.#microblocks.has(key))
    );
  }

  #hashOf({ content }: Pick<Entry, 'content'>): string {
    return 'pieces' in content ? this.#lines.hashOf(content) : '';
  }
}
