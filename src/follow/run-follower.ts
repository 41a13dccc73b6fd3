// Follows a spool: at intervals, indexes its new events, and builds and publishes the site.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArchivePosition } from '#model/archive-position.ts';
import type { Reporter } from '#model/reporter.ts';
import type { ServerClient } from '#net/server-client.ts';
import { locateArchive } from '#source/event-archive/locate-archive.ts';
import { readArchives } from '#store/chain/archives.ts';
import type { Store } from '#store/index-database.ts';
import { fillGaps } from './fill-gaps.ts';
import { compressFile, type Spool, spoolFiles } from './spool.ts';

interface FollowerOptions {
  readonly spool: Spool;
  readonly db: string;
  readonly everyMs: number;
  readonly index: (archives: readonly string[]) => Promise<Ended>;
  /** Runs the steps after an index run: build, publish. */
  readonly deliver: () => Promise<Ended>;
  readonly useIndex: <Result>(use: (store: Store) => Promise<Result>) => Promise<Result>;
  /**
   * Opens a client of the node that replays missed blocks. Each round opens a new client, since a client gives up on a
   * failing node.
   */
  readonly openNode: () => ServerClient | undefined;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** The result of a run. `later`: the archives were read, but other work remains. */
export type Ended = 'done' | 'later' | 'failed';

const COMPRESSED = '.zst';

/** Runs until the signal is aborted. */
export async function runFollower(options: FollowerOptions): Promise<void> {
  const { spool, db, everyMs, index, deliver, useIndex, openNode, reporter, signal } = options;
  /** The compressed files that the index has read to their end, each with the position of its end. */
  const indexed = new Map<string, string>();
  /** Ids of blocks that the node does not have. */
  const missing = new Set<string>();
  let last = { written: -1, isComplete: false };
  while (!signal.aborted) {
    const { written } = spool;
    if (written !== last.written || !last.isComplete) {
      const isComplete = await bringUpToDate().catch((error: Error) => {
        // A round fails on a full disk, for example. The server keeps receiving events, and the next round retries.
        if (!signal.aborted)
          reporter.warn(`New events could not be indexed or delivered; will retry: ${error.message}`);
        return false;
      });
      last = { written, isComplete };
    }
    await delay(everyMs, undefined, { signal }).catch(() => {});
  }

  /** Indexes and delivers new events. Returns true if no work remains. */
  async function bringUpToDate(): Promise<boolean> {
    await learnIndexed();
    if (filesToIndex().length === 0) return true;
    let ended = await indexFiles();
    if (ended !== 'failed' && (await fillAll()) > 0) ended = await indexFiles();
    if (ended === 'failed') return false;
    await compress(filesToIndex().filter((name) => name !== spool.current && !name.endsWith(COMPRESSED)));
    const delivered = await deliver();
    return ended === 'done' && delivered === 'done';
  }

  /** Returns the files that the index may not have read. Skips empty files, which a full disk leaves. */
  function filesToIndex(): string[] {
    const hasLines = (name: string) => statSync(join(spool.folder, name)).size > 0;
    return spoolFiles(spool.folder).filter((name) => !indexed.has(name) && hasLines(name));
  }

  function indexFiles(): Promise<Ended> {
    return index(filesToIndex().map((name) => join(spool.folder, name)));
  }

  async function fillAll(): Promise<number> {
    await using client = openNode();
    if (client === undefined) return 0;
    try {
      return await useIndex((store) => fillGaps({ store, spool, client, reporter, signal, missing }));
    } catch (error) {
      // Filling fails on a full disk, for example. The next round retries.
      reporter.warn(`Could not fill the gap; will retry: ${(error as Error).message}`);
      return 0;
    }
  }

  /** Updates `indexed` to match the index, which may be new or restored. Checks each file once. */
  async function learnIndexed(): Promise<void> {
    if (!existsSync(db)) return indexed.clear();
    const names = spoolFiles(spool.folder).filter((name) => name.endsWith(COMPRESSED));
    if (names.length === 0) return;
    const positions = await useIndex(readArchives);
    // The index may have been replaced by an older copy, which has not read all files in `indexed`.
    const ends = new Set(positions.map(endOf));
    for (const [name, end] of indexed) if (!ends.has(end)) indexed.delete(name);
    const unknown = names.filter((name) => !indexed.has(name));
    for (const [name, end] of await indexedOf(unknown, positions)) indexed.set(name, end);
  }

  /** Compresses the files that the index has read to their end. */
  async function compress(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    for (const [name, end] of await indexedOf(names, await useIndex(readArchives))) {
      if (await compressFile(join(spool.folder, name), signal)) indexed.set(`${name}${COMPRESSED}`, end);
    }
  }

  /** Returns the files that the index has read to their end, each with the position of its end. */
  async function indexedOf(names: readonly string[], positions: readonly ArchivePosition[]) {
    const found: [name: string, end: string][] = [];
    for (const name of names) {
      if (signal.aborted) break;
      const { archive, known } = await locateArchive(join(spool.folder, name), positions);
      const isAtEnd = known !== undefined && (await archive.chunks.next()).done === true;
      await archive.chunks.return();
      archive.close();
      if (isAtEnd) found.push([name, endOf(known)]);
    }
    return found;
  }
}

function endOf({ prefixHash, nextOffset }: ArchivePosition): string {
  return `${prefixHash} ${nextOffset}`;
}
