// Runs jobs of all kinds in parallel until the run has no more jobs to do. Stores results in groups.
import { fail } from '#model/failure.ts';
import type { Job, JobKind } from '#model/job.ts';
import type { Store } from '#store/index-database.ts';
import { countJobs, failJob, nextJob, readDueJobs } from '#store/work/jobs.ts';
import { formatCount } from '#text/format-count.ts';
import type { IndexOptions } from '../index-options.ts';
import type { JobWorker, Outcome } from './job-worker.ts';
import { type InLane, isEnvironmental, type Lane, newLane, type WorkSummary } from './lane.ts';

type JobRunnerOptions = Pick<IndexOptions, 'concurrency' | 'patienceMs' | 'reporter' | 'signal'>;

/** The number of jobs to read in a query. More jobs are read when fewer than {@link FEW_JOBS} are left. */
const JOBS_PER_READ = 1_000;
const FEW_JOBS = 500;
/** The interval between writes of results. After a kill, only the results of the last interval are missing. */
const COMMIT_EVERY_MS = 20;
/** The time that the first result after a pause waits, so that other results are stored with it. */
const FIRST_COMMIT_MS = 5;
const COMMIT_AT = 1_000;
const COMMIT_AT_BYTES = 4_000_000;
const COUNT_EVERY_MS = 1_000;
/** The minimum duration of a wait that is reported to the user. */
const LONG_WAIT_MS = 1_000;
/** The maximum duration of a timer. A job may be due later than Node's limit of 2^31 ms if the clock was ahead. */
const LONGEST_TIMER_MS = 60 * 60 * 1000;
/** The delay of the retry after a bug, which a later version may have fixed. */
const AFTER_BUG_MS = 24 * 60 * 60 * 1000;

export function openJobRunner(store: Store, options: JobRunnerOptions) {
  let lanes: Lane[] = [];
  const failed = new AbortController();
  /** The number of running tasks that may queue jobs or open a closed kind of job. */
  let feeders = 0;
  const finished: InLane[] = [];
  let finishedBytes = 0;
  let committing: Promise<void> = Promise.resolve();
  let commitTimer: NodeJS.Timeout | undefined;
  let [committedAt, countedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  /** The time since the last finished job during which the run only waited for retries. */
  let idleMs = 0;
  let hasReportedWait = false;
  let woken = Promise.withResolvers<void>();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  signal.addEventListener('abort', wake, { once: true });
  return { signal, feed, run };

  /** Keeps the run going until this promise is fulfilled, because it may queue jobs. A rejection ends the run. */
  function feed(feeder: Promise<unknown>): void {
    feeders++;
    void feeder.catch(endBy).finally(() => {
      feeders--;
      wake();
    });
  }

  /** Makes the run look for jobs again. Called after jobs were queued or a kind of job was opened. */
  function wake(): void {
    woken.resolve();
  }

  /** Runs the jobs. Throws the error that ended the run early. */
  async function run(workers: readonly JobWorker[]): Promise<Partial<Record<JobKind, WorkSummary>>> {
    lanes = workers.map((worker) => newLane(worker, options.concurrency));
    try {
      await store.transaction().execute(async (transaction) => {
        for (const { worker } of lanes) await worker.prepare?.(transaction);
      });
      for (let hasMore = true; hasMore && !signal.aborted; ) {
        woken = Promise.withResolvers();
        const now = Date.now();
        hasMore = (await startDueJobs(now)) > 0 || (await waitForMore(now));
      }
    } catch (error) {
      endBy(error);
    }
    for (const { queue } of lanes) {
      queue.clear();
      await queue.onIdle();
    }
    await commit();
    if (failed.signal.aborted) throw failed.signal.reason;
    return Object.fromEntries(lanes.map(({ worker, summary }) => [worker.kind, summary]));
  }

  async function startDueJobs(now: number): Promise<number> {
    let started = 0;
    for (const lane of openLanes()) {
      const { worker, queue, inFlight } = lane;
      if (inFlight.size >= FEW_JOBS) continue;
      const due = await readDueJobs(store, worker.kind, now, inFlight.size + JOBS_PER_READ);
      for (const job of due) {
        if (inFlight.has(job.jobId)) continue;
        started++;
        inFlight.add(job.jobId);
        void queue.add(() => workOn(lane, job));
      }
    }
    return started;
  }

  function openLanes(): Lane[] {
    return lanes.filter(({ worker }) => worker.isOpen?.() !== false);
  }

  /** Waits until there may be more jobs. Returns false if no jobs are left. Jobs due at `now` have been started. */
  async function waitForMore(now: number): Promise<boolean> {
    const open = openLanes().map(({ worker }) => worker);
    const kinds = open.map(({ kind }) => kind);
    const next = await nextJob(store, kinds, now);
    // Computed with the current time, because the clock may have been set back. Then the job may be too far in the
    // future.
    const leftMs = next === undefined ? undefined : next.dueAt - Date.now();
    const isBusy = feeders > 0 || lanes.some(({ inFlight }) => inFlight.size > 0);
    if (!isBusy) {
      if (next === undefined || leftMs === undefined) return false;
      if (idleMs + leftMs > options.patienceMs) return false;
      const task = open.find(({ kind }) => kind === next.kind)?.task;
      if (!hasReportedWait && leftMs > LONG_WAIT_MS) {
        options.reporter.info(`Some ${task} failed and are tried again: waiting ${Math.ceil(leftMs / 1000)} s.`);
        hasReportedWait = true;
      }
    }
    const timer = leftMs === undefined ? undefined : setTimeout(wake, Math.min(Math.max(leftMs, 0), LONGEST_TIMER_MS));
    const waitsFrom = performance.now();
    await woken.promise;
    if (!isBusy) idleMs += performance.now() - waitsFrom;
    clearTimeout(timer);
    return true;
  }

  async function workOn(lane: Lane, job: Job): Promise<void> {
    try {
      const isClosed = lane.worker.isOpen?.() === false;
      const result = isClosed || signal.aborted ? undefined : await lane.worker.work(job);
      // If the run was stopped or the kind was closed, the job has not failed. It stays queued.
      if (isClosed || signal.aborted) {
        lane.inFlight.delete(job.jobId);
        wake();
        return;
      }
      finished.push({ lane, job, result });
      finishedBytes += lane.worker.bytesOf?.(result) ?? 0;
      // While it waits, the job counts as in progress, so that no other job adds results to memory.
      if (finishedBytes >= COMMIT_AT_BYTES) await commit();
      else if (finished.length >= COMMIT_AT) void commit();
      else {
        const delayMs = Math.max(committedAt + COMMIT_EVERY_MS - performance.now(), FIRST_COMMIT_MS);
        commitTimer ??= setTimeout(() => void commit(), delayMs);
      }
    } catch (error) {
      await recordBug(lane, job, error);
    }
  }

  /** Stores the results so far, after earlier writes. Errors end the run; the returned promise never rejects. */
  function commit(): Promise<void> {
    clearTimeout(commitTimer);
    commitTimer = undefined;
    committing = committing.then(async () => {
      const group = finished.splice(0);
      finishedBytes = 0;
      if (group.length === 0 || failed.signal.aborted) return;
      committedAt = performance.now();
      try {
        await saveEach(group);
        await reportProgress(new Set(group.map(({ lane }) => lane)));
      } catch (error) {
        endBy(error);
      }
      wake();
    });
    return committing;
  }

  async function saveEach(group: readonly InLane[]): Promise<void> {
    try {
      await save(group);
    } catch (error) {
      if (isEnvironmental(error)) throw error;
      // Stores each result separately, to find the result that fails.
      for (const result of group) await save([result]).catch((bug: unknown) => recordBug(result.lane, result.job, bug));
    }
  }

  async function save(group: readonly InLane[]): Promise<void> {
    const byLane = Map.groupBy(group, ({ lane }) => lane);
    for (const [{ worker }, results] of byLane) await worker.sync?.(results);
    const saved = new Map<Lane, readonly Outcome[]>();
    await store.transaction().execute(async (transaction) => {
      for (const [lane, results] of byLane) saved.set(lane, await lane.worker.save(transaction, results));
    });
    for (const [lane, outcomes] of saved)
      for (const outcome of outcomes) {
        if (outcome !== undefined) lane.summary[outcome]++;
        if (outcome === 'done') idleMs = 0;
      }
    for (const { lane, job } of group) lane.inFlight.delete(job.jobId);
  }

  /** Reports the progress of lanes. Totals include the jobs that remained at the last count. */
  async function reportProgress(changed: ReadonlySet<Lane>): Promise<void> {
    if (performance.now() - countedAt > COUNT_EVERY_MS) {
      countedAt = performance.now();
      const left = await countJobs(store);
      for (const lane of lanes) lane.total = lane.summary.done + left[lane.worker.kind];
    }
    // Also reports lanes with jobs in progress, because a job may take longer than the interval between reports.
    for (const lane of lanes) {
      if (!changed.has(lane) && lane.inFlight.size === 0) continue;
      const { done, failed } = lane.summary;
      const noun = failed === 1 ? 'failed attempt' : 'failed attempts';
      const detail = failed === 0 ? {} : { detail: `${formatCount(failed)} ${noun}` };
      const total = Math.max(done, lane.total);
      options.reporter.progress({ task: lane.worker.task, done, total, unit: 'items', ...detail });
    }
  }

  /** Records a bug in the job's row. An error of this write ends the run; the returned promise never rejects. */
  async function recordBug({ worker, summary, inFlight }: Lane, job: Job, error: unknown): Promise<void> {
    try {
      if (isEnvironmental(error)) throw error;
      summary.bugs++;
      const bug = fail('bug', error instanceof Error ? error.message : String(error), error);
      options.reporter.warn(`${worker.task}: ${bug.message}`);
      const stack = error instanceof Error ? error.stack : undefined;
      const later = { stack, nextAttemptAt: Date.now() + AFTER_BUG_MS };
      await store.transaction().execute((transaction) => failJob(transaction, job, bug, later));
    } catch (fatal) {
      endBy(fatal);
    }
    inFlight.delete(job.jobId);
    wake();
  }

  /** Ends the run with an error. Only the first error counts. */
  function endBy(error: unknown): void {
    failed.abort(error);
    wake();
  }
}
