// Works off the due jobs of a kind: a few at a time, retries after a while, and what is not done now stays for a later run.
import PQueue from 'p-queue';
import { type Failure, FailureError, fail } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import {
  countJobs,
  deleteJob,
  failJob,
  type Job,
  type JobKind,
  nextJobAt,
  postponeJob,
  readDueJobs,
} from '#store/jobs.ts';
import { isSqliteError } from '#store/sqlite.ts';

export interface WorkOptions {
  readonly kind: JobKind;
  /** What progress calls the work: `documents`. */
  readonly task: string;
  /** Jobs that are worked on at once. */
  readonly concurrency: number;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

export interface WorkSummary {
  readonly done: number;
  /** Attempts that failed; some of them are tried again. */
  readonly failed: number;
  /** Jobs that ended in an error of this program; their rows keep its stack. */
  readonly bugs: number;
}

/** What became of a job; undefined if there was nothing to do, or no time to do it. */
export type Outcome = 'done' | 'failed' | undefined;

const JOBS_PER_READ = 200;
/** A retry that is due so soon is waited for; a later one is the next run's. */
const MAX_WAIT_MS = 10_000;
/** A run waits no longer than this in all: hosts that put it off again and again are the next run's. */
const MAX_WAITS_MS = 60_000;
const FIRST_RETRY_MS = 4_000;
const RETRY_GROWTH = 4;
/** Four seconds, then four times as long each time: the last of these comes after a day. */
const MAX_ATTEMPTS = 8;
/** What met a bug is left alone for a while: perhaps the next version knows better. */
const AFTER_BUG_MS = 24 * 60 * 60 * 1000;

/** `work` commits its own result, so a kill loses at most what is in flight. */
export async function workOffJobs(
  store: Store,
  options: WorkOptions,
  work: (job: Job) => Promise<Outcome>,
): Promise<WorkSummary> {
  const { kind, task, reporter, signal } = options;
  const queue = new PQueue({ concurrency: options.concurrency });
  const summary = { done: 0, failed: 0, bugs: 0 };
  let worked = 0;
  let waitedMs = 0;
  const workOn = async (job: Job, left: number) => {
    try {
      const outcome = signal.aborted ? undefined : await work(job);
      if (outcome !== undefined) summary[outcome]++;
    } catch (error) {
      // Trouble of the disk or the database is not this job's.
      if (isSqliteError(error) || error instanceof FailureError) throw error;
      summary.bugs++;
      const bug = fail('bug', error instanceof Error ? error.message : String(error), error);
      reporter.warn(`${task}: ${bug.message}`, { job: job.jobId });
      const stack = error instanceof Error ? error.stack : undefined;
      const later = { stack, nextAttemptAt: Date.now() + AFTER_BUG_MS };
      await store.transaction().execute((transaction) => failJob(transaction, job.jobId, bug, later));
    }
    reporter.progress({ task, done: ++worked, total: Math.max(worked, left), unit: 'items' });
  };

  while (!signal.aborted) {
    const jobs = await readDueJobs(store, kind, Date.now(), JOBS_PER_READ);
    if (jobs.length === 0) {
      const next = await nextJobAt(store, kind);
      const waitMs = (next ?? 0) - Date.now();
      waitedMs += Math.max(waitMs, 0);
      if (next === undefined || waitMs > MAX_WAIT_MS || waitedMs > MAX_WAITS_MS) break;
      await sleep(next - Date.now(), signal);
      continue;
    }
    const left = worked + (await countJobs(store))[kind];
    await queue.addAll(jobs.map((job) => () => workOn(job, left)));
  }
  return summary;
}

/** Ends an attempt: the job is done, is tried again after a while, or has failed for good. */
export async function settleAttempt(store: StoreWriter, job: Job, failure: Failure | undefined): Promise<void> {
  if (failure?.failure === 'host-held') {
    await postponeJob(store, job.jobId, Date.now() + (failure.retryAfterSeconds ?? 0) * 1000);
  } else if (failure?.retryable && job.attempts + 1 < MAX_ATTEMPTS) {
    await failJob(store, job.jobId, failure, { nextAttemptAt: Date.now() + retryDelayMs(job.attempts, failure) });
  } else {
    await deleteJob(store, job.jobId);
  }
}

/** Exponential, with jitter, so that a thousand jobs of one host do not all come back at once. */
function retryDelayMs(attempts: number, failure: Failure): number {
  const backOff = FIRST_RETRY_MS * RETRY_GROWTH ** attempts * (0.5 + Math.random());
  return Math.max(backOff, (failure.retryAfterSeconds ?? 0) * 1000);
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, Math.max(milliseconds, 0));
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
