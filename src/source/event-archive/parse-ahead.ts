// Parses blocks of lines in threads, ahead of whoever takes them, in the order of the archive.
import { availableParallelism } from 'node:os';
import { Tinypool } from 'tinypool';
import { runAhead } from '#model/run-ahead.ts';
import type { ArchiveForm } from './parse-line.ts';
import { type LinesToParse, type ParsedLines, parseLines, parsePieces } from './parse-lines.ts';
import type { LineBlock } from './read-blocks.ts';

export interface ParsedBlock extends ParsedLines {
  readonly block: LineBlock;
}

/** More of them would wait for the one that stores. */
const MAX_THREADS = 2;
/** Blocks that are parsed, or wait for a thread, while a batch of others is stored. */
const AHEAD = 16;
/** What a thread parses is garbage at once: collecting it often costs little time and saves 100 MB. */
const YOUNG_GENERATION_MB = 12;

/** Throws what reading the blocks throws, behind what was read before. */
export async function* parseAhead(
  blocks: AsyncIterable<LineBlock>,
  options: Pick<LinesToParse, 'form' | 'skipBroken'>,
): AsyncGenerator<ParsedBlock> {
  const parser = new BlockParser(options);
  try {
    yield* runAhead(parser.wait(blocks), AHEAD, (block) => parser.parse(block));
  } finally {
    await parser.close();
  }
}

/** The first block is parsed at once: a small archive needs no thread. */
class BlockParser {
  readonly #options: { readonly form: ArchiveForm; readonly skipBroken: boolean };
  readonly #threads = Math.min(availableParallelism(), MAX_THREADS);
  #pool: Tinypool | undefined;
  #isFirst = true;
  #inPieces: Promise<unknown> | undefined;

  constructor(options: { readonly form: ArchiveForm; readonly skipBroken: boolean }) {
    this.#options = options;
  }

  /** What is in pieces is read while it is parsed: the next block comes when it is consumed. */
  async *wait(blocks: AsyncIterable<LineBlock>): AsyncGenerator<LineBlock> {
    for await (const block of blocks) {
      yield block;
      await this.#inPieces;
    }
  }

  async parse(block: LineBlock): Promise<ParsedBlock> {
    if (block.pieces !== undefined) {
      const parsed = parsePieces(block.pieces, this.#options.form);
      this.#inPieces = parsed;
      return { block, ...(await parsed) };
    }
    const task: LinesToParse = { bytes: block.bytes, ends: block.ends, ...this.#options };
    if (this.#isFirst) {
      this.#isFirst = false;
      return { block, ...parseLines(task) };
    }
    this.#pool ??= new Tinypool({
      filename: new URL('./parse-lines.ts', import.meta.url).href,
      name: parseLines.name,
      minThreads: this.#threads,
      maxThreads: this.#threads,
      concurrentTasksPerWorker: AHEAD,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const parsed: ParsedLines = await this.#pool.run(task, { transferList: [block.bytes.buffer] });
    return { block, ...parsed };
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}
