// Queries about jobs: a row is a piece of work that is not done yet, and goes when it is done.
import type { Failure } from '#model/failure.ts';
import type { Job, JobKind, JobSubjects, NewJob, TokenJobKind } from '#model/job.ts';
import type { TokenGetter } from '#model/token.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns, readInRuns } from './lists.ts';
import { readStoredJson } from './stored-json.ts';

/** Work that is queued already stays as it is; `dueNow` lets it be tried at once, however often it failed. */
export async function insertJobs(store: StoreWriter, jobs: readonly NewJob[], { dueNow = false } = {}): Promise<void> {
  for (const run of inRuns(jobs, 6)) {
    await store
      .insertInto('job')
      .values(run.map(toRow))
      .onConflict((conflict) => (dueNow ? conflict.doUpdateSet({ next_attempt_at: 0 }) : conflict.doNothing()))
      .execute();
  }
}

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

/** Jobs of a kind that may be tried now (ms since the epoch), those that wait longest first. */
export async function readDueJobs<K extends JobKind>(
  store: StoreReader,
  kind: K,
  now: number,
  limit: number,
): Promise<Job<K>[]> {
  const rows = await store
    .selectFrom('job')
    .selectAll()
    .where('kind', '=', kind)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('job_id')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const job = {
      jobId: row.job_id,
      kind,
      tokenId: row.token_id,
      contractId: row.contract_id,
      locale: row.locale,
      getters: readGetters(row.getters),
      offset: row.list_offset,
      attempts: row.attempts,
      lastFailure: row.failure_code ?? undefined,
      repeats: row.repeats,
    };
    // A row has the columns of every kind; the type, those of its own.
    return job as unknown as Job<K>;
  });
}

/** The next job of these kinds that may be tried after a time, and when; in ms since the epoch. */
export async function nextJob(
  store: StoreReader,
  kinds: readonly JobKind[],
  after: number,
): Promise<{ readonly kind: JobKind; readonly dueAt: number } | undefined> {
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

export async function deleteJobs(store: StoreWriter, jobIds: readonly number[]): Promise<void> {
  for (const run of inRuns(jobIds)) await store.deleteFrom('job').where('job_id', 'in', run).execute();
}

/** Removes the jobs of some kinds that came after a job id. */
export async function deleteJobsAfter(store: StoreWriter, jobId: number, kinds: readonly JobKind[]): Promise<void> {
  await store.deleteFrom('job').where('job_id', '>', jobId).where('kind', 'in', kinds).execute();
}

/** Removes the jobs that would read a token list from an offset on. */
export async function deletePagesFrom(store: StoreWriter, offset: number): Promise<void> {
  await store.deleteFrom('job').where('kind', '=', 'list-tokens').where('list_offset', '>=', offset).execute();
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

/** Counts an attempt that failed, and keeps why and when the next one may be, in ms since the epoch. */
export async function failJob(
  store: StoreWriter,
  jobId: number,
  failure: Failure,
  { stack, nextAttemptAt }: { readonly stack?: string | undefined; readonly nextAttemptAt: number },
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

/** Puts a job off without counting an attempt. */
export async function postponeJob(store: StoreWriter, jobId: number, nextAttemptAt: number): Promise<void> {
  await store
    .updateTable('job')
    .set({ next_attempt_at: Math.ceil(nextAttemptAt) })
    .where('job_id', '=', jobId)
    .execute();
}

/** Keeps the getters that are left of a job: its attempts begin anew. */
export async function writeGettersLeft(
  store: StoreWriter,
  jobId: number,
  getters: readonly TokenGetter[],
): Promise<void> {
  await store
    .updateTable('job')
    .set({ getters: JSON.stringify(getters), attempts: 0, repeats: 0 })
    .where('job_id', '=', jobId)
    .execute();
}

/** Lets every job of a kind be tried at once. */
export async function makeDue(store: StoreWriter, kind: JobKind): Promise<void> {
  await store.updateTable('job').set({ next_attempt_at: 0 }).where('kind', '=', kind).execute();
}

/** Work that is not done yet for a token. */
export interface PendingWork {
  readonly kind: JobKind;
  /** Of a document or an image. */
  readonly locale: string;
  /** Of `read-values`. */
  readonly getters: readonly TokenGetter[];
}

export async function readPendingWork(
  store: StoreReader,
  tokenIds: readonly number[],
): Promise<Map<number, PendingWork[]>> {
  const rows = await readInRuns(tokenIds, (run) =>
    store.selectFrom('job').select(['token_id', 'kind', 'locale', 'getters']).where('token_id', 'in', run).execute(),
  );
  const pending = new Map<number, PendingWork[]>();
  for (const { token_id: tokenId, kind, locale, getters } of rows) {
    if (tokenId === null) continue;
    const ofToken = pending.get(tokenId) ?? [];
    ofToken.push({ kind, locale, getters: readGetters(getters) });
    pending.set(tokenId, ofToken);
  }
  return pending;
}

/** Those of the tokens that have a job of a kind. */
export async function tokensWithJobs(
  store: StoreReader,
  kind: TokenJobKind,
  tokenIds: readonly number[],
): Promise<Set<number>> {
  const pending = await readPendingWork(store, tokenIds);
  return new Set([...pending].filter(([, work]) => work.some((one) => one.kind === kind)).map(([tokenId]) => tokenId));
}

export async function lastJobId(store: StoreReader): Promise<number> {
  const row = await store
    .selectFrom('job')
    .select((eb) => eb.fn.max('job_id').as('last'))
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** How many jobs of each kind there are; kinds without one are 0. */
export async function countJobs(store: StoreReader): Promise<Record<JobKind, number>> {
  const counts: { [K in keyof JobSubjects]: number } = {
    'list-tokens': 0,
    'fetch-contract': 0,
    'read-values': 0,
    'evaluate-token': 0,
    'fetch-document': 0,
    'fetch-image': 0,
  };
  const rows = await store
    .selectFrom('job')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .groupBy('kind')
    .execute();
  for (const { kind, count } of rows) counts[kind] = count;
  return counts;
}

function readGetters(getters: string | null): TokenGetter[] {
  return getters === null ? [] : readStoredJson<TokenGetter[]>(getters, 'the getters of a job');
}
