// Runs the indexer: replays the archives, then works on jobs of all kinds in parallel.

import { type Failure, FailureError, type Reason } from '#model/failure.ts';
import type { JobKind } from '#model/job.ts';
import { isLasting } from '#model/temporary.ts';
import { archiveName } from '#source/event-archive/open-archive.ts';
import { announceArchives } from '#store/chain/archives.ts';
import type { Store } from '#store/index-database.ts';
import { writeInfo } from '#store/index-info.ts';
import { beginHistory, countChanges, lastRevision } from '#store/ledger/ledger.ts';
import type { Reused } from '#store/old-index.ts';
import { countJobs, readLastFailures } from '#store/work/jobs.ts';
import { type ArchiveSummary, addToSummary, emptySummary, indexArchive } from './chain/index-archive.ts';
import { indexSeed } from './chain/index-seed.ts';
import { openReorgGuard } from './chain/reorg-guard.ts';
import { storeLookalikes } from './find-lookalikes.ts';
import type { IndexOptions } from './index-options.ts';
import { JOB_KINDS } from './jobs/all.ts';
import { openSourceAccess } from './jobs/source-access.ts';
import { queueReadMore } from './queue/queue-new-tokens.ts';
import { queueRefresh } from './queue/queue-refresh.ts';
import { ChainReader } from './replay/chain-reader.ts';
import { openJobRunner } from './runner/job-runner.ts';
import type { WorkSummary } from './runner/lane.ts';

export interface IndexSummary {
  readonly archives: ArchiveSummary;
  /** Results of the jobs of each kind. */
  readonly work: Readonly<Partial<Record<JobKind, WorkSummary>>>;
  /** The number of changed entities, by kind of entity (store/schema/ledger.ts). */
  readonly changes: Awaited<ReturnType<typeof countChanges>>;
  /** The numbers of documents and images that a rebuild reused from the old index. */
  readonly reused: Readonly<Partial<Record<Reused, number>>>;
  /** The number of jobs that are left in the index, by kind. */
  readonly left: Readonly<Record<JobKind, number>>;
  /** True if the run was stopped before its end. */
  readonly interrupted: boolean;
  /** The reason why a seed that an earlier run named was not read to its end. */
  readonly seedFailure: Failure | undefined;
  /** The reason why the node or API cannot do remaining jobs until the operator changes something. */
  readonly sourceFailure: Reason | undefined;
  /** True if some of the remaining jobs could be done with the options of this run. */
  readonly leftToDo: boolean;
  /** Number of jobs that hit a bug of this program. */
  readonly bugs: number;
}

export async function runIndex(store: Store, options: IndexOptions): Promise<IndexSummary> {
  const { signal } = options;
  await store.transaction().execute(beginHistory);
  const before = await lastRevision(store);
  // Queues reads for known collections before the archives, because the archives queue their new collections
  // themselves.
  await queueReadMore(store, options.nft);
  const { archives, seedFailure } = await replay(store, options);
  if (!signal.aborted) await queueRefresh(store, options);
  const { work, loss } = signal.aborted ? { work: {} } : await workOnJobs(store, options);
  if (!signal.aborted) await writeInfo(store, { runMark: undefined });
  if (!signal.aborted) await storeLookalikes(store);
  const left = await countJobs(store);
  if (!signal.aborted && Object.values(left).every((jobs) => jobs === 0))
    await writeInfo(store, { oldIndex: undefined });
  return {
    archives,
    work,
    changes: await countChanges(store, before),
    reused: options.oldIndex?.reused ?? {},
    left,
    interrupted: signal.aborted,
    seedFailure,
    sourceFailure: signal.aborted ? undefined : (loss ?? (await findLastingFailure(store, work, options))),
    leftToDo: signal.aborted || (Object.keys(work) as JobKind[]).some((kind) => left[kind] > 0),
    bugs: Object.values(work).reduce((sum, { bugs }) => sum + bugs, 0),
  };
}

async function replay(store: Store, options: IndexOptions) {
  const archives = emptySummary();
  const guard = await openReorgGuard(store, options.allowReorg, options.reporter);
  await announceArchives(store, options.archives.map(archiveName));
  for (const path of options.archives) {
    if (options.signal.aborted) break;
    const summary = await indexArchive(store, { ...options, path, guard });
    addToSummary(archives, summary);
  }
  const { seed } = options;
  if (seed === undefined || options.signal.aborted) return { archives };
  try {
    addToSummary(archives, await indexSeed(store, seed, { ...options, guard }));
    return { archives };
  } catch (error) {
    // The failure of a seed that an earlier run named does not end the run.
    if (!seed.isContinued || !(error instanceof FailureError)) throw error;
    const { failure: seedFailure, message } = error;
    const { retryable: isTriedAgain } = seedFailure;
    if (!isTriedAgain) await writeInfo(store, { seed: undefined });
    const next = isTriedAgain ? 'The next run will try again.' : 'Name it with --seed to read it again.';
    options.reporter.warn(`The seed ${seed.location} was not read to its end: ${message} ${next}`);
    return { archives, seedFailure };
  }
}

async function workOnJobs(
  store: Store,
  options: IndexOptions,
): Promise<Pick<IndexSummary, 'work'> & { readonly loss?: Failure | undefined }> {
  const access = options.source === undefined ? undefined : openSourceAccess(options.source);
  const runner = openJobRunner(store, options);
  const chain = new ChainReader(store);
  if (options.vm) await chain.findWrites();
  const context = { store, options, chain, access, signal: runner.signal };
  const workers = JOB_KINDS.flatMap((open) => open(context) ?? []);
  try {
    // Jobs that need no source start while the run connects to it.
    if (access !== undefined) runner.feed(access.reach(store, options));
    const work = await runner.run(workers);
    access?.reportLosses(options);
    return { work, loss: access?.lastingLoss() };
  } finally {
    await Promise.all(workers.map((worker) => worker.close?.()));
  }
}

/** Kinds of jobs that request data from the node or the API. */
export const SOURCE_KINDS: readonly JobKind[] = ['list-tokens', 'fetch-contract', 'list-numbers', 'read-values'];

/** Returns the reason why some remaining job cannot be done, and reports it. */
async function findLastingFailure(
  store: Store,
  work: IndexSummary['work'],
  { reporter }: IndexOptions,
): Promise<Reason | undefined> {
  const kinds = SOURCE_KINDS.filter((kind) => kind in work);
  const failure = (await readLastFailures(store, kinds)).find(({ code }) => isLasting(code));
  if (failure !== undefined) reporter.warn(`Some work of the node or API cannot be done: ${failure.message}`);
  return failure;
}

export function countWork({ work }: IndexSummary) {
  const sum = (what: 'done' | 'failed' | 'offline', ...kinds: JobKind[]) =>
    kinds.reduce((total, kind) => total + (work[kind]?.[what] ?? 0), 0);
  return {
    listPages: sum('done', 'list-tokens'),
    evaluated: sum('done', 'evaluate-token'),
    evaluationsFailed: sum('failed', 'evaluate-token'),
    contracts: sum('done', 'fetch-contract'),
    values: sum('done', 'read-values'),
    fetched: sum('done', 'fetch-document'),
    images: sum('done', 'fetch-image'),
    imagesFailed: sum('failed', 'fetch-image'),
    asksFailed: sum('failed', 'list-tokens', 'fetch-contract', 'read-values'),
    fetchesFailed: sum('failed', 'fetch-document'),
    doneOffline: sum('offline', 'fetch-document', 'fetch-image'),
  };
}
