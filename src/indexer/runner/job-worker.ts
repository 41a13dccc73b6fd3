// The interface of a worker for a kind of job. A worker does the work and stores the results.
import type { Job, JobKind } from '#model/job.ts';
import type { StoreWriter } from '#store/index-database.ts';

export interface JobWorker<K extends JobKind = JobKind, R = unknown> {
  readonly kind: K;
  readonly task: string;
  /** Maximum number of concurrent jobs; undefined for the run's number of concurrent requests. */
  readonly concurrency?: number;
  /** True if jobs may start now. A closed kind may open later in the run. */
  isOpen?(): boolean;
  /** Queues jobs again that earlier runs finished. */
  prepare?(store: StoreWriter): Promise<void>;
  /** Does the slow part of a job, outside any transaction. The result is dropped if the run was stopped. */
  work(job: Job<K>): Promise<R>;
  /** Returns the approximate memory of a result, for kinds with large results. */
  bytesOf?(result: R): number;
  /** Syncs the files of results to disk before the results are stored. */
  sync?(finished: readonly Finished<K, R>[]): Promise<void>;
  /** Stores the results of several jobs in one transaction. Returns their outcomes in order. */
  save(store: StoreWriter, finished: readonly Finished<K, R>[]): Promise<readonly Outcome[]>;
  close?(): Promise<void>;
}

export interface Finished<K extends JobKind, R> {
  readonly job: Job<K>;
  readonly result: R;
}

/** The outcome of a job; undefined if there was nothing to do. */
export type Outcome = 'done' | 'failed' | 'offline' | undefined;

export function oneByOne<K extends JobKind, R>(
  save: (store: StoreWriter, job: Job<K>, result: R) => Promise<Outcome>,
): JobWorker<K, R>['save'] {
  return async (store, finished) => {
    const outcomes: Outcome[] = [];
    for (const { job, result } of finished) outcomes.push(await save(store, job, result));
    return outcomes;
  };
}
