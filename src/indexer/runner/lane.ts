// A run's jobs of one kind: those in progress, and a summary of those that ended.
import PQueue from 'p-queue';
import { FailureError } from '#model/failure.ts';
import type { JobKind } from '#model/job.ts';
import { isSqliteError } from '#sqlite/sqlite-errors.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import type { Finished, JobWorker, Outcome } from './job-worker.ts';

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
  /** Ids of jobs that were read and are not finished. */
  readonly inFlight: Set<number>;
  readonly summary: WorkSummary;
  /** Jobs done or remaining at the last count. */
  total: number;
}

export type InLane = Finished<JobKind, unknown> & { readonly lane: Lane };

export function newLane(worker: JobWorker): Lane {
  return {
    worker,
    queue: new PQueue({ concurrency: worker.concurrency }),
    inFlight: new Set(),
    summary: { done: 0, failed: 0, offline: 0, bugs: 0 },
    total: 0,
  };
}

/** Stores results of some lanes in one transaction. Returns the outcomes by lane. */
export async function settleLanes(store: Store, group: readonly InLane[]): Promise<Map<Lane, readonly Outcome[]>> {
  const ofLanes = Map.groupBy(group, ({ lane }) => lane);
  for (const [{ worker }, finished] of ofLanes) await worker.sync?.(finished);
  const outcomes = new Map<Lane, readonly Outcome[]>();
  await store.transaction().execute(async (transaction: StoreWriter) => {
    for (const [lane, finished] of ofLanes) outcomes.set(lane, await lane.worker.settle(transaction, finished));
  });
  return outcomes;
}

/** True if an error comes from the disk or the database, or ends the command, instead of being a bug in a job. */
export function isEnvironmental(error: unknown): boolean {
  return isSqliteError(error) || error instanceof FailureError;
}
