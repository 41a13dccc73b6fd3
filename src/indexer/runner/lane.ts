// A run's jobs of one kind: those in progress, and a summary of those that ended.
import PQueue from 'p-queue';
import { FailureError } from '#model/failure.ts';
import type { JobKind } from '#model/job.ts';
import { isSqliteError } from '#sqlite/sqlite-errors.ts';
import type { Finished, JobWorker } from './job-worker.ts';

export interface WorkSummary {
  done: number;
  /** Failed attempts; some of them are tried again. */
  failed: number;
  /** Finished without a fetch because of offline mode. */
  offline: number;
  /** Jobs that hit a bug of this program; their rows keep the stack. */
  bugs: number;
}

export interface Lane {
  readonly worker: JobWorker;
  readonly queue: PQueue;
  readonly inFlight: Set<number>;
  readonly summary: WorkSummary;
  /** Jobs done or remaining at the last count. */
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

/** True if an error comes from the disk or the database, or ends the command, instead of being a bug in a job. */
export function isEnvironmental(error: unknown): boolean {
  return isSqliteError(error) || error instanceof FailureError;
}
