// Reads the metadata documents that a token carries itself in data: URIs, and queues those that are elsewhere.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { Localization } from '#model/metadata.ts';
import type { TokenState } from '#model/token.ts';
import { fillLocale, fillTokenNumber, hasLocalePlaceholder } from '#sip-016/fill-template.ts';
import { type NormalizedDocument, normalizeDocument, servableLocales } from '#sip-016/normalize-document.ts';
import { parseDocument } from '#sip-016/parse-document.ts';
import { touchContractOfDeploy } from '#store/contracts.ts';
import { DEFAULT_LOCALE, forgetLocales } from '#store/documents.ts';
import { nextRevision, type Store, type StoreWriter } from '#store/index-database.ts';
import { deleteJob, insertJobs, readJobs, type TokenJob } from '#store/jobs.ts';
import { readToken, type Token, writeState } from '#store/tokens.ts';
import { resolveUri } from '#uri/resolve-uri.ts';
import { storeDocument } from './store-document.ts';

type TokenKey = Pick<Token, 'tokenId' | 'tokenNumber'>;

/** Reads or queues the default document and its locales. Returns the state that the token is in then. */
export async function beginDocument(
  store: StoreWriter,
  token: TokenKey,
  tokenUri: string | undefined,
): Promise<TokenState> {
  const uri = tokenUri === undefined ? undefined : fillTokenNumber(tokenUri, token.tokenNumber);
  const result = uri === undefined ? fail('no-uri') : readInline(uri, token);
  if (result === undefined) {
    await insertJobs(store, [{ kind: 'fetch-document', tokenId: token.tokenId }]);
    return 'queued';
  }
  await storeDocument(store, { tokenId: token.tokenId, locale: DEFAULT_LOCALE, uri, result });
  if (isFailure(result)) return 'partial';
  if (result.document.localization !== undefined) await beginLocales(store, token, result.document.localization);
  return 'complete';
}

/** Reads or queues the documents of the locales that a default document declares. */
export async function beginLocales(store: StoreWriter, token: TokenKey, localization: Localization): Promise<void> {
  const { locales, failures } = servableLocales(localization);
  await forgetLocales(store, token.tokenId, [...locales, ...failures.keys()]);
  for (const [locale, failure] of failures)
    await storeDocument(store, { tokenId: token.tokenId, locale, uri: undefined, result: failure });
  for (const locale of locales) {
    // The default locale's answer is the default document's.
    if (locale === localization.default) continue;
    const uri = localeUri(localization, locale, token);
    const result = hasLocalePlaceholder(localization.uri) ? readInline(uri, token) : fail('no-locale-placeholder');
    if (result === undefined)
      await insertJobs(store, [{ kind: 'fetch-document', tokenId: token.tokenId, part: locale }]);
    else await storeDocument(store, { tokenId: token.tokenId, locale, uri, result });
  }
}

/** Where the document of a locale is. */
export function localeUri(localization: Localization, locale: string, token: TokenKey): string {
  return fillTokenNumber(fillLocale(localization.uri, locale), token.tokenNumber);
}

/** The document in bytes, or why there is none. */
export function readDocument(bytes: Uint8Array, token: TokenKey): NormalizedDocument | Failure {
  const parsed = parseDocument(bytes);
  return isFailure(parsed) ? parsed : normalizeDocument(parsed.json, token.tokenNumber);
}

/** The document in a URI, why there is none, or undefined if it is elsewhere. */
function readInline(uri: string, token: TokenKey): NormalizedDocument | Failure | undefined {
  const resolved = resolveUri(uri);
  if (isFailure(resolved)) return resolved;
  return resolved.kind === 'remote' ? undefined : readDocument(resolved.bytes, token);
}

const JOBS_PER_READ = 500;

/** Settles every queued document as not to be fetched, for an index that is made offline. Returns how many there were. */
export async function settleOffline(store: Store): Promise<number> {
  let settled = 0;
  for (;;) {
    const jobs = await readJobs(store, 'fetch-document', 0, JOBS_PER_READ);
    if (jobs.length === 0) return settled;
    await store.transaction().execute(async (transaction) => {
      const revision = await nextRevision(transaction);
      for (const job of jobs) await settleJobOffline(transaction, job, revision);
    });
    settled += jobs.length;
  }
}

async function settleJobOffline(store: StoreWriter, job: TokenJob, revision: number): Promise<void> {
  const token = await readToken(store, job.tokenId);
  if (token !== undefined) {
    await storeDocument(store, { tokenId: job.tokenId, locale: job.part, uri: undefined, result: fail('offline') });
    if (job.part === DEFAULT_LOCALE && token.state === 'queued') await writeState(store, [token.tokenId], 'partial');
    await touchContractOfDeploy(store, token.deployId, revision);
  }
  await deleteJob(store, job.jobId);
}
