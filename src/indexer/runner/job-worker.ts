// The interface of a kind of job: how it is worked on, and how its result is stored.
import type { Job, JobKind } from '#model/job.ts';
import type { StoreWriter } from '#store/index-database.ts';

export interface JobWorker<K extends JobKind = JobKind, R = unknown> {
  readonly kind: K;
  readonly task: string;
  /** Jobs worked on at once, if not as many as the run sends requests. */
  readonly concurrency?: number;
  /** True if jobs may start now; a closed kind may open later in the run. */
  isOpen?(): boolean;
  /** Queues jobs that earlier runs finished and this run tries again. */
  prepare?(store: StoreWriter): Promise<void>;
  /** The slow part, outside any transaction. Its result is dropped if the run has been stopped. */
  work(job: Job<K>): Promise<R>;
  /** Approximate memory that a result holds, if it may be large. */
  bytesOf?(result: R): number;
  /** Waits until files named by the results are on disk, before the results are stored. */
  sync?(finished: readonly Finished<K, R>[]): Promise<void>;
  /** Stores the results of several jobs in one transaction; returns their outcomes in order. */
  save(store: StoreWriter, finished: readonly Finished<K, R>[]): Promise<readonly Outcome[]>;
  close?(): Promise<void>;
}

export interface Finished<K extends JobKind, R> {
  readonly job: Job<K>;
  readonly result: R;
}

/** Undefined if there was nothing to do. */
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
