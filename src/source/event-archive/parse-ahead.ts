// Parses the blocks of an archive in threads, ahead of the reader, and yields them in the order of the archive.
import { availableParallelism } from 'node:os';
import { runAhead } from '#concurrency/run-ahead.ts';
import { openThread, type Thread } from '#concurrency/thread.ts';
import {
  type Parsed,
  type ParsedBlock,
  type ParseOptions,
  type ParseTask,
  parseBlock,
  parseLongLine,
} from './parse-block.ts';
import type { OpenReader } from './parse-line.ts';
import { readBlocks } from './read-blocks.ts';

/** Parses lines to items, in this thread or in others. */
export interface Parser<Item extends Parsed, Packed> {
  open(options: ParseOptions): OpenReader<Item | readonly Item[]>;
  /** The function of parse-thread.ts that parses a block in a thread and returns it packed. */
  readonly name: 'parseInThread' | 'cutInThread';
  unpack(packed: Packed): ParsedBlock<Item>;
  /**
   * The number of bytes in a block, and the number of blocks to parse ahead. Each task of a thread costs half a
   * millisecond, and the blocks ahead need their memory.
   */
  readonly blockBytes: number;
  readonly ahead: number;
}

/**
 * The maximum number of threads. More threads would wait for the main thread, which stores the events. Two are fastest
 * even on two cores, since storing takes half a core.
 */
const MAX_THREADS = 2;
/**
 * The memory of a thread for new objects. With 16 MB, parsing takes an eighth less time than with 4 MB, but 60 to 80 MB
 * more memory.
 */
const YOUNG_GENERATION_MB = 16;

/** The maximum number of blocks that are parsed one after another until a payload with a chain id is found. */
const MAX_WAITING = 64;

/** Threads that parse blocks. They start with the first block that needs them. */
export interface ParseThreads<Packed> extends AsyncDisposable {
  run(task: ParseTask, transferred: readonly ArrayBuffer[]): Promise<Packed>;
}

/** Yields the parsed blocks. If the stream fails, yields the blocks before the failure, then throws its error. */
export async function* parseAhead<Item extends Parsed, Packed>(
  chunks: AsyncIterator<Buffer>,
  options: ParseOptions,
  parser: Parser<Item, Packed>,
  { maxHeldLineBytes, threads: shared }: ParseAheadOptions<Packed> = {},
) {
  type Block = ParsedBlock<Item>;
  const threads = shared ?? openThreads(parser);
  let isFirst = true;
  let { chainId } = options;
  let waiting = 0;
  let previous: Promise<Block> | undefined;
  const open = parser.open(options);
  const parse = (block: Buffer<ArrayBuffer> | Block): Promise<Block> => {
    const parsed = parseAfter(block, previous);
    previous = parsed;
    return parsed;
  };
  const parseAfter = async (block: Buffer<ArrayBuffer> | Block, before: Promise<Block> | undefined) => {
    if (!Buffer.isBuffer(block)) return block;
    if (chainId === undefined && waiting++ < MAX_WAITING) chainId ??= (await before)?.chainId;
    const task = { bytes: block, ...options, chainId };
    // Parses the first block here, so that a small archive does not need a thread.
    if (isFirst) {
      isFirst = false;
      return parseBlock(task, open);
    }
    return parser.unpack(await threads.run(task, [block.buffer]));
  };
  try {
    const readLongLine = (pieces: AsyncGenerator<Buffer>) => parseLongLine(pieces, { ...options, chainId }, open);
    yield* runAhead(readBlocks(chunks, readLongLine, maxHeldLineBytes, parser.blockBytes), parser.ahead, parse);
  } finally {
    if (shared === undefined) await threads[Symbol.asyncDispose]();
  }
}

interface ParseAheadOptions<Packed> {
  readonly maxHeldLineBytes?: number | undefined;
  /** Threads that several archives share. */
  readonly threads?: ParseThreads<Packed> | undefined;
}

export function openThreads<Packed>({
  name,
  ahead,
}: Pick<Parser<never, Packed>, 'name' | 'ahead'>): ParseThreads<Packed> {
  let threads: Thread<ParseTask, Packed> | undefined;
  return {
    run(task, transferred) {
      threads ??= openThread({
        module: new URL('./parse-thread.ts', import.meta.url),
        name,
        threads: Math.min(availableParallelism(), MAX_THREADS),
        tasks: ahead,
        youngGenerationMb: YOUNG_GENERATION_MB,
      });
      return threads.run(task, transferred);
    },
    async [Symbol.asyncDispose]() {
      await threads?.close();
    },
  };
}
