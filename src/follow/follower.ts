// Follows a spool: indexes, builds and publishes what came into it, again and again.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArchivePosition } from '#model/archive-position.ts';
import type { Reporter } from '#model/reporter.ts';
import type { JsonClient } from '#net/json-client.ts';
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
  /** Runs what follows an index run: a build, a publish. */
  readonly deliver: () => Promise<Ended>;
  readonly useIndex: <Result>(use: (store: Store) => Promise<Result>) => Promise<Result>;
  /** The node that replays missed blocks. A new client each time: one that was away is not given up for ever. */
  readonly openNode: () => JsonClient | undefined;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** How a run ended: `later` leaves work for another time, and has read its archives. */
export type Ended = 'done' | 'later' | 'failed';

const COMPRESSED = '.zst';

export class Follower {
  readonly #options: FollowerOptions;
  /** Files of the spool that are compressed, with the end to which the index has them. */
  readonly #indexed = new Map<string, string>();
  /** Blocks that the node does not have. */
  readonly #missing = new Set<string>();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { spool, everyMs, reporter, signal } = this.#options;
    let indexed = -1;
    let isComplete = false;
    while (!signal.aborted) {
      const before = spool.written;
      if (before !== indexed || !isComplete) {
        isComplete = await this.#bringUpToDate().catch((error: Error) => {
          // A full disk, say: the node goes on being heard, and the next round tries again.
          if (!signal.aborted)
            reporter.warn(`New events could not be indexed or delivered; will retry: ${error.message}`);
          return false;
        });
        indexed = before;
      }
      await delay(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Returns whether nothing is left to do. */
  async #bringUpToDate(): Promise<boolean> {
    await this.#learnIndexed();
    if (this.#filesToIndex().length === 0) return true;
    let indexed = await this.#index();
    if (indexed !== 'failed' && (await this.#fillGaps()) > 0) indexed = await this.#index();
    if (indexed === 'failed') return false;
    const full = this.#filesToIndex().slice(0, -1);
    await this.#compress(full.filter((name) => !name.endsWith(COMPRESSED)));
    const delivered = await this.#options.deliver();
    return indexed === 'done' && delivered === 'done';
  }

  /** One that was begun on a full disk has nothing in it. */
  #filesToIndex(): string[] {
    const { folder } = this.#options.spool;
    const hasLines = (name: string) => statSync(join(folder, name)).size > 0;
    return spoolFiles(folder).filter((name) => !this.#indexed.has(name) && hasLines(name));
  }

  #index(): Promise<Ended> {
    const { spool, index } = this.#options;
    return index(this.#filesToIndex().map((name) => join(spool.folder, name)));
  }

  async #fillGaps(): Promise<number> {
    const { spool, useIndex, openNode, reporter, signal } = this.#options;
    await using client = openNode();
    const missing = this.#missing;
    if (client === undefined) return 0;
    try {
      return await useIndex((store) => fillGaps({ store, spool, client, reporter, signal, missing }));
    } catch (error) {
      // A full disk, say: the next round tries again, and the node goes on being heard.
      reporter.warn(`Could not fill the gap; will retry: ${(error as Error).message}`);
      return 0;
    }
  }

  /** Compressed files were indexed, but perhaps into an index that is gone. Each is looked at once. */
  async #learnIndexed(): Promise<void> {
    const { spool, db, useIndex } = this.#options;
    if (!existsSync(db)) return this.#indexed.clear();
    const names = spoolFiles(spool.folder).filter((name) => name.endsWith(COMPRESSED));
    if (names.length === 0) return;
    const positions = await useIndex(readArchives);
    // An older copy of the index may be in its place.
    const ends = new Set(positions.map(endOf));
    for (const [name, end] of this.#indexed) if (!ends.has(end)) this.#indexed.delete(name);
    const unknown = names.filter((name) => !this.#indexed.has(name));
    for (const [name, end] of await this.#indexedOf(unknown, positions)) this.#indexed.set(name, end);
  }

  /** `names`: of files that nothing more comes to. */
  async #compress(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const { spool, useIndex, signal } = this.#options;
    for (const [name, end] of await this.#indexedOf(names, await useIndex(readArchives))) {
      await compressFile(join(spool.folder, name), signal);
      this.#indexed.set(`${name}${COMPRESSED}`, end);
    }
  }

  /** Files that are indexed to their end: another run may have been at work, or this one killed. */
  async #indexedOf(
    names: readonly string[],
    positions: readonly ArchivePosition[],
  ): Promise<[name: string, end: string][]> {
    const { spool, signal } = this.#options;
    const indexed: [string, string][] = [];
    for (const name of names) {
      if (signal.aborted) break;
      const { archive, known } = await locateArchive(join(spool.folder, name), positions);
      const isAtEnd = known !== undefined && (await archive.chunks.next()).done === true;
      await archive.chunks.return(undefined);
      archive.close();
      if (isAtEnd) indexed.push([name, endOf(known)]);
    }
    return indexed;
  }
}

function endOf({ prefixHash, nextOffset }: ArchivePosition): string {
  return `${prefixHash} ${nextOffset}`;
}
