// Queues values and documents to be read again: on demand, by age, or after a SIP-019 ttl.

import { stop } from '#model/failure.ts';
import type { NftMode } from '#model/token.ts';
import { tokenContractsAmong } from '#store/contracts/contracts.ts';
import { readKnownToApi } from '#store/contracts/reports.ts';
import type { Store } from '#store/index-database.ts';
import { ofOwnShard } from '#store/index-info.ts';
import { documentsNamingImages, fetchedDocuments, staleDocuments } from '#store/tokens/due-documents.ts';
import { markImagesStale } from '#store/tokens/images.ts';
import { readTokensBefore, readTokensOfContracts } from '#store/tokens/tokens.ts';
import { insertJobs, queueFetches } from '#store/work/jobs.ts';
import type { RefreshChoice } from '../index-options.ts';
import { queueAllValues } from './queue-values.ts';

interface RefreshOptions extends RefreshChoice {
  /** True if an API for contracts is available, a node for values, and if documents can be fetched. */
  readonly contracts: boolean;
  readonly values: boolean;
  readonly documents: boolean;
  readonly nft: NftMode;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Stored data is served until something newer is read. */
export async function queueRefresh(store: Store, options: RefreshOptions): Promise<void> {
  const { maxAgeMs, now } = options;
  const reads = { nft: options.nft, hasApi: options.contracts };
  await store.transaction().execute(async (transaction) => {
    if (options.documents)
      await queueFetches(transaction, 'fetch-document', staleDocuments(transaction, now, maxAgeMs));
    if (options.values && maxAgeMs !== undefined)
      await queueAllValues(transaction, await readTokensBefore(transaction, now - maxAgeMs), reads);
    const { principals: named } = options;
    if (named === undefined) return;
    const principals = await ofOwnShard(transaction, named, (principal) => principal);
    // An empty list means all.
    if (named.length > 0 && principals.length === 0) return;

    const served = await tokenContractsAmong(transaction, principals);
    const knownToApi = await readKnownToApi(transaction, principals);
    const others = principals.filter((principal) => !served.some((token) => token.contractId === principal));
    const unknown = others.find((principal) => !options.contracts || !knownToApi.has(principal));
    if (unknown !== undefined) throw stop('usage', `--refresh names ${unknown}, and the index has no such token.`);
    const dueNow = { dueNow: true };
    const lookups = others.map((contractId) => ({ kind: 'fetch-contract', contractId }) as const);
    await insertJobs(transaction, lookups, dueNow);
    if (options.values) {
      const tokens =
        principals.length === 0
          ? await readTokensBefore(transaction, now)
          : await readTokensOfContracts(transaction, principals);
      await queueAllValues(transaction, tokens, reads);
    }
    if (options.documents) {
      const named = documentsNamingImages(transaction, principals);
      await markImagesStale(transaction, named);
      await queueFetches(transaction, 'fetch-image', named, dueNow);
      await queueFetches(transaction, 'fetch-document', fetchedDocuments(transaction, principals), dueNow);
    }
  });
}
