// Ends an attempt at a job: it is done, is retried after a delay, or has failed for good.
import { type Failure, type FailureCode, isDoubtful, wasTried } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { deleteJobs, failJob, postponeJob } from '#store/work/jobs.ts';
import type { Outcome } from './job-worker.ts';

/** A busy server or a lost connection recovers within seconds: a run waits for that. */
const FIRST_RETRY_MS = 1_000;
const RETRY_GROWTH = 1.5;
const QUICK_RETRIES = 10;
/** Failures that last longer, or seldom recover in seconds, are left to a later run. */
const FIRST_SLOW_RETRY_MS = 60_000;
const SLOW_RETRY_GROWTH = 4;
const LONGEST_RETRY_MS = 6 * 60 * 60 * 1000;
/** The last attempt is after twelve hours. */
const MAX_ATTEMPTS = 16;
/** A doubtful answer that repeats this often in a row, seconds apart, is final. */
const BELIEVED_AFTER = 4;
/** Failures of third-party hosts that seldom recover in seconds. */
const LASTING: ReadonlySet<FailureCode> = new Set(['host-not-found', 'timeout']);
/** Retry policy for work that an operator requested, at servers of the operator's choice. */
export const FOR_EVER = {
  maxAttempts: Number.POSITIVE_INFINITY,
  lasting: new Set<FailureCode>(['host-not-found']),
};

export async function endAttempt(
  store: StoreWriter,
  job: Job,
  failure: Failure | undefined,
  { maxAttempts = MAX_ATTEMPTS, lasting = LASTING } = {},
): Promise<Outcome> {
  if (failure !== undefined && !wasTried(failure)) {
    await postponeJob(store, job, Date.now() + (failure.retryAfterSeconds ?? 0) * 1000);
  } else if (failure?.retryable && job.attempts + 1 < maxAttempts && !isBelieved(job, failure)) {
    const quickRetries = lasting.has(failure.code) ? 0 : QUICK_RETRIES;
    const nextAttemptAt = Date.now() + retryDelayMs(job.attempts, quickRetries, failure);
    await failJob(store, job, failure, { nextAttemptAt });
  } else {
    await deleteJobs(store, [job]);
  }
  if (failure === undefined) return 'done';
  return failure.code === 'offline' ? 'offline' : 'failed';
}

/** Ends a job without an outcome: there is nothing to do any more. */
export async function dropJob(store: StoreWriter, job: Job): Promise<undefined> {
  await deleteJobs(store, [job]);
}

function isBelieved(job: Job, { code }: Failure): boolean {
  return isDoubtful(code) && job.lastFailure === code && job.repeats + 1 >= BELIEVED_AFTER;
}

/** Exponential, with jitter, so that a thousand jobs of one host do not all retry at once. */
function retryDelayMs(attempts: number, quickRetries: number, failure: Failure): number {
  const backOff =
    attempts < quickRetries
      ? FIRST_RETRY_MS * RETRY_GROWTH ** attempts
      : Math.min(FIRST_SLOW_RETRY_MS * SLOW_RETRY_GROWTH ** (attempts - quickRetries), LONGEST_RETRY_MS);
  return Math.max(backOff * (0.5 + Math.random()), (failure.retryAfterSeconds ?? 0) * 1000);
}
