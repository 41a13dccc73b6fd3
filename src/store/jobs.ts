// Queries about jobs: every piece of work that is not done yet is a row, and the row goes when it is done.
import type { Failure } from '#model/failure.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns } from './lists.ts';
import type { JobTable } from './schema.ts';

/** `evaluate-token`: read the on-chain values in the VM. `fetch-document`: fetch a metadata document from the network. `fetch-image`: copy the image that a document names. */
export type JobKind = 'evaluate-token' | 'fetch-document' | 'fetch-image';

export interface Job {
  readonly jobId: number;
  readonly kind: JobKind;
  readonly tokenId: number;
  readonly locale: string;
  /** How often it was tried. */
  readonly attempts: number;
}

export interface NewJob {
  readonly kind: JobKind;
  readonly tokenId: number;
  readonly locale?: string;
}

export async function insertJobs(store: StoreWriter, jobs: readonly NewJob[]): Promise<void> {
  for (const run of inRuns(jobs, 4)) {
    const rows = run.map((job) => ({ kind: job.kind, token_id: job.tokenId, locale: job.locale ?? '', attempts: 0 }));
    await store
      .insertInto('job')
      .values(rows as unknown as JobTable[])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Jobs of a kind after a job id, oldest first. */
export async function readJobs(store: StoreReader, kind: JobKind, afterJobId: number, limit: number): Promise<Job[]> {
  const rows = await store
    .selectFrom('job')
    .select(['job_id', 'kind', 'token_id', 'locale', 'attempts'])
    .where('kind', '=', kind)
    .where('job_id', '>', afterJobId)
    .orderBy('job_id')
    .limit(limit)
    .execute();
  return rows.map(toJob);
}

export async function deleteJob(store: StoreWriter, jobId: number): Promise<void> {
  await store.deleteFrom('job').where('job_id', '=', jobId).execute();
}

/** Work that is not done yet for a token. */
export interface PendingWork {
  readonly kind: JobKind;
  readonly locale: string;
}

export async function readPendingWork(
  store: StoreReader,
  tokenIds: readonly number[],
): Promise<Map<number, PendingWork[]>> {
  const pending = new Map<number, PendingWork[]>();
  for (const run of inRuns(tokenIds)) {
    const rows = await store
      .selectFrom('job')
      .select(['token_id', 'kind', 'locale'])
      .where('token_id', 'in', run)
      .execute();
    for (const row of rows) {
      const ofToken = pending.get(row.token_id) ?? [];
      ofToken.push({ kind: row.kind as JobKind, locale: row.locale });
      pending.set(row.token_id, ofToken);
    }
  }
  return pending;
}

/** Counts an attempt that failed, and keeps why and when the next one may be, in ms since the epoch. */
export async function failJob(
  store: StoreWriter,
  jobId: number,
  failure: Failure,
  { stack, nextAttemptAt = 0 }: { readonly stack?: string | undefined; readonly nextAttemptAt?: number } = {},
): Promise<void> {
  await store
    .updateTable('job')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      failure_code: failure.failure,
      failure_message: failure.message,
      stack: stack ?? null,
      next_attempt_at: Math.ceil(nextAttemptAt),
    }))
    .where('job_id', '=', jobId)
    .execute();
}

/** Puts a job off without counting an attempt. */
export async function postponeJob(store: StoreWriter, jobId: number, nextAttemptAt: number): Promise<void> {
  await store
    .updateTable('job')
    .set({ next_attempt_at: Math.ceil(nextAttemptAt) })
    .where('job_id', '=', jobId)
    .execute();
}

/** Lets every job of a kind be tried at once. */
export async function makeDue(store: StoreWriter, kind: JobKind): Promise<void> {
  await store.updateTable('job').set({ next_attempt_at: 0 }).where('kind', '=', kind).execute();
}

/** Jobs of a kind that may be tried now (ms since the epoch), those that wait longest first. */
export async function readDueJobs(store: StoreReader, kind: JobKind, now: number, limit: number): Promise<Job[]> {
  const rows = await store
    .selectFrom('job')
    .select(['job_id', 'kind', 'token_id', 'locale', 'attempts'])
    .where('kind', '=', kind)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('job_id')
    .limit(limit)
    .execute();
  return rows.map(toJob);
}

/** When the next job of a kind may be tried, in ms since the epoch; undefined if there is none. */
export async function nextJobAt(store: StoreReader, kind: JobKind): Promise<number | undefined> {
  const row = await store
    .selectFrom('job')
    .select('next_attempt_at')
    .where('kind', '=', kind)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_attempt_at;
}

export async function countJobs(store: StoreReader): Promise<Record<JobKind, number>> {
  const rows = await store
    .selectFrom('job')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .groupBy('kind')
    .execute();
  const counts = new Map(rows.map((row) => [row.kind, row.count]));
  const of = (kind: JobKind) => counts.get(kind) ?? 0;
  return {
    'evaluate-token': of('evaluate-token'),
    'fetch-document': of('fetch-document'),
    'fetch-image': of('fetch-image'),
  };
}

/** Jobs whose last attempt failed, counted by code. */
export async function countJobFailures(store: StoreReader): Promise<Record<string, number>> {
  const rows = await store
    .selectFrom('job')
    .select((eb) => ['failure_code', eb.fn.countAll<number>().as('count')])
    .where('failure_code', 'is not', null)
    .groupBy('failure_code')
    .orderBy('failure_code')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.failure_code as string, row.count]));
}

function toJob(row: Pick<JobTable, 'job_id' | 'kind' | 'token_id' | 'locale' | 'attempts'>): Job {
  return {
    jobId: row.job_id,
    kind: row.kind as JobKind,
    tokenId: row.token_id,
    locale: row.locale,
    attempts: row.attempts,
  };
}
