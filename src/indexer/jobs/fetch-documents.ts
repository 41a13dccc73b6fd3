// Jobs that fetch metadata documents, in the default locale and in other locales.

import { isFailure, wasTried } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import { DEFAULT_LOCALE } from '#model/locale.ts';
import { type NftMode, NO_NUMBER } from '#model/token.ts';
import { bytesPerLocale, servableLocales } from '#sip-016/normalize-document.ts';
import { parseDocument } from '#sip-016/parse-document.ts';
import type { StoreReader, StoreWriter } from '#store/index-database.ts';
import {
  confirmDocument,
  deleteDocumentsExcept,
  type NewDocument,
  readLocalization,
  readOrigins,
  readValidators,
} from '#store/tokens/documents.ts';
import { documentsFailedWith } from '#store/tokens/due-documents.ts';
import { readToken, type Token, writeState } from '#store/tokens/tokens.ts';
import { insertJobs, makeDue, queueFetches } from '#store/work/jobs.ts';
import {
  beginLocales,
  documentUri,
  fetchedLocaleUri,
  readDocument,
  storeDocuments,
} from '../documents/read-documents.ts';
import type { DocumentSource, IndexOptions } from '../index-options.ts';
import { dropJob, endAttempt } from '../runner/end-attempt.ts';
import { type JobWorker, type Outcome, oneByOne } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';
import { reuseDocument } from './reuse.ts';

export function fetchDocuments(context: JobContext): JobWorker<'fetch-document', Fetched> | undefined {
  const { options } = context;
  const { documents } = options;
  if (documents === undefined) return undefined;
  return {
    kind: 'fetch-document',
    task: 'documents',
    prepare: (transaction) =>
      documents.fetcher.isOffline
        ? makeDue(transaction, 'fetch-document')
        : queueFetches(transaction, 'fetch-document', documentsFailedWith(transaction, 'offline')),
    work: (job) => fetchOne(context, job, documents),
    bytesOf: (fetched) =>
      fetched?.response === undefined || isFailure(fetched.response) ? 0 : fetched.response.bytes.length,
    save: oneByOne((store, job, fetched) => save(store, job, fetched, options)),
  };
}

type Fetched = Awaited<ReturnType<typeof fetchOne>>;

/** Fetches the document of a job. Returns undefined if the token does not have such a document. */
async function fetchOne(
  { store, options, signal }: JobContext,
  job: Job<'fetch-document'>,
  { fetcher, maxDocumentBytes }: DocumentSource,
) {
  const expected = await findExpected(store, job);
  if (expected === undefined) return undefined;
  const { uri, maxBytes = maxDocumentBytes } = expected;
  const reused = await reuseDocument(store, options.oldIndex, job, uri);
  if (reused !== undefined) return { uri, reused, response: undefined };
  const known = await readValidators(store, job, uri);
  const limits = { maxBytes: Math.min(maxBytes, maxDocumentBytes), signal, known };
  return { uri, reused, response: await fetcher.fetch(uri, { ...limits, read: parseDocument }) };
}

async function save(
  store: StoreWriter,
  job: Job<'fetch-document'>,
  fetched: Fetched,
  { nft, oldIndex }: IndexOptions,
): Promise<Outcome> {
  if (fetched === undefined) return dropJob(store, job);
  const { uri, reused, response } = fetched;
  // The token may have a new URI by now. Then the job stays queued to fetch the document from that URI.
  const expected = await findExpected(store, job);
  if (expected?.uri !== uri) return undefined;
  const { token } = expected;
  if (reused !== undefined) {
    const { document, warnings, failure, ...validators } = reused;
    if (oldIndex !== undefined) oldIndex.reused.documents++;
    if (document !== undefined)
      await storeResult(store, job, token, { uri, result: { document, warnings }, ...validators }, nft);
    if (failure !== undefined)
      await storeResult(store, job, token, { uri, result: failure, fetchedAt: reused.fetchedAt }, nft);
    await endAttempt(store, job, failure);
    return undefined;
  }
  const parsed = isFailure(response) ? response : response.content;
  if (parsed === undefined) {
    await confirmDocument(store, job, Date.now());
    // The document is unchanged, but copying its image may have failed.
    if (nft === 'images' || token.tokenNumber === NO_NUMBER)
      await insertJobs(store, [{ kind: 'fetch-image', tokenId: job.tokenId, locale: job.locale }]);
    return endAttempt(store, job, undefined);
  }
  const result = isFailure(parsed) ? parsed : readDocument(parsed, token, expected.maxBytes);
  const failure = isFailure(result) ? result : undefined;
  const outcome = await endAttempt(store, job, failure);
  // Nothing is stored if no request was made, because the state of the document is then unknown.
  if (failure !== undefined && !wasTried(failure)) return outcome;
  const fetchedAt = failure?.code === 'offline' ? {} : { fetchedAt: Date.now() };
  const validators = isFailure(response) ? {} : { etag: response.etag, lastModified: response.lastModified };
  await storeResult(store, job, token, { uri, result, ...validators, ...fetchedAt }, nft);
  return outcome;
}

/** Stores a document or a failure. For a default document, sets the token's state and queues documents of locales. */
async function storeResult(
  store: StoreWriter,
  { locale }: Job<'fetch-document'>,
  token: Token,
  read: Omit<NewDocument, 'tokenId' | 'locale'>,
  nft: NftMode,
): Promise<void> {
  const { tokenId } = token;
  const { uri, result } = read;
  const origin = (await readOrigins(store, [tokenId])).get(tokenId);
  await storeDocuments(store, [{ ...read, tokenId, locale }], nft);
  if (locale !== DEFAULT_LOCALE) return;
  if (!isFailure(result)) {
    await writeState(store, [tokenId], 'complete');
    await beginLocales(store, token, result.document, nft);
  } else if (origin?.uri !== uri) {
    // After a failure, documents from an earlier URI are deleted. A document from the same URI stays.
    await writeState(store, [tokenId], 'partial');
    await deleteDocumentsExcept(store, [tokenId], [DEFAULT_LOCALE]);
  }
}

/**
 * Returns the token and the URI of the document to fetch, and its maximum size if it is a locale's document. Undefined
 * if the token has no such document.
 */
async function findExpected(store: StoreReader, { tokenId, locale }: Job<'fetch-document'>) {
  const token = await readToken(store, tokenId);
  if (token === undefined) return undefined;
  if (locale === DEFAULT_LOCALE) {
    const uri = documentUri(token);
    return uri === undefined ? undefined : { token, uri };
  }
  const declared = await readLocalization(store, tokenId);
  if (declared === undefined) return undefined;
  const { locales } = servableLocales(declared.localization, declared.documentBytes);
  const uri = fetchedLocaleUri(declared.localization, locale, token);
  return uri === undefined ? undefined : { token, uri, maxBytes: bytesPerLocale(locales.length) };
}
