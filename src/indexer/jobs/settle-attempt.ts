// Ends an attempt at a job: it is done, is tried again after a while, or has failed for good.
import { type Failure, isDoubtful } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { deleteJobs, failJob, postponeJob } from '#store/jobs.ts';

/** A busy server or a lost connection recovers within seconds: a run waits for that. */
const FIRST_RETRY_MS = 1_000;
const RETRY_GROWTH = 1.5;
const QUICK_RETRIES = 10;
/** What lasts longer, or seldom recovers in seconds, such as an unknown host, is left to a later run. */
const FIRST_SLOW_RETRY_MS = 60_000;
const SLOW_RETRY_GROWTH = 4;
const LONGEST_RETRY_MS = 6 * 60 * 60 * 1000;
/** The last attempt comes after twelve hours. */
const MAX_ATTEMPTS = 16;
/** A doubtful answer that repeats this often in a row, seconds apart, is taken as final. */
const BELIEVED_AFTER = 4;
/** For work that an operator asked for. */
export const FOR_EVER = { maxAttempts: Number.POSITIVE_INFINITY };

export async function settleAttempt(
  store: StoreWriter,
  job: Job,
  failure: Failure | undefined,
  { maxAttempts = MAX_ATTEMPTS } = {},
): Promise<void> {
  if (failure?.code === 'host-held' || failure?.code === 'source-down') {
    await postponeJob(store, job.jobId, Date.now() + (failure.retryAfterSeconds ?? 0) * 1000);
  } else if (failure?.retryable && job.attempts + 1 < maxAttempts && !isBelieved(job, failure)) {
    await failJob(store, job.jobId, failure, { nextAttemptAt: Date.now() + retryDelayMs(job.attempts, failure) });
  } else {
    await deleteJobs(store, [job.jobId]);
  }
}

function isBelieved(job: Job, { code }: Failure): boolean {
  return isDoubtful(code) && job.lastFailure === code && job.repeats + 1 >= BELIEVED_AFTER;
}

/** Exponential, with jitter, so that a thousand jobs of one host do not all retry at once. */
function retryDelayMs(attempts: number, failure: Failure): number {
  const quickLeft = failure.code === 'host-not-found' ? 0 : QUICK_RETRIES;
  const backOff =
    attempts < quickLeft
      ? FIRST_RETRY_MS * RETRY_GROWTH ** attempts
      : Math.min(FIRST_SLOW_RETRY_MS * SLOW_RETRY_GROWTH ** (attempts - quickLeft), LONGEST_RETRY_MS);
  return Math.max(backOff * (0.5 + Math.random()), (failure.retryAfterSeconds ?? 0) * 1000);
}
