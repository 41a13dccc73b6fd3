// The jobs of one kind that are under way in a run, and how those ended that were.
import PQueue from 'p-queue';
import { FailureError } from '#model/failure.ts';
import type { JobKind } from '#model/job.ts';
import type { Reporter } from '#model/reporter.ts';
import { isSqliteError } from '#sqlite/sqlite-errors.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { countJobs } from '#store/work/jobs.ts';
import type { Finished, JobWorker, Outcome } from './job-worker.ts';

/** How the jobs of a kind ended. */
export interface WorkSummary {
  done: number;
  /** Attempts that failed; some of them are tried again. */
  failed: number;
  /** Settled as not to be fetched. */
  offline: number;
  /** Jobs that hit a bug of this program; their rows keep the stack. */
  bugs: number;
}

/** The jobs of one kind that are under way. */
export interface Lane {
  readonly worker: JobWorker;
  readonly queue: PQueue;
  /** Read, and not settled yet. */
  readonly inFlight: Set<number>;
  readonly summary: WorkSummary;
  /** Jobs done or left at the last count. */
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

/** Stores what jobs of some lanes came to, in one transaction. Returns the outcomes, by lane. */
export async function settleLanes(store: Store, group: readonly InLane[]): Promise<Map<Lane, readonly Outcome[]>> {
  const ofLanes = Map.groupBy(group, ({ lane }) => lane);
  for (const [{ worker }, finished] of ofLanes) await worker.sync?.(finished);
  const outcomes = new Map<Lane, readonly Outcome[]>();
  await store.transaction().execute(async (transaction: StoreWriter) => {
    for (const [lane, finished] of ofLanes) outcomes.set(lane, await lane.worker.settle(transaction, finished));
  });
  return outcomes;
}

const COUNT_EVERY_MS = 1_000;

/** Says how far lanes are, against the jobs that were left when they were last counted. */
export class LaneProgress {
  readonly #store: Store;
  readonly #reporter: Reporter;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(store: Store, reporter: Reporter) {
    this.#store = store;
    this.#reporter = reporter;
  }

  async report(all: readonly Lane[], changed: ReadonlySet<Lane>): Promise<void> {
    if (performance.now() - this.#countedAt > COUNT_EVERY_MS) {
      this.#countedAt = performance.now();
      const left = await countJobs(this.#store);
      for (const lane of all) lane.total = lane.summary.done + left[lane.worker.kind];
    }
    for (const { worker, summary, total } of changed) {
      const { done } = summary;
      this.#reporter.progress({ task: worker.task, done, total: Math.max(done, total), unit: 'items' });
    }
  }
}

/** Whether an error comes from the disk or the database, or ends the command, rather than from a bug in a job. */
export function isEnvironmental(error: unknown): boolean {
  return isSqliteError(error) || error instanceof FailureError;
}
