// Parses the blocks of an archive in threads ahead of the consumer, in archive order.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { runAhead } from '#concurrency/run-ahead.ts';
import { type ParsedBlock, type ParseOptions, type ParseTask, parseBlock, parseLongLine } from './parse-block.ts';
import { readBlocks } from './read-blocks.ts';

/** More threads would wait for the thread that stores, which needs its own core. */
const MAX_THREADS = 2;
/** Blocks parsed or queued while a batch of others is stored: as many as a batch takes. */
const AHEAD = 8;
/** Parsed data is short-lived: frequent collection costs little time and saves 100 MB. */
const YOUNG_GENERATION_MB = 4;

/** Throws read errors of the chunks after the blocks before them. */
export async function* parseAhead(
  chunks: AsyncIterator<Buffer>,
  options: ParseOptions,
  maxHeldLineBytes?: number,
): AsyncGenerator<ParsedBlock> {
  let threads: ParseThread[] = [];
  let tasks = 0;
  const parse = async (block: Buffer<ArrayBuffer> | ParsedBlock): Promise<ParsedBlock> => {
    if (!Buffer.isBuffer(block)) return block;
    const task = { bytes: block, ...options };
    // A small archive needs no thread.
    if (tasks++ === 0) return parseBlock(task);
    if (threads.length === 0) threads = startThreads();
    return (threads[tasks % threads.length] as ParseThread).parse(task);
  };
  try {
    const blocks = readBlocks(chunks, (pieces) => parseLongLine(pieces, options), maxHeldLineBytes);
    yield* runAhead(blocks, AHEAD, parse);
  } finally {
    await Promise.all(threads.map((thread) => thread.stop()));
  }
}

function startThreads(): ParseThread[] {
  const threads = Math.max(1, Math.min(availableParallelism() - 1, MAX_THREADS));
  return Array.from({ length: threads }, () => new ParseThread());
}

class ParseThread {
  readonly #worker = new Worker(new URL('./parse-thread.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  /** The thread answers in task order. */
  readonly #waiting: PromiseWithResolvers<ParsedBlock>[] = [];

  constructor() {
    this.#worker.on('message', (parsed: ParsedBlock) => this.#waiting.shift()?.resolve(parsed));
    this.#worker.on('error', (error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  /** Transfers the bytes to the thread. */
  parse(task: ParseTask): Promise<ParsedBlock> {
    const parsed = Promise.withResolvers<ParsedBlock>();
    this.#waiting.push(parsed);
    this.#worker.postMessage(task, [task.bytes.buffer as ArrayBuffer]);
    return parsed.promise;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
