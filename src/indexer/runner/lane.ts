// A lane is the part of a run that works on one kind of job. It has the jobs in progress, and a summary of finished
// jobs.
import PQueue from 'p-queue';
import { FailureError } from '#model/failure.ts';
import type { JobKind } from '#model/job.ts';
import { isSqliteError } from '#sqlite/sqlite-errors.ts';
import type { Finished, JobWorker } from './job-worker.ts';

export interface WorkSummary {
  done: number;
  /** The number of failed attempts, even if they are retried. */
  failed: number;
  /** The number of jobs that ended without a fetch because the run is offline. */
  offline: number;
  /** The number of jobs that hit a bug of this program. Their rows contain the stack trace. */
  bugs: number;
}

export type Lane = ReturnType<typeof newLane>;
export type InLane = Finished<JobKind, unknown> & { readonly lane: Lane };

export function newLane(worker: JobWorker, concurrency: number) {
  return {
    worker,
    queue: new PQueue({ concurrency: worker.concurrency ?? concurrency }),
    inFlight: new Set<number>(),
    summary: { done: 0, failed: 0, offline: 0, bugs: 0 } as WorkSummary,
    /** The number of finished jobs, plus the number of remaining jobs at the last count. */
    total: 0,
  };
}

/** True for an error of the disk or the database, or an error that ends the command. All other errors are bugs. */
export function isEnvironmental(error: unknown): boolean {
  return isSqliteError(error) || error instanceof FailureError;
}
