// Queries about jobs. A row is pending work and is deleted when the work is done.

import { type Expression, sql, type UpdateObject } from 'kysely';
import type { Failure, FailureCode, Reason } from '#model/failure.ts';
import type { ClaimedJob, Job, JobKind, NewJob } from '#model/job.ts';
import type { TokenGetter } from '#model/token.ts';
import { countBy } from '#sqlite/aggregates.ts';
import { excluded, readStoredJson } from '#sqlite/columns.ts';
import { groupByToken, insertRows, listed, rowsWith } from '#sqlite/lists.ts';
import { failureColumns } from '#sqlite/tables.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Adds jobs. Raises the generation of a job that is queued already, so that an attempt in progress does not delete the
 * job. `dueNow` makes the queued job due now.
 */
export async function insertJobs(store: StoreWriter, jobs: readonly NewJob[], { dueNow = false } = {}): Promise<void> {
  await insertRows(store, 'job', jobs.map(toRow), (conflict) =>
    conflict.doUpdateSet({ ...QUEUED_AGAIN, ...excluded('getters'), ...(dueNow ? { next_attempt_at: 0 } : {}) }),
  );
}

const QUEUED_AGAIN = { generation: sql<number>`job.generation + 1` };

function toRow(job: NewJob) {
  return {
    kind: job.kind,
    token_id: 'tokenId' in job ? job.tokenId : null,
    contract_id: 'contractId' in job ? job.contractId : '',
    locale: 'locale' in job ? job.locale : '',
    getters: 'getters' in job ? JSON.stringify(job.getters) : null,
    list_offset: 'offset' in job ? job.offset : 0,
  };
}

/** Queues fetches of documents or of their images, like {@link insertJobs}. */
export async function queueFetches(
  store: StoreWriter,
  kind: 'fetch-document' | 'fetch-image',
  documents: Expression<Pick<Schema['document'], 'token_id' | 'locale'>>,
  { dueNow = false } = {},
): Promise<void> {
  await sql`insert into job (kind, token_id, locale) select ${kind}, token_id, locale from ${documents} where true
    on conflict do update set generation = generation + 1${dueNow ? sql`, next_attempt_at = 0` : sql``}`.execute(store);
}

/** A time longer than any delay of a retry. A job that is due even later was stored while the clock was ahead. */
const LONGEST_WAIT_MS = 48 * 60 * 60 * 1000;

/** Reads jobs of a kind that are due at `now` (ms since the epoch), in the order in which they became due. */
export async function readDueJobs<K extends JobKind>(store: StoreReader, kind: K, now: number, limit: number) {
  const due = store
    .selectFrom('job')
    .select(['job_id as jobId', 'generation', 'kind', 'token_id as tokenId', 'contract_id as contractId', 'locale'])
    .select(['getters', 'list_offset as offset', 'attempts', 'failure_code', 'repeats'])
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('next_attempt_at', '<=', now), eb('next_attempt_at', '>', now + LONGEST_WAIT_MS)]));
  const rows = await due.orderBy('next_attempt_at').orderBy('job_id').limit(limit).execute();
  // A row has the columns of all kinds of jobs, but the type of a job only has the fields of its kind.
  return rows.map(({ getters, failure_code, ...job }) => {
    return { ...job, getters: readGetters(getters), lastFailure: failure_code ?? undefined } as unknown as Job<K>;
  });
}

/** Reads the job of these kinds that is the first to become due after a time, in ms since the epoch. */
export async function nextJob(store: StoreReader, kinds: readonly JobKind[], after: number) {
  if (kinds.length === 0) return undefined;
  return store
    .selectFrom('job')
    .select(['kind', 'next_attempt_at as dueAt'])
    .where('kind', 'in', kinds)
    .where('next_attempt_at', '>', after)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
}

/** Deletes jobs unless they were queued again in the meantime. */
export async function deleteJobs(store: StoreWriter, jobs: readonly ClaimedJob[]): Promise<void> {
  const claimed = JSON.stringify(jobs.map(({ jobId, generation }) => [jobId, generation]));
  await sql`delete from job where (job_id, generation) in
    (select value ->> 0, value ->> 1 from json_each(${claimed}))`.execute(store);
}

export async function deleteJobsAfter(store: StoreWriter, jobId: number, kinds: readonly JobKind[]): Promise<void> {
  await store.deleteFrom('job').where('job_id', '>', jobId).where('kind', 'in', kinds).execute();
}

export async function deleteJobsOf(store: StoreWriter, kind: JobKind, tokenIds: readonly number[]): Promise<void> {
  await store.deleteFrom('job').where('kind', '=', kind).where('token_id', 'in', listed(tokenIds)).execute();
}

/** Counts a failed attempt. Stores its reason, and the time of the next attempt, in ms since the epoch. */
export async function failJob(
  store: StoreWriter,
  job: ClaimedJob,
  failure: Failure,
  { stack, nextAttemptAt }: { readonly stack?: string | undefined; readonly nextAttemptAt: number },
): Promise<void> {
  await update(store, job, {
    attempts: sql<number>`attempts + 1`,
    repeats: sql<number>`iif(failure_code = ${failure.code}, repeats + 1, 1)`,
    ...failureColumns(failure),
    stack: stack ?? null,
    next_attempt_at: Math.ceil(nextAttemptAt),
  });
}

/** Updates a job unless it was queued again in the meantime. */
async function update(store: StoreWriter, { jobId, generation }: ClaimedJob, row: UpdateObject<Schema, 'job'>) {
  const claimed = store.updateTable('job').where('job_id', '=', jobId).where('generation', '=', generation);
  await claimed.set(row).execute();
}

/** Postpones a job without counting an attempt. */
export function postponeJob(store: StoreWriter, job: ClaimedJob, nextAttemptAt: number): Promise<void> {
  return update(store, job, { next_attempt_at: Math.ceil(nextAttemptAt) });
}

/** Stores the getters that a job must still call, and resets the job's attempts. */
export function writeGettersLeft(store: StoreWriter, job: ClaimedJob, getters: readonly TokenGetter[]): Promise<void> {
  return update(store, job, { getters: JSON.stringify(getters), attempts: 0, repeats: 0 });
}

/** Returns the last failure of some job for each code of a failure, of jobs of these kinds. */
export async function readLastFailures(store: StoreReader, kinds: readonly JobKind[]): Promise<Reason[]> {
  const jobs = store.selectFrom('job').where('kind', 'in', kinds).where('failure_code', 'is not', null);
  const failures = jobs.select(['failure_code', ({ fn }) => fn.max('failure_message').as('message')]);
  const rows = await failures.groupBy('failure_code').execute();
  return rows.map(({ failure_code: code, message }) => ({ code: code as FailureCode, message: message ?? '' }));
}

export async function makeDue(store: StoreWriter, kind: JobKind): Promise<void> {
  await store.updateTable('job').set({ next_attempt_at: 0 }).where('kind', '=', kind).execute();
}

export interface PendingWork {
  readonly kind: JobKind;
  readonly locale: string;
  readonly getters: readonly TokenGetter[];
}

export async function readPendingWork(store: StoreReader, tokenIds: readonly number[]) {
  const rows = await rowsWith(store, 'job', 'token_id', tokenIds);
  return groupByToken(rows, ({ kind, locale, getters }) => ({ kind, locale, getters: readGetters(getters) }));
}

export async function tokensWithValueJobs(store: StoreReader, tokenIds: readonly number[]) {
  const jobs = store.selectFrom('job').select('token_id').where('kind', '=', 'read-values');
  const rows = await jobs.where('token_id', 'in', listed(tokenIds)).execute();
  return new Set(rows.map((row) => row.token_id as number));
}

export async function countJobs(store: StoreReader): Promise<Record<JobKind, number>> {
  const none: Record<JobKind, number> = {
    'list-tokens': 0,
    'fetch-contract': 0,
    'compute-interface': 0,
    'list-numbers': 0,
    'read-values': 0,
    'evaluate-token': 0,
    'fetch-document': 0,
    'fetch-image': 0,
  };
  return { ...none, ...(await countBy(store.selectFrom('job'), 'kind')) };
}

function readGetters(getters: string | null): TokenGetter[] {
  return getters === null ? [] : readStoredJson<TokenGetter[]>(getters, 'the getters of a job');
}
