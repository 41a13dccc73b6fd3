// Parses the blocks of an archive in threads, ahead of the reader, and yields them in the order of the archive.
import { availableParallelism } from 'node:os';
import { runAhead } from '#concurrency/run-ahead.ts';
import { openThread, type Thread } from '#concurrency/thread.ts';
import { type ParsedBlock, type ParseOptions, type ParseTask, parseBlock } from './parse-block.ts';
import type { OpenReader } from './parse-line.ts';
import { readBlocks } from './read-blocks.ts';

/** Parses lines to items, in this thread or in others. */
export interface Parser<Item> {
  open(options: ParseOptions): OpenReader<Item>;
  /** The function of parse-thread.ts that parses a block in a thread. */
  readonly name: 'parseInThread' | 'cutInThread';
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

/** Threads that parse blocks. They start with the first block that needs them. */
export interface ParseThreads<Item> extends AsyncDisposable {
  run(task: ParseTask, transferred: readonly ArrayBuffer[]): Promise<ParsedBlock<Item>>;
}

/**
 * Yields the parsed blocks. If the stream fails, yields the blocks before the failure, then throws its error. Throws
 * MalformedError for a line that is too long. `shared`: threads that several archives share.
 */
export async function* parseAhead<Item>(
  chunks: AsyncIterator<Buffer>,
  options: ParseOptions,
  parser: Parser<Item>,
  shared?: ParseThreads<Item>,
): AsyncGenerator<ParsedBlock<Item>> {
  const threads = shared ?? openThreads(parser);
  let isFirst = true;
  const parse = async (bytes: Buffer<ArrayBuffer>): Promise<ParsedBlock<Item>> => {
    // Parses the first block here, so that a small archive does not need a thread.
    if (!isFirst) return threads.run({ bytes, ...options }, [bytes.buffer]);
    isFirst = false;
    return parseBlock({ bytes, ...options }, parser.open(options));
  };
  try {
    yield* runAhead(readBlocks(chunks, parser.blockBytes), parser.ahead, parse);
  } finally {
    if (shared === undefined) await threads[Symbol.asyncDispose]();
  }
}

export function openThreads<Item>({ name, ahead }: Pick<Parser<Item>, 'name' | 'ahead'>): ParseThreads<Item> {
  let threads: Thread<ParseTask, ParsedBlock<Item>> | undefined;
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
