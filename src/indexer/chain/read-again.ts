// Reads archives again from their start, for calls that came before anything depended on what they write: takes an index
// that has read them, records these calls, and takes the doubt from values once all are recorded.

import { freeCalls } from '#clarity/packed-calls.ts';
import type { BlockEvent } from '#model/chain-event.ts';
import { archiveName } from '#source/event-archive/open-archive.ts';
import { readArchive } from '#source/event-archive/read-archive.ts';
import { countBlocks, findBlocks } from '#store/chain/blocks.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { queueEvaluations } from '#store/replay/evaluation-inputs.ts';
import { hasUnsettled, settleVariables } from '#store/replay/watches.ts';
import type { IndexOptions } from '../index-options.ts';
import { findCalls, recordCalls } from '../replay/record-calls.ts';
import { WatchList } from '../replay/watch-list.ts';
import { Watched } from '../replay/watched.ts';

export interface ReadAgain {
  /** Number of calls recorded that were not before. */
  readonly calls: number;
  /** Why calls may still be missing; undefined if all are recorded. */
  readonly unsettled: 'blocks-missing' | 'other-archives' | 'interrupted' | 'still-growing' | undefined;
}

type Options = Pick<IndexOptions, 'archives' | 'skipBroken' | 'maxCalls' | 'reporter' | 'signal'>;

/** What a reading watches for the first time may have been called before: the next one records that. */
const MAX_READINGS = 4;
/** In the order of the archive, with all code known. */
const NONE_LATE: ReadonlySet<number> = new Set();

export async function readAgain(store: Store, options: Options): Promise<ReadAgain> {
  if (!(await hasUnsettled(store))) return { calls: 0, unsettled: undefined };
  if (((await readHighestGap(store)) ?? 0) > 1) return { calls: 0, unsettled: 'blocks-missing' };
  let calls = 0;
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    const watched = await Watched.open(store);
    const { version } = watched;
    const read = await readAll(store, new WatchList(watched, true), options);
    calls += read.calls;
    if (options.signal.aborted) return { calls, unsettled: 'interrupted' };
    const { canonical, orphaned } = await countBlocks(store);
    if (read.blockIds.size < canonical + orphaned) return { calls, unsettled: 'other-archives' };
    if (watched.version !== version) continue;
    // All of it was watched from the first block to the last.
    await store.transaction().execute(async (transaction) => {
      await queueEvaluations(transaction, await settleVariables(transaction));
    });
    return { calls, unsettled: undefined };
  }
  return { calls, unsettled: 'still-growing' };
}

async function readAll(store: Store, watchList: WatchList, options: Options) {
  const { archives, skipBroken, reporter, signal } = options;
  const blockIds = new Set<number>();
  let calls = 0;
  for (const path of archives)
    for await (const batch of readArchive({ path, known: [], skipBroken })) {
      const blocks = batch.events.filter((event) => event.kind === 'block');
      calls += await store.transaction().execute((writer) => record(writer, watchList, blocks, blockIds, options));
      for (const { calls } of blocks) freeCalls(calls);
      reporter.progress({
        task: 'archive',
        done: batch.readBytes,
        ...(batch.totalBytes === undefined ? {} : { total: batch.totalBytes }),
        unit: 'bytes',
        detail: `${archiveName(path)} again: ${calls} more calls`,
      });
      if (signal.aborted) return { calls, blockIds };
    }
  return { calls, blockIds };
}

/** Returns how many calls were not recorded before. Adds the blocks to `blockIds`. */
async function record(
  store: StoreWriter,
  watchList: WatchList,
  events: readonly BlockEvent[],
  blockIds: Set<number>,
  { maxCalls }: Options,
): Promise<number> {
  const hashes = events.map(({ indexBlockHash }) => indexBlockHash);
  const blocks = new Map((await findBlocks(store, hashes)).map((block) => [block.indexBlockHash, block]));
  const again = events.flatMap((event) => {
    const block = blocks.get(event.indexBlockHash);
    if (block === undefined || blockIds.has(block.blockId)) return [];
    blockIds.add(block.blockId);
    return [{ event, block }];
  });
  return recordCalls(store, await findCalls(store, again, watchList, NONE_LATE), maxCalls);
}
