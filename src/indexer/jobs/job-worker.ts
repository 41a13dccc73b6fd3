// The contract of a kind of job: how it is worked on, and how what that gives is stored.
import type { Job, JobKind } from '#model/job.ts';
import type { StoreWriter } from '#store/index-database.ts';

export interface JobWorker<K extends JobKind = JobKind, R = unknown> {
  readonly kind: K;
  /** What progress calls the work: `documents`. */
  readonly task: string;
  /** Jobs that are worked on at once. */
  readonly concurrency: number;
  /** Whether jobs are started; without it they always are. One that is closed may open later in the run. */
  isOpen?(): boolean;
  /** Queues what earlier runs left aside and this one works on after all. */
  prepare?(store: StoreWriter): Promise<void>;
  /** The slow part, outside any transaction. What it gives is dropped once the run was stopped. */
  work(job: Job<K>): Promise<R>;
  /** Stores what several jobs gave, in one transaction; returns for each, in order, what became of it. */
  settle(store: StoreWriter, finished: readonly Finished<K, R>[]): Promise<readonly Outcome[]>;
  close?(): Promise<void>;
}

export interface Finished<K extends JobKind, R> {
  readonly job: Job<K>;
  readonly result: R;
}

/** What became of a job; undefined if there was nothing to do. */
export type Outcome = 'done' | 'failed' | 'offline' | undefined;

/** Settles each result by itself. */
export function oneByOne<K extends JobKind, R>(
  settle: (store: StoreWriter, job: Job<K>, result: R) => Promise<Outcome>,
): JobWorker<K, R>['settle'] {
  return async (store, finished) => {
    const outcomes: Outcome[] = [];
    for (const { job, result } of finished) outcomes.push(await settle(store, job, result));
    return outcomes;
  };
}
