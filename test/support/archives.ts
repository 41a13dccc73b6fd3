// Writes archives for tests. Reads them to the end without an index, or indexes them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ArchiveSummary, indexArchive } from '#indexer/chain/index-archive.ts';
import type { ArchivePosition } from '#model/archive-position.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import { FailureError } from '#model/failure.ts';
import { unpackCode } from '#model/packed-code.ts';
import { readArchive } from '#source/event-archive/read-archive.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import type { Schema } from '#store/schema/schema.ts';
import { indexInto } from './index-options.ts';
import { silentReporter } from './silent-reporter.ts';
import { tempFolder } from './temp-folder.ts';

/** Indexes an archive with these lines into a file. Indexes no archive if the text is empty. */
export function indexLines(db: string, lines: string): Promise<void> {
  return indexInto(db, { archives: lines === '' ? [] : [writeArchive(lines)] });
}

/** Writes a new file with this content in a temporary folder. Returns the path of the file. */
export function writeArchive(content: Uint8Array | string, name = 'archive.tsv'): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, content);
  return path;
}

export interface ReadResult {
  readonly events: ChainEvent[];
  readonly skipped: number;
  readonly broken: string[];
  readonly position: ArchivePosition | undefined;
  /** The first line that was read, if an earlier read of this archive was continued; otherwise undefined. */
  readonly resumedAtLine: number | undefined;
  /** The error that ended the reading; undefined if the archive was read to its end. */
  readonly error: FailureError | undefined;
}

export interface ReadOptions {
  readonly known?: readonly (ArchivePosition | undefined)[];
  readonly skipBroken?: boolean;
}

/** Reads an archive to its end, or to the first FailureError. Throws any other error. */
export async function readToEnd(path: string, { known = [], ...options }: ReadOptions = {}): Promise<ReadResult> {
  const result = { events: [] as ChainEvent[], skipped: 0, broken: [] as string[] };
  let position: ArchivePosition | undefined;
  let resumedAtLine: number | undefined;
  let error: FailureError | undefined;
  try {
    const batches = readArchive({
      path,
      known: known.filter((candidate) => candidate !== undefined),
      skipBroken: false,
      onResume: (from) => {
        resumedAtLine = from.nextLine;
      },
      ...options,
    });
    for await (const batch of batches) {
      result.events.push(...batch.events);
      result.broken.push(...batch.broken.map((failure) => failure.message));
      result.skipped += batch.skipped;
      position = batch.position;
    }
  } catch (thrown) {
    if (!(thrown instanceof FailureError)) throw thrown;
    error = thrown;
  }
  return { ...result, position, resumedAtLine, error };
}

/** Returns the heights of the blocks in `events`. */
export function heightsOf(events: readonly ChainEvent[]): number[] {
  return events.flatMap((event) => (event.kind === 'block' ? [event.height] : []));
}

/** Returns the interfaces of all deploys in `events`. */
export function interfacesOf(events: readonly ChainEvent[]): unknown[] {
  return events.flatMap(({ deploys }) =>
    deploys.map(({ code }) => JSON.parse(unpackCode(code).interfaceJson ?? 'null')),
  );
}

/** Opens an index, and closes it at the end of the current test. */
export async function newIndex(path = join(tempFolder(), 'index.sqlite')): Promise<Store> {
  const store = await openIndex(path);
  onTestFinished(() => store.destroy());
  return store;
}

/** Writes an archive with this text and indexes it. The path of the archive is new by default. */
export function indexText(
  store: Store,
  text: string,
  { path = join(tempFolder(), 'archive.tsv'), skipBroken = false, reporter = silentReporter } = {},
): Promise<ArchiveSummary> {
  writeFileSync(path, text);
  return indexArchive(store, {
    path,
    skipBroken,
    nft: 'uris',
    maxNftTokens: 50_000,
    finalBlocks: 10_000,
    reporter,
    signal: new AbortController().signal,
  });
}

/** Returns all rows of all tables by table, except for archives, whose rows may differ for the same chain. */
export async function dumpIndex(store: Store): Promise<Record<string, unknown[]>> {
  const dump: Record<string, unknown[]> = {};
  for (const { name, isView } of await store.introspection.getTables())
    if (!isView && name !== 'archive')
      dump[name] = await store
        .selectFrom(name as keyof Schema)
        .selectAll()
        .execute();
  return dump;
}
