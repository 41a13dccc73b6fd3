// Ends an attempt at a job: deletes the job if it is done or has finally failed, or schedules a retry.
import { type Failure, type FailureCode, isInconclusive, wasTried } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { deleteJobs, failJob, postponeJob } from '#store/work/jobs.ts';
import type { Outcome } from './job-worker.ts';

/** The delay of the first quick retry. A run waits for quick retries, because many servers recover within seconds. */
const FIRST_RETRY_MS = 1_000;
const RETRY_GROWTH = 1.5;
const QUICK_RETRIES = 10;
/** The delay of the first slow retry, for failures that last longer. Often, a later run makes this retry. */
const FIRST_SLOW_RETRY_MS = 60_000;
const SLOW_RETRY_GROWTH = 4;
const LONGEST_RETRY_MS = 6 * 60 * 60 * 1000;
/** The maximum number of attempts. The last one comes about twelve hours after the first. */
const MAX_ATTEMPTS = 16;
/** The number of consecutive attempts with the same failure that makes a possibly temporary failure final. */
const FINAL_AFTER = 4;
/** The failures of third-party hosts that seldom end within seconds, so that quick retries are useless. */
const LASTING: ReadonlySet<FailureCode> = new Set(['host-not-found', 'timeout']);
/** Options for requests to the operator's node and API, which are retried without a limit. */
export const FOR_EVER = {
  maxAttempts: Number.POSITIVE_INFINITY,
  lasting: new Set<FailureCode>(['host-not-found']),
  finalAfter: Number.POSITIVE_INFINITY,
};

export async function endAttempt(
  store: StoreWriter,
  job: Job,
  failure: Failure | undefined,
  { maxAttempts = MAX_ATTEMPTS, lasting = LASTING, finalAfter = FINAL_AFTER } = {},
): Promise<Outcome> {
  if (failure !== undefined && !wasTried(failure)) {
    await postponeJob(store, job, Date.now() + (failure.retryAfterSeconds ?? 0) * 1000);
  } else if (failure?.retryable && job.attempts + 1 < maxAttempts && !isRepeated(job, failure, finalAfter)) {
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

function isRepeated(job: Job, { code }: Failure, times: number): boolean {
  return isInconclusive(code) && job.lastFailure === code && job.repeats + 1 >= times;
}

/** Returns a delay that grows exponentially. Adds jitter, so that the jobs of a host do not retry simultaneously. */
function retryDelayMs(attempts: number, quickRetries: number, failure: Failure): number {
  const backOff =
    attempts < quickRetries
      ? FIRST_RETRY_MS * RETRY_GROWTH ** attempts
      : Math.min(FIRST_SLOW_RETRY_MS * SLOW_RETRY_GROWTH ** (attempts - quickRetries), LONGEST_RETRY_MS);
  return Math.max(backOff * (0.5 + Math.random()), (failure.retryAfterSeconds ?? 0) * 1000);
}
