// Fills what a follower missed: adds the blocks below those of unknown parent to the spool, as the node replays them.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFailure } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import type { JsonClient } from '#net/json-client.ts';
import { replayBlock } from '#source/stacks-node/replay-block.ts';
import { isKnownBelow } from '#store/chain/blocks.ts';
import { type Gap, readGaps } from '#store/chain/gaps.ts';
import type { Store } from '#store/index-database.ts';
import { formatCount } from '#text/format-count.ts';
import type { Spool } from './spool.ts';

interface GapOptions {
  readonly store: Store;
  readonly spool: Spool;
  readonly client: JsonClient;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** Blocks that were asked for in vain, kept from call to call. */
  readonly missing: Set<string>;
}

/** At once; the next round goes on below them. */
const MOST_BLOCKS = 50_000;

/** Returns how many blocks it added. */
export async function fillGaps(options: GapOptions): Promise<number> {
  let added = 0;
  for (const gap of await readGaps(options.store, options.missing)) {
    if (options.signal.aborted) break;
    added += await fillGap(options, gap);
  }
  return added;
}

/** Down to a block that is known; the lowest goes into the spool first, since what is above it needs it. */
async function fillGap(options: GapOptions, { missing: first, height, lowest }: Gap): Promise<number> {
  const { store, spool, client, reporter, signal, missing } = options;
  const files: string[] = [];
  try {
    let [id, above, isAbove] = [first, height, true];
    while (isAbove && files.length < MOST_BLOCKS && !(await isKnownBelow(store, id, above))) {
      const block = await replayBlock(client, id);
      if (block === undefined || isFailure(block)) {
        if (signal.aborted) return 0;
        // A node that is away for now is asked again.
        if (block === undefined || !block.retryable) missing.add(id);
        const why = block === undefined ? 'The node cannot replay it.' : block.message;
        reporter.warn(`The block ${id} below height ${formatCount(height)} is missing, and cannot be replayed: ${why}`);
        break;
      }
      const file = join(spool.folder, 'incoming', `gap-${id.slice(2)}`);
      await writeFile(file, block.payload);
      files.push(file);
      [id, above, isAbove] = [block.parent, block.height, block.height > lowest];
    }
    for (const file of files.toReversed()) await spool.append('/new_block', { file });
    if (files.length > 0)
      reporter.info(`Filled a gap below height ${formatCount(height)}: ${formatCount(files.length)} blocks`);
    return files.length;
  } finally {
    for (const file of files) await rm(file, { force: true });
  }
}
