// Sets the states of tokens after all their getters were read, and reads or queues their documents.

import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { NewJob } from '#model/job.ts';
import { DEFAULT_LOCALE } from '#model/locale.ts';
import { gettersOf, type NftMode, NO_NUMBER, type TokenState } from '#model/token.ts';
import { runsOf } from '#sqlite/lists.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { deleteDocumentsExcept, markOutdated, type NewDocument, readOrigins } from '#store/tokens/documents.ts';
import { readTokensById, type Token, writeState } from '#store/tokens/tokens.ts';
import { deleteJobsOf, insertJobs } from '#store/work/jobs.ts';
import { beginLocales, documentUri, planDocument, storeDocuments } from './read-documents.ts';

/** The number of tokens that are read together. A token URI may contain a document of up to a megabyte. */
const READ_AT_ONCE = 50;

/** Sets the states of tokens, and reads or queues their documents. Skips tokens with a getter that has no reading. */
export async function finishTokens(store: StoreWriter, tokenIds: readonly number[], nft: NftMode): Promise<void> {
  for (const run of runsOf(tokenIds, READ_AT_ONCE)) await finishRun(store, run, nft);
}

async function finishRun(store: StoreWriter, tokenIds: readonly number[], nft: NftMode): Promise<void> {
  const tokens = (await readTokensById(store, tokenIds)).filter(isRead);
  const finishedIds = tokens.map((token) => token.tokenId);
  const origins = await readOrigins(store, finishedIds);
  const documents: NewDocument[] = [];
  const jobs: NewJob[] = [];
  const outdated: number[] = [];
  const states = new Map<TokenState, number[]>();
  for (const token of tokens) {
    const failure = noValueFailure(token);
    if (failure !== undefined) {
      await writeState(store, [token.tokenId], 'error', failure);
      continue;
    }
    const known = origins.get(token.tokenId);
    if (isResolved(token) && known !== undefined && known.uri === documentUri(token)) continue;
    const { state, document } = planDocument(token, nft);
    if (state === 'queued') jobs.push({ kind: 'fetch-document', tokenId: token.tokenId, locale: DEFAULT_LOCALE });
    if (document !== undefined) documents.push(document);
    // The stored documents came from another URI. They are deleted, or marked as outdated until the new document
    // arrives.
    if (isResolved(token) && (state === 'partial' || (state === 'queued' && known?.hasDocument === false)))
      await deleteDocumentsExcept(store, [token.tokenId], document?.uri === undefined ? [] : [DEFAULT_LOCALE]);
    else if (isResolved(token) && state === 'queued' && known !== undefined) outdated.push(token.tokenId);
    if (isResolved(token) && state === 'queued') continue;
    const ids = states.get(state) ?? [];
    ids.push(token.tokenId);
    states.set(state, ids);
  }
  await markOutdated(store, outdated);
  const isNotFetched = [...states].flatMap(([state, ids]) => (state === 'queued' ? [] : ids));
  await deleteJobsOf(store, 'fetch-document', isNotFetched);
  await storeDocuments(store, documents, nft);
  await insertJobs(store, jobs);
  for (const [state, ids] of states) await writeState(store, ids, state);
  const byId = new Map(tokens.map((token) => [token.tokenId, token]));
  const withoutLocales: number[] = [];
  for (const { tokenId, result } of documents) {
    const token = byId.get(tokenId);
    if (token === undefined || isFailure(result)) continue;
    if (result.document.localization === undefined) withoutLocales.push(tokenId);
    else await beginLocales(store, token, result.document, nft);
  }
  await deleteDocumentsExcept(store, withoutLocales, [DEFAULT_LOCALE]);
}

function isRead({ standard, readings, supplyAssets }: Token): boolean {
  const read = new Set(readings.map((reading) => reading.getter));
  if (supplyAssets !== undefined) read.add('get-total-supply');
  return gettersOf(standard).every((getter) => read.has(getter));
}

function noValueFailure({ tokenNumber, supplyAssets, readings }: Token): Failure | undefined {
  if (readings.some(({ value }) => value !== undefined) || supplyAssets !== undefined) return undefined;
  // In a collection, a token may have no URI, so this is not a failure.
  if (tokenNumber !== NO_NUMBER && readings.every(({ failure }) => failure === undefined)) return undefined;
  const reasons = readings.flatMap(({ failure }) => failure?.message.replace(/\.$/, '') ?? []).join('; ');
  return fail('no-value', reasons === '' ? undefined : `No on-chain value could be read: ${reasons}.`);
}

function isResolved({ state }: Token): boolean {
  return state === 'complete' || state === 'partial';
}
