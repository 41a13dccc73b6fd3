// Queues what was read before to be read again: on demand, by age, or because SIP-019 says so.
import { stop } from '#model/failure.ts';
import type { NewJob } from '#model/job.ts';
import { fungibleTokensAmong } from '#store/contracts.ts';
import { type DocumentKey, fetchedDocuments, staleDocuments } from '#store/documents.ts';
import { documentsWithImages, markImagesStale } from '#store/images.ts';
import type { Store } from '#store/index-database.ts';
import { insertJobs } from '#store/jobs.ts';
import { readReported } from '#store/reports.ts';
import { readTokensBefore } from '#store/tokens.ts';
import { queueAllValues } from './queue-values.ts';

export interface RefreshOptions {
  /** Contract ids of the tokens to read again; empty for every token; undefined for none on demand. */
  readonly principals: readonly string[] | undefined;
  /** Documents and values older than this are read again, in ms. */
  readonly maxAgeMs: number | undefined;
  /** Whether there is an API to ask for contracts and a node to ask for values, and documents can be fetched. */
  readonly contracts: boolean;
  readonly values: boolean;
  readonly documents: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What is stored stays and is answered until something newer is read. */
export async function queueRefresh(store: Store, options: RefreshOptions): Promise<void> {
  const { principals, maxAgeMs, now } = options;
  await store.transaction().execute(async (transaction) => {
    if (options.documents)
      await insertJobs(transaction, jobsOf('fetch-document', await staleDocuments(transaction, now, maxAgeMs)));
    if (options.values && maxAgeMs !== undefined)
      await queueAllValues(transaction, await readTokensBefore(transaction, now - maxAgeMs));
    if (principals === undefined) return;

    const served = await fungibleTokensAmong(transaction, principals);
    const reported = await readReported(transaction, principals);
    const others = principals.filter((principal) => !served.some((token) => token.contractId === principal));
    const unknown = others.find((principal) => !options.contracts || !reported.has(principal));
    if (unknown !== undefined) throw stop('usage', `--refresh names ${unknown}, and the index has no such token.`);
    const demanded = { dueNow: true };
    await insertJobs(
      transaction,
      others.map((contractId) => ({ kind: 'fetch-contract' as const, contractId })),
      demanded,
    );
    if (options.values) {
      const tokens = await readTokensBefore(transaction, now);
      const deployIds = new Set(served.map((token) => token.deployId));
      const chosen = principals.length === 0 ? tokens : tokens.filter((token) => deployIds.has(token.deployId));
      await queueAllValues(transaction, chosen);
    }
    if (options.documents) {
      await markImagesStale(transaction, principals);
      const images = await documentsWithImages(transaction, principals);
      await insertJobs(transaction, jobsOf('fetch-image', images), demanded);
      const documents = await fetchedDocuments(transaction, principals);
      await insertJobs(transaction, jobsOf('fetch-document', documents), demanded);
    }
  });
}

function jobsOf(kind: 'fetch-document' | 'fetch-image', documents: readonly DocumentKey[]): NewJob[] {
  return documents.map((document) => ({ kind, ...document }));
}
