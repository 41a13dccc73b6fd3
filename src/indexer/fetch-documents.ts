// Works off the jobs that need the network: metadata documents of tokens and their locales.
import { isFailure } from '#model/failure.ts';
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
} from '#store/documents.ts';
import { nextRevision, type Store, type StoreWriter } from '#store/index-database.ts';
import { deleteJob, insertJobs, type Job } from '#store/jobs.ts';
import { readToken, type Token, writeState } from '#store/tokens.ts';
import type { UriFetcher } from '#uri/uri-fetcher.ts';
import { beginLocales, localeUri, readDocument } from './read-documents.ts';
import { storeDocument } from './store-document.ts';
import { type Outcome, settleAttempt, type WorkSummary, workOffJobs } from './work-off-jobs.ts';

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

const STATUS_NOT_MODIFIED = 304;

/** Every due job is tried. */
export async function fetchDocuments(store: Store, options: FetchOptions): Promise<WorkSummary> {
  await queueOfflineAgain(store);
  return workOffJobs(store, { ...options, kind: 'fetch-document', task: 'documents' }, (job) =>
    fetchJob(store, job, options),
  );
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

async function fetchJob(store: Store, job: Job, options: FetchOptions): Promise<Outcome> {
  const token = await readToken(store, job.tokenId);
  const uri = token === undefined ? undefined : await uriOf(store, token, job.locale);
  if (token === undefined || uri === undefined) {
    await store.transaction().execute((transaction) => deleteJob(transaction, job.jobId));
    return undefined;
  }
  const headers = conditionalHeaders(await readValidators(store, job.tokenId, job.locale, uri));
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
      // Its image may have failed where the document did not.
      await insertJobs(transaction, [{ kind: 'fetch-image', tokenId: job.tokenId, locale: job.locale }]);
      await deleteJob(transaction, job.jobId);
      await touchContractOfDeploy(transaction, token.deployId, await nextRevision(transaction));
    });
    return 'done';
  }
  const result = isFailure(answer) ? answer : readDocument(answer.bytes, token);
  await store.transaction().execute((transaction) => settle(transaction, { job, token, uri, result, answer }));
  return isFailure(result) ? 'failed' : 'done';
}

interface Fetched {
  readonly job: Job;
  readonly token: Token;
  readonly uri: string;
  readonly answer: Awaited<ReturnType<UriFetcher['fetch']>>;
  readonly result: ReturnType<typeof readDocument>;
}

async function settle(store: StoreWriter, { job, token, uri, answer, result }: Fetched): Promise<void> {
  const failure = isFailure(result) ? result : undefined;
  await settleAttempt(store, job, failure);
  // Nothing was asked, so nothing is known.
  if (failure?.failure === 'host-held') return;
  const validators = isFailure(answer) ? {} : { etag: answer.etag, lastModified: answer.lastModified };
  await storeDocument(store, {
    tokenId: token.tokenId,
    locale: job.locale,
    uri,
    result,
    ...validators,
    fetchedAt: Date.now(),
  });
  if (job.locale === DEFAULT_LOCALE) {
    const localization = isFailure(result) ? undefined : result.document.localization;
    // A later failure takes nothing away from what an earlier attempt delivered.
    if (!isFailure(result)) await writeState(store, token.tokenId, 'complete');
    else if (token.state === 'queued') await writeState(store, token.tokenId, 'partial');
    if (localization !== undefined) await beginLocales(store, token, localization);
  }
  await touchContractOfDeploy(store, token.deployId, await nextRevision(store));
}

function conditionalHeaders(validators: Validators | undefined): Record<string, string> {
  return {
    ...(validators?.etag === undefined ? {} : { 'If-None-Match': validators.etag }),
    ...(validators?.lastModified === undefined ? {} : { 'If-Modified-Since': validators.lastModified }),
  };
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
