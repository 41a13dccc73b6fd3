// Reads archives again from their start, for calls that came before anything depended on what they write: takes an
// index that has read them, records these calls, and takes the doubt from variables whose calls are all recorded then.

import { freeCalls } from '#clarity/packed-calls.ts';
import type { BlockEvent } from '#model/chain-event.ts';
import { archiveName } from '#source/event-archive/open-archive.ts';
import { readArchive } from '#source/event-archive/read-archive.ts';
import { countBlocks, findBlocks, lastBlockId } from '#store/chain/blocks.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { markAllRecorded, wasLimitLower } from '#store/replay/calls.ts';
import { queueEvaluations } from '#store/replay/evaluation-inputs.ts';
import { countNotWhole, markWhole } from '#store/replay/watches.ts';
import type { IndexOptions } from '../index-options.ts';
import { findCalls, recordCalls } from '../replay/record-calls.ts';
import { WatchList } from '../replay/watch-list.ts';
import { Watched } from '../replay/watched.ts';
import { reportRead } from './index-archive.ts';

export interface ReadAgain {
  /** Number of calls recorded that were not before. */
  readonly calls: number;
  /** Variables of which calls may still be missing. */
  readonly left: number;
  /** Why no reading was complete. */
  readonly unread?: 'blocks-missing' | 'other-archives' | 'interrupted' | undefined;
}

type Options = Pick<IndexOptions, 'archives' | 'skipBroken' | 'maxCalls' | 'reporter' | 'signal'>;

/** What a reading watches for the first time may have been called before: the next one records that. */
const MAX_READINGS = 4;

export async function readAgain(store: Store, options: Options): Promise<ReadAgain> {
  let calls = 0;
  let left = await countNotWhole(store);
  const isLimited = await wasLimitLower(store, options.maxCalls);
  if ((left > 0 || isLimited) && ((await readHighestGap(store)) ?? 0) > 1)
    return { calls, left, unread: 'blocks-missing' };
  for (let number = 1; (left > 0 || (isLimited && number === 1)) && number <= MAX_READINGS; number++) {
    const watched = await Watched.open(store);
    const read = await readOnce(store, watched, options);
    calls += read.calls;
    if (options.signal.aborted) return { calls, left, unread: 'interrupted' };
    const { canonical, orphaned } = await countBlocks(store);
    if (read.blocks < canonical + orphaned) return { calls, left, unread: 'other-archives' };
    const proven = await store.transaction().execute(async (writer) => {
      // All but variables that were not watched from the first block to the last.
      const whole = await markWhole(writer, [...watched.changed]);
      const contractIds = [...whole, ...(await markAllRecorded(writer, [...read.limited]))];
      await queueEvaluations(writer, contractIds);
      return contractIds;
    });
    left = await countNotWhole(store);
    // Contracts that too many call write the others.
    if (proven.length === 0) break;
  }
  return { calls, left };
}

/**
 * All archives. Returns how many calls it recorded, how many of the index's blocks it found, and the contracts that
 * have more calls than the limit.
 */
async function readOnce(store: Store, watched: Watched, options: Options) {
  const { archives, skipBroken, maxCalls, reporter, signal } = options;
  const watchList = new WatchList(watched, true);
  const isRead = new Uint8Array((await lastBlockId(store)) + 1);
  const limited = new Set<string>();
  let [calls, blocks, highest] = [0, 0, 0];
  for (const path of archives)
    for await (const batch of readArchive({ path, known: [], skipBroken })) {
      const events = batch.events.filter((event) => event.kind === 'block');
      await store.transaction().execute((writer) => record(writer, events));
      for (const event of events) freeCalls(event.calls);
      reportRead(reporter, batch, `${archiveName(path)} again: ${calls} more calls`);
      if (signal.aborted) return { calls, blocks, limited };
    }
  return { calls, blocks, limited };

  async function record(writer: StoreWriter, events: readonly BlockEvent[]): Promise<void> {
    const hashes = events.map(({ indexBlockHash }) => indexBlockHash);
    const known = new Map((await findBlocks(writer, hashes)).map((block) => [block.indexBlockHash, block]));
    const late = new Set<number>();
    const found = events.flatMap((event) => {
      const block = known.get(event.indexBlockHash);
      if (block === undefined || isRead[block.blockId] === 1) return [];
      isRead[block.blockId] = 1;
      if (block.height < highest) late.add(block.blockId);
      highest = Math.max(highest, block.height);
      return [{ event, block }];
    });
    blocks += found.length;
    calls += await recordCalls(writer, await findCalls(writer, found, watchList, late), maxCalls, limited);
  }
}
