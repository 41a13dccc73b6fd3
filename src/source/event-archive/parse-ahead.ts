// Parses the blocks of an archive in threads, ahead of the reader, and yields them in the order of the archive.
import { availableParallelism } from 'node:os';
import { runAhead } from '#concurrency/run-ahead.ts';
import { openThread, type Thread } from '#concurrency/thread.ts';
import { unpackEvents } from './block-heads.ts';
import { type ParsedBlock, type ParseOptions, type ParseTask, parseBlock, parseLongLine } from './parse-block.ts';
import type { PackedBlock } from './parse-thread.ts';
import { readBlocks } from './read-blocks.ts';

/**
 * The maximum number of threads. More threads would wait for the main thread, which stores the events. Two are fastest
 * even on two cores, since storing takes half a core.
 */
const MAX_THREADS = 2;
/**
 * The number of blocks to parse ahead, which is about one batch. With half as many, indexing all of mainnet takes 20%
 * longer and 25 MB less memory.
 */
const AHEAD = 16;
/**
 * The memory of a thread for new objects. With 16 MB, parsing takes an eighth less time than with 4 MB, but 60 to 80 MB
 * more memory.
 */
const YOUNG_GENERATION_MB = 16;

/** The maximum number of blocks that are parsed one after another until a payload with a chain id is found. */
const MAX_WAITING = 64;

/** Yields the parsed blocks. If the stream fails, yields the blocks before the failure, then throws its error. */
export async function* parseAhead(chunks: AsyncIterator<Buffer>, options: ParseOptions, maxHeldLineBytes?: number) {
  let threads: Thread<ParseTask, PackedBlock> | undefined;
  let isFirst = true;
  let { chainId } = options;
  let waiting = 0;
  let previous: Promise<ParsedBlock> | undefined;
  const parse = (block: Buffer<ArrayBuffer> | ParsedBlock): Promise<ParsedBlock> => {
    const parsed = parseAfter(block, previous);
    previous = parsed;
    return parsed;
  };
  const parseAfter = async (block: Buffer<ArrayBuffer> | ParsedBlock, before: Promise<ParsedBlock> | undefined) => {
    if (!Buffer.isBuffer(block)) return block;
    if (chainId === undefined && waiting++ < MAX_WAITING) chainId ??= (await before)?.chainId;
    const task = { bytes: block, ...options, chainId };
    // Parses the first block here, so that a small archive does not need a thread.
    if (isFirst) {
      isFirst = false;
      return parseBlock(task);
    }
    threads ??= startThreads();
    const { packed, ...parsed } = await threads.run(task, [block.buffer]);
    return { ...parsed, events: unpackEvents(packed) };
  };
  try {
    const blocks = readBlocks(chunks, (pieces) => parseLongLine(pieces, { ...options, chainId }), maxHeldLineBytes);
    yield* runAhead(blocks, AHEAD, parse);
  } finally {
    await threads?.close();
  }
}

function startThreads(): Thread<ParseTask, PackedBlock> {
  return openThread({
    module: new URL('./parse-thread.ts', import.meta.url),
    name: 'parseInThread',
    threads: Math.min(availableParallelism(), MAX_THREADS),
    tasks: AHEAD,
    youngGenerationMb: YOUNG_GENERATION_MB,
  });
}
