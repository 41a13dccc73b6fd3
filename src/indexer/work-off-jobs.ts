// Works off the due jobs of a kind: a few at a time, retries after a while, and what is not done then stays for a later run.
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { FailureError, fail } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { countJobsOf, failJob, type Job, type JobKind, type JobOf, nextJobAt, readDueJobs } from '#store/jobs.ts';
import { isSqliteError } from '#store/sqlite.ts';
import type { Feeders } from './pipeline.ts';

/** What one kind of job is about. */
export interface JobWorker<K extends JobKind, R> {
  readonly kind: K;
  /** What progress calls the work: `documents`. */
  readonly task: string;
  /** The slow part, outside of any transaction. What it gives is not looked at once the run was stopped. */
  work(job: JobOf<K>): Promise<R>;
  /** Stores what several jobs gave, in one transaction; says of each, in order, what became of it. */
  settle(store: StoreWriter, finished: readonly Finished<K, R>[]): Promise<readonly Outcome[]>;
  /** Whether there is no use in trying any more of them in this run. */
  isStopped?(): boolean;
}

export interface Finished<K extends JobKind, R> {
  readonly job: JobOf<K>;
  readonly result: R;
}

export interface WorkOptions {
  /** Jobs that are worked on at once. */
  readonly concurrency: number;
  /** How long a run waits, with nothing else to do, for what is tried again. */
  readonly patienceMs: number;
  /** Other work that may queue more jobs of this kind. */
  readonly feeders?: Feeders;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

export interface WorkSummary {
  done: number;
  /** Attempts that failed; some of them are tried again. */
  failed: number;
  /** Jobs that ended in an error of this program; their rows keep its stack. */
  bugs: number;
}

/** What became of a job; undefined if there was nothing to do. */
export type Outcome = 'done' | 'failed' | undefined;

const JOBS_PER_READ = 1_000;
/** What is finished is stored together, so often: a kill loses no more than that. */
const COMMIT_EVERY_MS = 20;
/** After a pause, what comes next waits only so long for others. */
const FIRST_COMMIT_MS = 5;
const COMMIT_AT = 1_000;
/** How often it is looked for jobs that others queued, or that are due again: ever less often while there are none. */
const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 500;
const COUNT_EVERY_MS = 1_000;

/** What met a bug is left alone for a while: perhaps the next version knows better. */
const AFTER_BUG_MS = 24 * 60 * 60 * 1000;

/** Ends when there is nothing left that could be done in this run. */
export async function workOffJobs<K extends JobKind, R>(
  store: Store,
  worker: JobWorker<K, R>,
  options: WorkOptions,
): Promise<WorkSummary> {
  return new JobLoop(store, worker, options).run();
}

class JobLoop<K extends JobKind, R> {
  readonly #store: Store;
  readonly #worker: JobWorker<K, R>;
  readonly #options: WorkOptions;
  readonly #queue: PQueue;
  readonly #summary: WorkSummary = { done: 0, failed: 0, bugs: 0 };
  /** Read, and not settled yet. */
  readonly #inFlight = new Set<number>();
  #finished: Finished<K, R>[] = [];
  #committing: Promise<void> = Promise.resolve();
  #commitTimer: NodeJS.Timeout | undefined;
  #committedAt = Number.NEGATIVE_INFINITY;
  #pollMs = FIRST_POLL_MS;
  #fatal: { readonly error: unknown } | undefined;
  #total = 0;
  #countedAt = Number.NEGATIVE_INFINITY;
  /** Since when there was nothing to do but to wait, by performance.now(). */
  #idleSince: number | undefined;
  #saidThatItWaits = false;
  #wake = () => {};

  constructor(store: Store, worker: JobWorker<K, R>, options: WorkOptions) {
    this.#store = store;
    this.#worker = worker;
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.concurrency });
  }

  async run(): Promise<WorkSummary> {
    void this.#options.feeders?.ended.then(() => this.#wake());
    try {
      while (!this.#isOver()) {
        const started = this.#inFlight.size < JOBS_PER_READ ? await this.#startDueJobs() : 0;
        if (started > 0) this.#pollMs = FIRST_POLL_MS;
        else if (this.#inFlight.size > 0) await this.#poll();
        else if (!(await this.#waitForMore())) break;
      }
    } finally {
      this.#queue.clear();
      await this.#queue.onIdle();
      await this.#commit();
    }
    if (this.#fatal !== undefined) throw this.#fatal.error;
    return this.#summary;
  }

  #isOver(): boolean {
    return this.#options.signal.aborted || this.#fatal !== undefined || this.#worker.isStopped?.() === true;
  }

  async #startDueJobs(): Promise<number> {
    const limit = this.#inFlight.size + JOBS_PER_READ;
    const due = await readDueJobs(this.#store, this.#worker.kind, Date.now(), limit);
    const jobs = due.filter((job) => !this.#inFlight.has(job.jobId));
    for (const job of jobs) {
      this.#inFlight.add(job.jobId);
      void this.#queue.add(() => this.#workOn(job));
    }
    return jobs.length;
  }

  /** Returns false if nothing comes any more in this run. */
  async #waitForMore(): Promise<boolean> {
    const { feeders, patienceMs, reporter } = this.#options;
    const grows = feeders?.areRunning() === true;
    const next = await nextJobAt(this.#store, this.#worker.kind);
    if (grows) {
      await this.#poll();
      return true;
    }
    if (next === undefined) return false;
    this.#idleSince ??= performance.now();
    // Where the clock is set back, what was due in a second is due in an hour: that is not waited for.
    const leftMs = next - Date.now();
    if (performance.now() - this.#idleSince + leftMs > patienceMs) return false;
    if (!this.#saidThatItWaits && leftMs > COUNT_EVERY_MS) {
      this.#saidThatItWaits = true;
      const seconds = Math.ceil(leftMs / 1000);
      reporter.info(`Some ${this.#worker.task} failed and are tried again: waiting ${seconds} s.`);
    }
    await this.#waitAtMost(leftMs);
    return true;
  }

  async #workOn(job: JobOf<K>): Promise<void> {
    if (this.#isOver()) return;
    try {
      const result = await this.#worker.work(job);
      // Stopped: that is nobody's failure, and the job stays as it was.
      if (this.#options.signal.aborted) return;
      this.#finished.push({ job, result });
      if (this.#finished.length >= COMMIT_AT) void this.#commit();
      else this.#commitTimer ??= setTimeout(() => void this.#commit(), this.#untilCommitMs());
    } catch (error) {
      await this.#noteBug(job, error);
    }
  }

  #untilCommitMs(): number {
    return Math.max(this.#committedAt + COMMIT_EVERY_MS - performance.now(), FIRST_COMMIT_MS);
  }

  /** Stores what is finished, one group after the other. Never rejects. */
  #commit(): Promise<void> {
    clearTimeout(this.#commitTimer);
    this.#commitTimer = undefined;
    this.#committing = this.#committing.then(async () => {
      const group = this.#finished.splice(0);
      if (group.length === 0 || this.#fatal !== undefined) return;
      this.#committedAt = performance.now();
      try {
        await this.#settleEach(group);
        await this.#report();
      } catch (error) {
        this.#fatal ??= { error };
      }
      this.#wake();
    });
    return this.#committing;
  }

  async #settleEach(group: readonly Finished<K, R>[]): Promise<void> {
    try {
      await this.#settle(group);
    } catch (error) {
      if (isNobodysBug(error)) throw error;
      // One of them is to blame: alone, it shows which.
      for (const one of group) await this.#settle([one]).catch((bug: unknown) => this.#noteBug(one.job, bug));
    }
  }

  async #settle(group: readonly Finished<K, R>[]): Promise<void> {
    const outcomes = await this.#store.transaction().execute((transaction) => this.#worker.settle(transaction, group));
    for (const [index, { job }] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined) this.#summary[outcome]++;
      if (outcome === 'done') this.#idleSince = undefined;
      this.#inFlight.delete(job.jobId);
    }
  }

  /** Never rejects: what cannot be noted ends the run. */
  async #noteBug(job: Job, error: unknown): Promise<void> {
    try {
      // Trouble of the disk or the database is not this job's.
      if (isNobodysBug(error)) throw error;
      await this.#writeBug(job, error);
    } catch (fatal) {
      this.#fatal ??= { error: fatal };
    }
    this.#inFlight.delete(job.jobId);
    this.#wake();
  }

  async #writeBug(job: Job, error: unknown): Promise<void> {
    this.#summary.bugs++;
    const bug = fail('bug', error instanceof Error ? error.message : String(error), error);
    this.#options.reporter.warn(`${this.#worker.task}: ${bug.message}`, { job: job.jobId });
    const stack = error instanceof Error ? error.stack : undefined;
    const later = { stack, nextAttemptAt: Date.now() + AFTER_BUG_MS };
    await this.#store.transaction().execute((transaction) => failJob(transaction, job.jobId, bug, later));
  }

  async #report(): Promise<void> {
    const { reporter } = this.#options;
    const { done } = this.#summary;
    if (performance.now() - this.#countedAt > COUNT_EVERY_MS) {
      this.#countedAt = performance.now();
      this.#total = done + (await countJobsOf(this.#store, this.#worker.kind));
    }
    reporter.progress({ task: this.#worker.task, done, total: Math.max(done, this.#total), unit: 'items' });
  }

  async #poll(): Promise<void> {
    await this.#waitAtMost(this.#pollMs);
    this.#pollMs = Math.min(this.#pollMs * 2, LONGEST_POLL_MS);
  }

  /** Until something was stored, at the longest. */
  async #waitAtMost(milliseconds: number): Promise<void> {
    const { signal } = this.#options;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await delay(milliseconds, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
  }
}

function isNobodysBug(error: unknown): boolean {
  return isSqliteError(error) || error instanceof FailureError;
}

/** Settles each result for itself. */
export function oneByOne<K extends JobKind, R>(
  settle: (store: StoreWriter, job: JobOf<K>, result: R) => Promise<Outcome>,
): JobWorker<K, R>['settle'] {
  return async (store, finished) => {
    const outcomes: Outcome[] = [];
    for (const { job, result } of finished) outcomes.push(await settle(store, job, result));
    return outcomes;
  };
}
