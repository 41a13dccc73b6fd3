// Replays event archives into the index. Continues each archive where the last run stopped.

import { freeCalls } from '#clarity/packed-calls.ts';
import type { SeedPart } from '#layout/seed-manifest.ts';
import { areOtherChains, joinChains } from '#model/chain.ts';
import { FailureError, nameSubject } from '#model/failure.ts';
import { archiveName } from '#source/event-archive/open-archive.ts';
import { type openArchiveThreads, readArchive } from '#source/event-archive/read-archive.ts';
import { deleteArchive, dropUnread, failArchive, finishArchive, readArchives } from '#store/chain/archives.ts';
import type { Store } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { commandLine } from '#text/command-line.ts';
import { formatCount } from '#text/format-count.ts';
import type { IndexOptions } from '../index-options.ts';
import { CallRecorder } from '../replay/record-calls.ts';
import { applyBatch } from './apply-batch.ts';
import { checkPart } from './check-part.ts';
import { otherChain } from './other-chain.ts';
import type { ReorgGuard } from './reorg-guard.ts';

interface FromSeed {
  readonly part: SeedPart;
  /** The part before it; undefined for the first. */
  readonly before: SeedPart | undefined;
  /** The chain of the seed; undefined if it is unknown. */
  readonly chainId: number | undefined;
  /** Threads that all parts share. */
  readonly threads: ReturnType<typeof openArchiveThreads>;
  /** Receives the number of bytes of text that were indexed. */
  readonly report: (readText: number) => void;
}

type ArchiveOptions = {
  readonly path: string;
  /** The part of a seed that the file has. */
  readonly fromSeed?: FromSeed;
  readonly guard?: ReorgGuard | undefined;
} & Pick<IndexOptions, 'skipBroken' | 'nft' | 'maxNftTokens' | 'finalBlocks' | 'reporter' | 'signal'>;

export type ArchiveSummary = ReturnType<typeof emptySummary>;

export function emptySummary() {
  const chain = { blocks: 0, repeatedBlocks: 0, refusedBlocks: 0, orphanedBlocks: 0, deploys: 0 };
  return { ...chain, skippedEvents: 0, failures: 0, brokenLines: 0 };
}

/** Maximum number of failures that the terminal shows per archive. All failures are stored. */
const MAX_WARNINGS = 20;

/** Indexes an archive. Throws FailureError where an archive becomes unreadable; data before that point is stored. */
export async function indexArchive(store: Store, options: ArchiveOptions): Promise<ArchiveSummary> {
  const { path, reporter, fromSeed: seed } = options;
  const name = archiveName(path);
  const known = await readArchives(store);
  let archiveId = known.find((archive) => archive.name === name && archive.nextOffset === 0)?.archiveId;
  const summary = emptySummary();
  const check = seed && checkPart(seed.part, seed.before, name);
  const batches = readArchive({
    path,
    known,
    skipBroken: options.skipBroken,
    isSeed: seed !== undefined,
    maxBytes: seed?.part.text_bytes,
    threads: seed?.threads,
    onResume: (position) => {
      archiveId = known.find((candidate) => candidate === position)?.archiveId;
      const { nextLine: line } = position;
      readBytes = position.nextOffset;
      check?.resume();
      reporter.info(`${name}: indexed up to line ${line - 1} already`);
    },
  });
  const recorder = new CallRecorder();
  let warnings = 0;
  let readBytes = 0;
  try {
    for await (const batch of batches) {
      check?.add(batch.events);
      const { anyChainId: indexChain } = await readInfo(store);
      let held = indexChain;
      // Checks the chain id of every event, because a follower may receive events from two nodes.
      for (const { chainId: id } of [{ chainId: seed?.chainId }, ...batch.events]) {
        if (held !== undefined && id !== undefined && areOtherChains(held, id)) throw otherChain(name, id, held);
        held = joinChains(held, id);
      }
      const applied = await applyBatch(store, {
        ...options,
        ...batch,
        archiveName: name,
        archiveId,
        newChainId: held === indexChain ? undefined : held,
        recorder,
      });
      readBytes = batch.position.nextOffset;
      for (const event of batch.events) if (event.kind === 'block') freeCalls(event.calls);
      const { failures, ...counts } = applied;
      archiveId = counts.archiveId;
      const { skipped: skippedEvents, broken } = batch;
      addToSummary(summary, { ...counts, skippedEvents, failures: failures.length, brokenLines: broken.length });
      for (const failure of failures) {
        if (warnings++ < MAX_WARNINGS) reporter.warn(`${nameSubject(failure)}: ${failure.message}`);
      }
      if (seed !== undefined) seed.report(readBytes);
      else {
        const { readBytes: done, totalBytes: total } = batch;
        const detail = `${formatCount(summary.deploys)} deploys in ${formatCount(summary.blocks)} blocks`;
        reporter.progress({ task: 'archive', done, ...(total === undefined ? {} : { total }), unit: 'bytes', detail });
      }
      if (options.signal.aborted) break;
    }
    if (!options.signal.aborted) {
      check?.finish(readBytes);
      await dropUnread(store, name);
      if (archiveId !== undefined && seed === undefined) await finishArchive(store, archiveId);
      // Parts of a seed are not read again, so that an archive without end would have rows without end.
      else if (archiveId !== undefined) await deleteArchive(store, archiveId);
    }
  } catch (error) {
    if (error instanceof FailureError && !error.failure.retryable) await dropUnread(store, name).catch(() => {});
    // If the index cannot be written, this write fails too. The caller receives the first error.
    if (archiveId !== undefined && error instanceof FailureError)
      await failArchive(store, archiveId, name, error.failure).catch(() => {});
    throw error;
  }
  if (warnings > MAX_WARNINGS)
    reporter.warn(`${name}: ${warnings - MAX_WARNINGS} more failures. Count them with: ${commandLine('status')}`);
  return summary;
}

/** Adds the counts of another archive. */
export function addToSummary(summary: ArchiveSummary, other: ArchiveSummary): void {
  for (const key of Object.keys(summary) as (keyof ArchiveSummary)[]) summary[key] += other[key];
}
