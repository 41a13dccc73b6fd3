// Jobs that fetch metadata documents: default ones and those of locales.

import { isFailure, wasTried } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import { DEFAULT_LOCALE } from '#model/locale.ts';
import { type NftMode, NO_NUMBER } from '#model/token.ts';
import { bytesPerLocale, servableLocales } from '#sip-016/normalize-document.ts';
import { parseDocument } from '#sip-016/parse-document.ts';
import type { Store, StoreReader, StoreWriter } from '#store/index-database.ts';
import {
  confirmDocument,
  deleteDocumentsExcept,
  readLocalization,
  readOrigins,
  readValidators,
} from '#store/tokens/documents.ts';
import { documentsFailedWith } from '#store/tokens/due-documents.ts';
import { readToken, writeState } from '#store/tokens/tokens.ts';
import { insertJobs, makeDue, queueFetches } from '#store/work/jobs.ts';
import {
  beginLocales,
  documentUri,
  fetchedLocaleUri,
  readDocument,
  storeDocuments,
} from '../documents/read-documents.ts';
import type { DocumentSource } from '../index-options.ts';
import { dropJob, endAttempt } from '../runner/end-attempt.ts';
import { type JobWorker, type Outcome, oneByOne } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';

export function fetchDocuments(context: JobContext): JobWorker<'fetch-document', Fetched> | undefined {
  const { store, options, signal } = context;
  const { documents } = options;
  if (documents === undefined) return undefined;
  return {
    kind: 'fetch-document',
    task: 'documents',
    prepare: (transaction) =>
      documents.fetcher.isOffline
        ? makeDue(transaction, 'fetch-document')
        : queueFetches(transaction, 'fetch-document', documentsFailedWith(transaction, 'offline')),
    work: (job) => fetchOne(store, job, documents, signal),
    bytesOf: (fetched) => (fetched === undefined || isFailure(fetched.answer) ? 0 : fetched.answer.bytes.length),
    save: oneByOne((store, job, fetched) => save(store, job, fetched, options.nft)),
  };
}

type Fetched = Awaited<ReturnType<typeof fetchOne>>;

/** Undefined if the token has no such document (any more). */
async function fetchOne(
  store: Store,
  job: Job<'fetch-document'>,
  { fetcher, maxDocumentBytes }: DocumentSource,
  signal: AbortSignal,
) {
  const expected = await findExpected(store, job);
  if (expected === undefined) return undefined;
  const { uri, maxBytes = maxDocumentBytes } = expected;
  const known = await readValidators(store, job, uri);
  const limits = { maxBytes: Math.min(maxBytes, maxDocumentBytes), signal, known };
  return { uri, answer: await fetcher.fetch(uri, { ...limits, read: parseDocument }) };
}

async function save(store: StoreWriter, job: Job<'fetch-document'>, fetched: Fetched, nft: NftMode): Promise<Outcome> {
  if (fetched === undefined) return dropJob(store, job);
  const { uri, answer } = fetched;
  // The token may name another URI by now, which is fetched next.
  const expected = await findExpected(store, job);
  if (expected?.uri !== uri) return undefined;
  const { token } = expected;
  const parsed = isFailure(answer) ? answer : answer.content;
  if (parsed === undefined) {
    await confirmDocument(store, job, Date.now());
    // Its image may have failed even if the document did not.
    if (nft === 'images' || token.tokenNumber === NO_NUMBER)
      await insertJobs(store, [{ kind: 'fetch-image', tokenId: job.tokenId, locale: job.locale }]);
    return endAttempt(store, job, undefined);
  }
  const result = isFailure(parsed) ? parsed : readDocument(parsed, token, expected.maxBytes);
  const failure = isFailure(result) ? result : undefined;
  const outcome = await endAttempt(store, job, failure);
  // No request was made, so nothing is known.
  if (failure !== undefined && !wasTried(failure)) return outcome;
  const fetchedAt = failure?.code === 'offline' ? {} : { fetchedAt: Date.now() };
  const validators = isFailure(answer) ? {} : { etag: answer.etag, lastModified: answer.lastModified };
  const origin = (await readOrigins(store, [token.tokenId])).get(token.tokenId);
  const document = { tokenId: token.tokenId, locale: job.locale, uri, result, ...validators, ...fetchedAt };
  await storeDocuments(store, [document], nft);
  if (job.locale === DEFAULT_LOCALE) {
    if (!isFailure(result)) {
      await writeState(store, [token.tokenId], 'complete');
      await beginLocales(store, token, result.document, nft);
    } else if (origin?.uri !== uri) {
      // A failure removes a document from another URI, and never one that an earlier attempt delivered.
      await writeState(store, [token.tokenId], 'partial');
      await deleteDocumentsExcept(store, [token.tokenId], [DEFAULT_LOCALE]);
    }
  }
  return outcome;
}

/** URI of a document, and the maximum size of a locale's; undefined if the token has no such document (any more). */
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
