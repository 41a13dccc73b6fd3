// Queues values and documents to read again: on demand, if they are too old, or after the ttl of a SIP-019
// notification.

import { stop } from '#model/failure.ts';
import { tokenContractsAmong } from '#store/contracts/contracts.ts';
import { readKnownToApi } from '#store/contracts/reports.ts';
import type { Store } from '#store/index-database.ts';
import { queueFailedEvaluations } from '#store/replay/evaluation-inputs.ts';
import { documentsNamingImages, fetchedDocuments, staleDocuments } from '#store/tokens/due-documents.ts';
import { markImagesStale } from '#store/tokens/images.ts';
import { readTokensBefore, readTokensOfContracts } from '#store/tokens/tokens.ts';
import { insertJobs, queueFetches } from '#store/work/jobs.ts';
import type { IndexOptions } from '../index-options.ts';
import { queueAllTokenReads } from './queue-token-reads.ts';

/** Queues a refresh. Stored data is served until new data arrives. `now` is in ms since the epoch. */
export async function queueRefresh(
  store: Store,
  { refresh, source, documents, nft, vm }: Pick<IndexOptions, 'refresh' | 'source' | 'documents' | 'nft' | 'vm'>,
  now = Date.now(),
): Promise<void> {
  const { maxAgeMs, principals } = refresh;
  const fetches = documents?.fetcher.isOffline === false;
  await store.transaction().execute(async (transaction) => {
    if (fetches) {
      const stale = staleDocuments(transaction, now, maxAgeMs);
      // An image is copied again after its document has been read again.
      await markImagesStale(transaction, stale);
      await queueFetches(transaction, 'fetch-document', stale);
    }
    if (source !== undefined && maxAgeMs !== undefined)
      await queueAllTokenReads(transaction, await readTokensBefore(transaction, now - maxAgeMs, now), nft);
    if (principals === undefined) return;
    const served = await tokenContractsAmong(transaction, principals);
    const knownToApi = await readKnownToApi(transaction, principals);
    const missing = principals.filter((principal) => !served.some((token) => token.contractId === principal));
    const unknown = missing.find((principal) => source?.api === undefined || !knownToApi.has(principal));
    if (unknown !== undefined) throw stop('usage', `--refresh names ${unknown}, and the index has no such token.`);
    const dueNow = { dueNow: true };
    const lookups = missing.map((contractId) => ({ kind: 'fetch-contract', contractId }) as const);
    await insertJobs(transaction, lookups, dueNow);
    if (vm) await queueFailedEvaluations(transaction, principals);
    if (source !== undefined) {
      // If `principals` is empty, selects all tokens.
      const tokens =
        principals.length === 0
          ? await readTokensBefore(transaction, now, now)
          : await readTokensOfContracts(transaction, principals);
      await queueAllTokenReads(transaction, tokens, nft);
    }
    if (fetches) {
      const named = documentsNamingImages(transaction, principals);
      await markImagesStale(transaction, named);
      await queueFetches(transaction, 'fetch-image', named, dueNow);
      await queueFetches(transaction, 'fetch-document', fetchedDocuments(transaction, principals), dueNow);
    }
  });
}
