// Queues documents that were fetched before to be fetched again: on demand, by age, or because SIP-019 says so.
import { stop } from '#model/failure.ts';
import { tokensAmong } from '#store/contracts.ts';
import { fetchedDocuments, staleDocuments } from '#store/documents.ts';
import { documentsWithImages } from '#store/images.ts';
import type { Store } from '#store/index-database.ts';
import { insertJobs } from '#store/jobs.ts';

export interface RefreshOptions {
  /** Contract ids of the tokens to read again; empty for every token; undefined for none on demand. */
  readonly principals: readonly string[] | undefined;
  /** Documents older than this are read again, in ms. */
  readonly maxAgeMs: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns how many documents are queued. What is stored stays and is answered until the new one is read. */
export async function queueRefresh(store: Store, { principals, maxAgeMs, now }: RefreshOptions): Promise<number> {
  return store.transaction().execute(async (transaction) => {
    const stale = await staleDocuments(transaction, now, maxAgeMs);
    const demanded = principals === undefined ? [] : await fetchedDocuments(transaction, principals);
    const images = principals === undefined ? [] : await documentsWithImages(transaction, principals);
    const served = await tokensAmong(transaction, principals ?? [], 'sip-010');
    const unknown = principals?.find((principal) => !served.some((token) => token.contractId === principal));
    if (unknown !== undefined) throw stop('usage', `--refresh names ${unknown}, and the index has no such token.`);
    await insertJobs(
      transaction,
      images.map((document) => ({ kind: 'fetch-image' as const, ...document })),
    );
    const jobs = new Map(
      [...stale, ...demanded].map(({ tokenId, locale }) => [`${tokenId} ${locale}`, { tokenId, locale }]),
    );
    await insertJobs(
      transaction,
      [...jobs.values()].map((document) => ({ kind: 'fetch-document' as const, ...document })),
    );
    return jobs.size;
  });
}
