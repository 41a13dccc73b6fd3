// Works off the jobs that need the network: metadata documents of tokens and their locales.
import PQueue from 'p-queue';
import { type Failure, isFailure } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { fillTokenNumber } from '#sip-016/fill-template.ts';
import { touchContractOfDeploy } from '#store/contracts.ts';
import {
  confirmDocument,
  DEFAULT_LOCALE,
  documentsFailedWith,
  readDocuments,
  readValidators,
  type Validators,
  writeDocument,
} from '#store/documents.ts';
import { nextRevision, type Store, type StoreWriter } from '#store/index-database.ts';
import {
  countJobs,
  deleteJob,
  failJob,
  insertJobs,
  type Job,
  nextJobAt,
  postponeJob,
  readDueJobs,
} from '#store/jobs.ts';
import { readToken, type Token, writeState } from '#store/tokens.ts';
import type { UriFetcher } from '#uri/uri-fetcher.ts';
import { beginLocales, localeUri, readDocument } from './read-documents.ts';

/** How documents are fetched. */
export interface DocumentSource {
  readonly fetcher: UriFetcher;
  /** Documents that are fetched at once. */
  readonly concurrency: number;
  readonly maxDocumentBytes: number;
}

export interface FetchOptions extends DocumentSource {
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

export interface FetchSummary {
  readonly fetched: number;
  /** Attempts that failed; some of them are tried again. */
  readonly failed: number;
}

const STATUS_NOT_MODIFIED = 304;
const JOBS_PER_READ = 200;
/** A retry that is due so soon is waited for; a later one is the next run's. */
const MAX_WAIT_MS = 10_000;
const FIRST_RETRY_MS = 4_000;
const RETRY_GROWTH = 4;
/** Four seconds, then four times as long each time: the last of these comes after a day. */
const MAX_ATTEMPTS = 8;

/** Every due job is tried; each result is committed by itself, so a kill loses at most what is in flight. */
export async function fetchDocuments(store: Store, options: FetchOptions): Promise<FetchSummary> {
  await queueOfflineAgain(store);
  const queue = new PQueue({ concurrency: options.concurrency });
  const summary = { fetched: 0, failed: 0 };
  let done = 0;
  while (!options.signal.aborted) {
    const jobs = await readDueJobs(store, 'fetch-document', Date.now(), JOBS_PER_READ);
    if (jobs.length === 0) {
      const next = await nextJobAt(store, 'fetch-document');
      if (next === undefined || next - Date.now() > MAX_WAIT_MS) break;
      await sleep(next - Date.now(), options.signal);
      continue;
    }
    const left = (await countJobs(store))['fetch-document'];
    await queue.addAll(
      jobs.map((job) => async () => {
        const outcome = await fetchJob(store, job, options);
        if (outcome !== undefined) summary[outcome]++;
        options.reporter.progress({ task: 'documents', done: ++done, total: done + left, unit: 'items' });
      }),
    );
  }
  return summary;
}

/** What an offline run had settled is fetched after all. */
async function queueOfflineAgain(store: Store): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    const settled = await documentsFailedWith(transaction, 'offline');
    await insertJobs(
      transaction,
      settled.map((document) => ({ kind: 'fetch-document' as const, ...document })),
    );
  });
}

async function fetchJob(store: Store, job: Job, options: FetchOptions): Promise<'fetched' | 'failed' | undefined> {
  const token = await readToken(store, job.tokenId);
  const uri = token === undefined ? undefined : await uriOf(store, token, job.locale);
  if (token === undefined || uri === undefined) {
    await store.transaction().execute((transaction) => deleteJob(transaction, job.jobId));
    return undefined;
  }
  const headers = conditionalHeaders(await readValidators(store, job.tokenId, job.locale));
  const answer = await options.fetcher.fetch(uri, {
    maxBytes: options.maxDocumentBytes,
    signal: options.signal,
    headers,
  });
  // Interrupted: that is nobody's failure, and the job stays as it was.
  if (options.signal.aborted) return undefined;
  if (!isFailure(answer) && answer.status === STATUS_NOT_MODIFIED) {
    await store.transaction().execute(async (transaction) => {
      await confirmDocument(transaction, job.tokenId, job.locale, Date.now());
      await deleteJob(transaction, job.jobId);
      await touchContractOfDeploy(transaction, token.deployId, await nextRevision(transaction));
    });
    return 'fetched';
  }
  const result = isFailure(answer) ? answer : readDocument(answer.bytes, token);
  await store.transaction().execute((transaction) => settle(transaction, { job, token, uri, result, answer }));
  return isFailure(result) ? 'failed' : 'fetched';
}

interface Fetched {
  readonly job: Job;
  readonly token: Token;
  readonly uri: string;
  readonly answer: Awaited<ReturnType<UriFetcher['fetch']>>;
  readonly result: ReturnType<typeof readDocument>;
}

async function settle(store: StoreWriter, { job, token, uri, answer, result }: Fetched): Promise<void> {
  if (isFailure(result) && result.failure === 'host-held') {
    await postponeJob(store, job.jobId, Date.now() + (result.retryAfterSeconds ?? 0) * 1000);
    return;
  }
  const validators = isFailure(answer)
    ? {}
    : { etag: answer.etag, lastModified: answer.lastModified, fetchedAt: Date.now() };
  await writeDocument(store, { tokenId: token.tokenId, locale: job.locale, uri, result, ...validators });
  if (job.locale === DEFAULT_LOCALE) {
    const localization = isFailure(result) ? undefined : result.document.localization;
    // A later failure takes nothing away from what an earlier attempt delivered.
    if (!isFailure(result)) await writeState(store, token.tokenId, 'complete');
    else if (token.state === 'queued') await writeState(store, token.tokenId, 'partial');
    if (localization !== undefined) await beginLocales(store, token, localization);
  }
  if (isFailure(result) && result.retryable && job.attempts + 1 < MAX_ATTEMPTS) {
    await failJob(store, job.jobId, result, { nextAttemptAt: Date.now() + retryDelayMs(job.attempts, result) });
  } else {
    await deleteJob(store, job.jobId);
  }
  await touchContractOfDeploy(store, token.deployId, await nextRevision(store));
}

function conditionalHeaders(validators: Validators | undefined): Record<string, string> {
  return {
    ...(validators?.etag === undefined ? {} : { 'If-None-Match': validators.etag }),
    ...(validators?.lastModified === undefined ? {} : { 'If-Modified-Since': validators.lastModified }),
  };
}

/** Exponential, with jitter, so that a thousand documents of one host do not all come back at once. */
function retryDelayMs(attempts: number, failure: Failure): number {
  const backOff = FIRST_RETRY_MS * RETRY_GROWTH ** attempts * (0.5 + Math.random());
  return Math.max(backOff, (failure.retryAfterSeconds ?? 0) * 1000);
}

/** The URI of a token's document, or of one of its locales; undefined if it has none (any more). */
async function uriOf(store: Store, token: Token, locale: string): Promise<string | undefined> {
  if (locale === DEFAULT_LOCALE) {
    return token.values.tokenUri === undefined ? undefined : fillTokenNumber(token.values.tokenUri, token.tokenNumber);
  }
  const documents = (await readDocuments(store, [token.tokenId])).get(token.tokenId) ?? [];
  const localization = documents.find((document) => document.locale === DEFAULT_LOCALE)?.document?.localization;
  return localization === undefined ? undefined : localeUri(localization, locale, token);
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, Math.max(milliseconds, 0));
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
