// Runs jobs of all kinds, several at once, until none is left that this run can do; stores results in groups.
import { fail } from '#model/failure.ts';
import type { Job, JobKind } from '#model/job.ts';
import type { Store } from '#store/index-database.ts';
import { countJobs, failJob, nextJob, readDueJobs } from '#store/work/jobs.ts';
import type { IndexOptions } from '../index-options.ts';
import type { JobWorker, Outcome } from './job-worker.ts';
import { type InLane, isEnvironmental, type Lane, newLane, type WorkSummary } from './lane.ts';

type JobRunnerOptions = Pick<IndexOptions, 'concurrency' | 'patienceMs' | 'reporter' | 'signal'>;

/** Number of jobs read at once, and how few must remain before more are read. */
const JOBS_PER_READ = 1_000;
const FEW_JOBS = 500;
/** Interval at which results are stored: a kill loses no more than that. */
const COMMIT_EVERY_MS = 20;
/** How long the first result after a pause waits for others. */
const FIRST_COMMIT_MS = 5;
const COMMIT_AT = 1_000;
const COMMIT_AT_BYTES = 4_000_000;
const COUNT_EVERY_MS = 1_000;
/** Shorter waits are not reported. */
const LONG_WAIT_MS = 1_000;
/** Node fires timers of more than 2^31 ms at once: a job that was stored while the clock was ahead may wait longer. */
const LONGEST_TIMER_MS = 60 * 60 * 1000;
/** Delay after a bug: the next version may have fixed it. */
const AFTER_BUG_MS = 24 * 60 * 60 * 1000;

export class JobRunner {
  readonly #store: Store;
  readonly #options: JobRunnerOptions;
  #lanes: Lane[] = [];
  readonly #failed = new AbortController();
  /** Running tasks that may queue jobs or open a kind. */
  #feeders = 0;
  #finished: InLane[] = [];
  #finishedBytes = 0;
  #committing: Promise<void> = Promise.resolve();
  #commitTimer: NodeJS.Timeout | undefined;
  #committedAt = Number.NEGATIVE_INFINITY;
  #countedAt = Number.NEGATIVE_INFINITY;
  /** How long it waited for retries alone since a job was done. */
  #idleMs = 0;
  #hasReportedWait = false;
  #woken = Promise.withResolvers<void>();
  readonly signal: AbortSignal;

  constructor(store: Store, options: JobRunnerOptions) {
    this.#store = store;
    this.#options = options;
    this.signal = AbortSignal.any([options.signal, this.#failed.signal]);
    this.signal.addEventListener('abort', () => this.wake(), { once: true });
  }

  /** Keeps the run going until this promise settles; it may queue jobs. If it rejects, the run ends. */
  feed(feeder: Promise<unknown>): void {
    this.#feeders++;
    void feeder
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#feeders--;
        this.wake();
      });
  }

  /** Looks for jobs again: some may have been queued, or a kind opened. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Throws the error that ended the run early. */
  async run(workers: readonly JobWorker[]): Promise<Partial<Record<JobKind, WorkSummary>>> {
    this.#lanes = workers.map((worker) => newLane(worker, this.#options.concurrency));
    try {
      await this.#store.transaction().execute(async (transaction) => {
        for (const { worker } of this.#lanes) await worker.prepare?.(transaction);
      });
      for (let hasMore = true; hasMore && !this.signal.aborted; ) {
        this.#woken = Promise.withResolvers();
        const now = Date.now();
        hasMore = (await this.#startDueJobs(now)) > 0 || (await this.#waitForMore(now));
      }
    } catch (error) {
      this.#fail(error);
    }
    for (const { queue } of this.#lanes) {
      queue.clear();
      await queue.onIdle();
    }
    await this.#commit();
    if (this.#failed.signal.aborted) throw this.#failed.signal.reason;
    return Object.fromEntries(this.#lanes.map(({ worker, summary }) => [worker.kind, summary]));
  }

  async #startDueJobs(now: number): Promise<number> {
    let started = 0;
    for (const lane of this.#openLanes()) {
      const { worker, queue, inFlight } = lane;
      if (inFlight.size >= FEW_JOBS) continue;
      const due = await readDueJobs(this.#store, worker.kind, now, inFlight.size + JOBS_PER_READ);
      for (const job of due) {
        if (inFlight.has(job.jobId)) continue;
        started++;
        inFlight.add(job.jobId);
        void queue.add(() => this.#workOn(lane, job));
      }
    }
    return started;
  }

  #openLanes(): Lane[] {
    return this.#lanes.filter(({ worker }) => worker.isOpen?.() !== false);
  }

  /** Waits until there may be more to do; false if nothing is left. Jobs due at `now` have been started. */
  async #waitForMore(now: number): Promise<boolean> {
    const open = this.#openLanes().map(({ worker }) => worker);
    const kinds = open.map(({ kind }) => kind);
    const next = await nextJob(this.#store, kinds, now);
    // Recomputed: after the clock is set back, a job due in a second may be due in an hour, which is too long to wait.
    const leftMs = next === undefined ? undefined : next.dueAt - Date.now();
    const isBusy = this.#feeders > 0 || this.#lanes.some(({ inFlight }) => inFlight.size > 0);
    if (!isBusy) {
      if (next === undefined || leftMs === undefined) return false;
      if (this.#idleMs + leftMs > this.#options.patienceMs) return false;
      const task = open.find(({ kind }) => kind === next.kind)?.task;
      if (!this.#hasReportedWait && leftMs > LONG_WAIT_MS) {
        this.#options.reporter.info(`Some ${task} failed and are tried again: waiting ${Math.ceil(leftMs / 1000)} s.`);
        this.#hasReportedWait = true;
      }
    }
    const timer =
      leftMs === undefined ? undefined : setTimeout(() => this.wake(), Math.min(Math.max(leftMs, 0), LONGEST_TIMER_MS));
    const waitsFrom = performance.now();
    await this.#woken.promise;
    if (!isBusy) this.#idleMs += performance.now() - waitsFrom;
    clearTimeout(timer);
    return true;
  }

  async #workOn(lane: Lane, job: Job): Promise<void> {
    try {
      const isClosed = lane.worker.isOpen?.() === false;
      const result = isClosed || this.signal.aborted ? undefined : await lane.worker.work(job);
      // A stopped or closed job has not failed: it stays queued.
      if (isClosed || this.signal.aborted) {
        lane.inFlight.delete(job.jobId);
        this.wake();
        return;
      }
      this.#finished.push({ lane, job, result });
      this.#finishedBytes += lane.worker.bytesOf?.(result) ?? 0;
      // A waiting job keeps its place in the queue, so no other job adds to the held results.
      if (this.#finishedBytes >= COMMIT_AT_BYTES) await this.#commit();
      else if (this.#finished.length >= COMMIT_AT) void this.#commit();
      else {
        const delayMs = Math.max(this.#committedAt + COMMIT_EVERY_MS - performance.now(), FIRST_COMMIT_MS);
        this.#commitTimer ??= setTimeout(() => void this.#commit(), delayMs);
      }
    } catch (error) {
      await this.#recordBug(lane, job, error);
    }
  }

  /** Stores results, one group after the other. Never rejects. */
  #commit(): Promise<void> {
    clearTimeout(this.#commitTimer);
    this.#commitTimer = undefined;
    this.#committing = this.#committing.then(async () => {
      const group = this.#finished.splice(0);
      this.#finishedBytes = 0;
      if (group.length === 0 || this.#failed.signal.aborted) return;
      this.#committedAt = performance.now();
      try {
        await this.#saveEach(group);
        await this.#reportProgress(new Set(group.map(({ lane }) => lane)));
      } catch (error) {
        this.#fail(error);
      }
      this.wake();
    });
    return this.#committing;
  }

  async #saveEach(group: readonly InLane[]): Promise<void> {
    try {
      await this.#save(group);
    } catch (error) {
      if (isEnvironmental(error)) throw error;
      // Stores them one by one to find the one that fails.
      for (const one of group) await this.#save([one]).catch((bug: unknown) => this.#recordBug(one.lane, one.job, bug));
    }
  }

  async #save(group: readonly InLane[]): Promise<void> {
    const ofLanes = Map.groupBy(group, ({ lane }) => lane);
    for (const [{ worker }, finished] of ofLanes) await worker.sync?.(finished);
    const saved = new Map<Lane, readonly Outcome[]>();
    await this.#store.transaction().execute(async (transaction) => {
      for (const [lane, finished] of ofLanes) saved.set(lane, await lane.worker.save(transaction, finished));
    });
    for (const [lane, outcomes] of saved)
      for (const outcome of outcomes) {
        if (outcome !== undefined) lane.summary[outcome]++;
        if (outcome === 'done') this.#idleMs = 0;
      }
    for (const { lane, job } of group) lane.inFlight.delete(job.jobId);
  }

  /** Reports the progress of lanes, relative to the jobs remaining at the last count. */
  async #reportProgress(changed: ReadonlySet<Lane>): Promise<void> {
    if (performance.now() - this.#countedAt > COUNT_EVERY_MS) {
      this.#countedAt = performance.now();
      const left = await countJobs(this.#store);
      for (const lane of this.#lanes) lane.total = lane.summary.done + left[lane.worker.kind];
    }
    for (const { worker, summary, total } of changed) {
      const { done } = summary;
      this.#options.reporter.progress({ task: worker.task, done, total: Math.max(done, total), unit: 'items' });
    }
  }

  /** Never rejects: if the bug cannot be recorded, the run ends. */
  async #recordBug({ worker, summary, inFlight }: Lane, job: Job, error: unknown): Promise<void> {
    try {
      if (isEnvironmental(error)) throw error;
      summary.bugs++;
      const bug = fail('bug', error instanceof Error ? error.message : String(error), error);
      this.#options.reporter.warn(`${worker.task}: ${bug.message}`, { job: job.jobId });
      const stack = error instanceof Error ? error.stack : undefined;
      const later = { stack, nextAttemptAt: Date.now() + AFTER_BUG_MS };
      await this.#store.transaction().execute((transaction) => failJob(transaction, job.jobId, bug, later));
    } catch (fatal) {
      this.#fail(fatal);
    }
    inFlight.delete(job.jobId);
    this.wake();
  }

  /** Ends the run; only the first error is kept. */
  #fail(error: unknown): void {
    this.#failed.abort(error);
    this.wake();
  }
}
