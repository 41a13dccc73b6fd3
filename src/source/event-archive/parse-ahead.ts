// Parses the blocks of an archive in threads, ahead of whoever takes them, in the order of the archive.
import { availableParallelism } from 'node:os';
import { runAhead } from '#concurrency/run-ahead.ts';
import { openThread, type Thread } from '#concurrency/thread.ts';
import { unpackEvents } from './block-heads.ts';
import { type ParsedBlock, type ParseOptions, type ParseTask, parseBlock, parseLongLine } from './parse-block.ts';
import type { PackedBlock } from './parse-thread.ts';
import { readBlocks } from './read-blocks.ts';

/** More of them would wait for the thread that stores. Of two cores, both parse: storing takes half of one. */
const MAX_THREADS = 2;
/** Blocks ahead: as many as a batch takes. With half of them all of mainnet takes a fifth longer, and 25 MB less. */
const AHEAD = 16;
/** Parsed data is garbage at once. 16 MB take an eighth less time than 4 MB, and 60 to 80 MB more memory. */
const YOUNG_GENERATION_MB = 16;

/** Number of first blocks that are parsed one after the other, until a payload has a chain id. */
const MAX_WAITING = 64;

/** Throws what reading the chunks throws, behind what was read before. */
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
    // A small archive needs no thread.
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
