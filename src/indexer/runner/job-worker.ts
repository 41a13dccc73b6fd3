// The interface of a worker for a kind of job. A worker does the work and stores the results.
import type { Job, JobKind } from '#model/job.ts';
import type { StoreWriter } from '#store/index-database.ts';

export interface JobWorker<K extends JobKind = JobKind, R = unknown> {
  readonly kind: K;
  readonly task: string;
  /** The maximum number of concurrent jobs. If undefined, the limit of concurrent requests of the run applies. */
  readonly concurrency?: number;
  /** True if jobs of this kind may start now. A closed kind may be opened later in the run. */
  isOpen?(): boolean;
  /** Queues more jobs before the run starts, such as jobs that earlier runs finished. */
  prepare?(store: StoreWriter): Promise<void>;
  /** Does the slow part of a job, outside any transaction. The runner drops the result if the run was stopped. */
  work(job: Job<K>): Promise<R>;
  /** Returns the approximate size of a result in memory. Only needed for kinds with large results. */
  bytesOf?(result: R): number;
  /** Writes the files of results to disk (sync) before the results are stored. */
  sync?(finished: readonly Finished<K, R>[]): Promise<void>;
  /** Stores the results of several jobs in one transaction. Returns the outcomes in the order of the jobs. */
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
