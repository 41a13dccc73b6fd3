// Ends an attempt at a job: the job is done, is retried after a delay, or has finally failed.
import { type Failure, type FailureCode, isInconclusive, wasTried } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { deleteJobs, failJob, postponeJob } from '#store/work/jobs.ts';
import type { Outcome } from './job-worker.ts';

/** Delay of the first quick retry. Busy servers and broken connections recover within seconds, so a run waits. */
const FIRST_RETRY_MS = 1_000;
const RETRY_GROWTH = 1.5;
const QUICK_RETRIES = 10;
/** Delay of the first slow retry, for failures that last longer. A later run usually makes this attempt. */
const FIRST_SLOW_RETRY_MS = 60_000;
const SLOW_RETRY_GROWTH = 4;
const LONGEST_RETRY_MS = 6 * 60 * 60 * 1000;
/** Maximum number of attempts. The last attempt is after twelve hours. */
const MAX_ATTEMPTS = 16;
/** Number of consecutive equal failures after which a possibly temporary response is final. */
const BELIEVED_AFTER = 4;
/** Failures of third-party hosts that seldom recover within seconds. */
const LASTING: ReadonlySet<FailureCode> = new Set(['host-not-found', 'timeout']);
/** Retry policy for requests to the operator's node and API. */
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

/** Deletes a job that has become unnecessary. */
export async function dropJob(store: StoreWriter, job: Job): Promise<undefined> {
  await deleteJobs(store, [job]);
}

function isBelieved(job: Job, { code }: Failure): boolean {
  return isInconclusive(code) && job.lastFailure === code && job.repeats + 1 >= BELIEVED_AFTER;
}

/** Returns an exponential delay with jitter, so that the jobs of a host do not all retry at once. */
function retryDelayMs(attempts: number, quickRetries: number, failure: Failure): number {
  const backOff =
    attempts < quickRetries
      ? FIRST_RETRY_MS * RETRY_GROWTH ** attempts
      : Math.min(FIRST_SLOW_RETRY_MS * SLOW_RETRY_GROWTH ** (attempts - quickRetries), LONGEST_RETRY_MS);
  return Math.max(backOff * (0.5 + Math.random()), (failure.retryAfterSeconds ?? 0) * 1000);
}
