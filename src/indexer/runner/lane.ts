// A lane has a run's jobs of one kind: the jobs in progress, and a summary of the finished jobs.
import PQueue from 'p-queue';
import { FailureError } from '#model/failure.ts';
import type { JobKind } from '#model/job.ts';
import { isSqliteError } from '#sqlite/sqlite-errors.ts';
import type { Finished, JobWorker } from './job-worker.ts';

export interface WorkSummary {
  done: number;
  /** Number of failed attempts, including attempts that are retried. */
  failed: number;
  /** Number of jobs that finished without a fetch in offline mode. */
  offline: number;
  /** Number of jobs that hit a bug of this program. Their rows keep the stack. */
  bugs: number;
}

export interface Lane {
  readonly worker: JobWorker;
  readonly queue: PQueue;
  readonly inFlight: Set<number>;
  readonly summary: WorkSummary;
  /** Number of finished and remaining jobs at the last count. */
  total: number;
}

export type InLane = Finished<JobKind, unknown> & { readonly lane: Lane };

export function newLane(worker: JobWorker, concurrency: number): Lane {
  return {
    worker,
    queue: new PQueue({ concurrency: worker.concurrency ?? concurrency }),
    inFlight: new Set(),
    summary: { done: 0, failed: 0, offline: 0, bugs: 0 },
    total: 0,
  };
}

/** True for an error of the disk or the database, or an error that ends the command. Other errors are bugs. */
export function isEnvironmental(error: unknown): boolean {
  return isSqliteError(error) || error instanceof FailureError;
}
