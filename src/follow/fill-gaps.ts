// Fills gaps in the chain: requests the missed blocks from the node and adds them to the spool.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFailure } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import type { ServerClient } from '#net/server-client.ts';
import { replayBlock } from '#source/stacks-node/replay-block.ts';
import { findBelow } from '#store/chain/blocks.ts';
import { type Gap, readGaps } from '#store/chain/gaps.ts';
import type { Store } from '#store/index-database.ts';
import { formatCount } from '#text/format-count.ts';
import type { Spool } from './spool.ts';

interface GapOptions {
  readonly store: Store;
  readonly spool: Spool;
  readonly client: ServerClient;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /**
   * Ids of blocks that later calls skip, to which each call adds: blocks that the node does not have, and the highest
   * block of each filled gap, so that a block that index runs reject is added once.
   */
  readonly missing: Set<string>;
}

/** The maximum number of blocks per gap and call. The next call continues below the added blocks. */
const MAX_BLOCKS = 50_000;

/** Fills the gaps of the index, and returns the number of added blocks. */
export async function fillGaps(options: GapOptions): Promise<number> {
  let added = 0;
  for (const gap of await readGaps(options.store, options.missing)) {
    if (options.signal.aborted) break;
    added += await fillGap(options, gap);
  }
  return added;
}

/** Requests blocks from the top of the gap down to a known block, and adds them to the spool in ascending order. */
async function fillGap(options: GapOptions, { missing: first, height, lowest }: Gap): Promise<number> {
  const { store, spool, client, reporter, signal, missing } = options;
  const folder = join(spool.folder, 'incoming');
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  try {
    let [id, above, isAbove] = [first, height, true];
    while (isAbove && files.length < MAX_BLOCKS && (await findBelow(store, id, above)) === undefined) {
      const block = await replayBlock(client, id, above);
      if (block === undefined || isFailure(block)) {
        if (signal.aborted) return 0;
        // After a retryable failure, the next call requests the block again.
        if (block === undefined || !block.retryable) missing.add(id);
        const why = block === undefined ? 'The node does not have it.' : block.message;
        reporter.warn(
          `The block ${id} below height ${formatCount(height)} is missing, and the node did not replay it: ${why}`,
        );
        break;
      }
      const file = join(folder, `gap-${files.length}`);
      await writeFile(file, block.payload);
      files.push(file);
      [id, above, isAbove] = [block.parent, block.height, block.height > lowest];
    }
    for (const file of files.toReversed()) await spool.append('/new_block', await readFile(file));
    if (files.length > 0) {
      missing.add(first);
      reporter.info(`Filled a gap below height ${formatCount(height)}: ${formatCount(files.length)} blocks`);
    }
    return files.length;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
