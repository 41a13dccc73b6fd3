// Queries about jobs: every piece of work that is not done yet is a row, and the row goes when it is done.
import type { Failure, FailureCode } from '#model/failure.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns } from './lists.ts';
import type { JobTable } from './schema.ts';

/** Work on a token. `evaluate-token`: read the on-chain values in the VM. `read-values`: call getters at a node. `fetch-document`, `fetch-image`: from the network. */
export const TOKEN_JOBS = ['evaluate-token', 'read-values', 'fetch-document', 'fetch-image'] as const;
/** Work on what is not known to be a token. `list-tokens`: read a page of an API's token list. `fetch-contract`: ask an API about a contract. */
export const CONTRACT_JOBS = ['list-tokens', 'fetch-contract'] as const;
export const JOB_KINDS = [...TOKEN_JOBS, ...CONTRACT_JOBS] as const;

export type TokenJobKind = (typeof TOKEN_JOBS)[number];
export type ContractJobKind = (typeof CONTRACT_JOBS)[number];
export type JobKind = TokenJobKind | ContractJobKind;

export interface Job {
  readonly jobId: number;
  readonly kind: JobKind;
  /** Empty where the token says it, or where it is about no contract. */
  readonly contractId: string;
  /** A locale of `fetch-document` and `fetch-image`, the getters of `read-values` that are left, with spaces between, an offset of `list-tokens`. */
  readonly part: string;
  /** How often it was tried. */
  readonly attempts: number;
  /** Why the last attempt failed, and how many in a row failed so. */
  readonly lastFailure: FailureCode | undefined;
  readonly repeats: number;
}

export interface TokenJob extends Job {
  readonly kind: TokenJobKind;
  readonly tokenId: number;
}

export type JobOf<K extends JobKind> = K extends TokenJobKind ? TokenJob : Job;

export interface NewJob {
  readonly kind: JobKind;
  /** Of a token job. */
  readonly tokenId?: number;
  readonly contractId?: string;
  readonly part?: string;
}

/** Work that is queued already stays as it is; `dueNow` lets it be tried at once, however often it failed. */
export async function insertJobs(store: StoreWriter, jobs: readonly NewJob[], { dueNow = false } = {}): Promise<void> {
  for (const run of inRuns(jobs, 5)) {
    const rows = run.map(({ kind, tokenId, contractId = '', part = '' }) => ({
      kind,
      token_id: tokenId ?? null,
      contract_id: contractId,
      part,
      attempts: 0,
    }));
    await store
      .insertInto('job')
      .values(rows as unknown as JobTable[])
      .onConflict((conflict) => (dueNow ? conflict.doUpdateSet({ next_attempt_at: 0 }) : conflict.doNothing()))
      .execute();
  }
}

/** Jobs of a kind after a job id, oldest first. */
export async function readJobs<K extends JobKind>(
  store: StoreReader,
  kind: K,
  afterJobId: number,
  limit: number,
): Promise<JobOf<K>[]> {
  const rows = await jobQuery(store, kind).where('job_id', '>', afterJobId).orderBy('job_id').limit(limit).execute();
  return rows.map((row) => toJob<K>(row));
}

export async function deleteJob(store: StoreWriter, jobId: number): Promise<void> {
  await deleteJobs(store, [jobId]);
}

export async function deleteJobs(store: StoreWriter, jobIds: readonly number[]): Promise<void> {
  for (const run of inRuns(jobIds)) await store.deleteFrom('job').where('job_id', 'in', run).execute();
}

/** Work that is not done yet for a token. */
export type PendingWork = Pick<TokenJob, 'kind' | 'part'>;

export async function readPendingWork(
  store: StoreReader,
  tokenIds: readonly number[],
): Promise<Map<number, PendingWork[]>> {
  const pending = new Map<number, PendingWork[]>();
  for (const run of inRuns(tokenIds)) {
    const rows = await store
      .selectFrom('job')
      .select(['token_id', 'kind', 'part'])
      .where('token_id', 'in', run)
      .execute();
    for (const { token_id: tokenId, kind, part } of rows) {
      if (tokenId === null) continue;
      const ofToken = pending.get(tokenId) ?? [];
      ofToken.push({ kind: kind as TokenJobKind, part });
      pending.set(tokenId, ofToken);
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
      repeats: eb
        .case()
        .when('failure_code', '=', failure.code)
        .then(eb('repeats', '+', 1))
        .else(1)
        .end(),
      failure_code: failure.code,
      failure_message: failure.message,
      stack: stack ?? null,
      next_attempt_at: Math.ceil(nextAttemptAt),
    }))
    .where('job_id', '=', jobId)
    .execute();
}

/** Keeps what is left of a job after a part of it was done: its attempts begin anew. */
export async function writeJobPart(store: StoreWriter, jobId: number, part: string): Promise<void> {
  await store.updateTable('job').set({ part, attempts: 0, repeats: 0 }).where('job_id', '=', jobId).execute();
}

export async function lastJobId(store: StoreReader): Promise<number> {
  const row = await store
    .selectFrom('job')
    .select((eb) => eb.fn.max('job_id').as('last'))
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** Removes the jobs of some kinds that came after a job id. */
export async function deleteJobsAfter(store: StoreWriter, jobId: number, kinds: readonly JobKind[]): Promise<void> {
  await store.deleteFrom('job').where('job_id', '>', jobId).where('kind', 'in', kinds).execute();
}

/** Removes the jobs that would read a token list from an offset on. */
export async function deletePagesFrom(store: StoreWriter, offset: number): Promise<void> {
  await store
    .deleteFrom('job')
    .where('kind', '=', 'list-tokens')
    .where((eb) => eb(eb.cast<number>('part', 'integer'), '>=', offset))
    .execute();
}

/** Removes the jobs of a kind of the given tokens. */
export async function deleteJobsOfTokens(
  store: StoreWriter,
  kind: TokenJobKind,
  tokenIds: readonly number[],
): Promise<void> {
  for (const run of inRuns(tokenIds))
    await store.deleteFrom('job').where('kind', '=', kind).where('token_id', 'in', run).execute();
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
export async function readDueJobs<K extends JobKind>(
  store: StoreReader,
  kind: K,
  now: number,
  limit: number,
): Promise<JobOf<K>[]> {
  const rows = await jobQuery(store, kind)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('job_id')
    .limit(limit)
    .execute();
  return rows.map((row) => toJob<K>(row));
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
  return Object.fromEntries(JOB_KINDS.map((kind) => [kind, counts.get(kind) ?? 0])) as Record<JobKind, number>;
}

/** Those of the tokens that have a job of a kind. */
export async function tokensWithJobs(
  store: StoreReader,
  kind: TokenJobKind,
  tokenIds: readonly number[],
): Promise<Set<number>> {
  const found = new Set<number>();
  for (const run of inRuns(tokenIds)) {
    const rows = await store
      .selectFrom('job')
      .select('token_id')
      .where('kind', '=', kind)
      .where('token_id', 'in', run)
      .execute();
    for (const row of rows) found.add(row.token_id as number);
  }
  return found;
}

export async function countJobsOf(store: StoreReader, kind: JobKind): Promise<number> {
  const { count } = await store
    .selectFrom('job')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  return count;
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

function jobQuery(store: StoreReader, kind: JobKind) {
  return store
    .selectFrom('job')
    .select(['job_id', 'kind', 'token_id', 'contract_id', 'part', 'attempts', 'failure_code', 'repeats'])
    .where('kind', '=', kind);
}

function toJob<K extends JobKind>(row: Awaited<ReturnType<ReturnType<typeof jobQuery>['execute']>>[number]): JobOf<K> {
  return {
    jobId: row.job_id,
    kind: row.kind as K,
    ...(row.token_id === null ? {} : { tokenId: row.token_id }),
    contractId: row.contract_id,
    part: row.part,
    attempts: row.attempts,
    lastFailure: row.failure_code ?? undefined,
    repeats: row.repeats,
  } as unknown as JobOf<K>;
}
