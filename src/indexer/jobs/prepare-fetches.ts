// Readies what is to be fetched for a run: offline nothing is waited for, online what was settled offline is fetched after all.
import type { FailureCode } from '#model/failure.ts';
import type { DocumentKey } from '#store/documents.ts';
import type { StoreReader, StoreWriter } from '#store/index-database.ts';
import { insertJobs, makeDue } from '#store/jobs.ts';
import { offlineFetcher, type UriFetcher } from '#uri/uri-fetcher.ts';

/** `failedWith` finds what was settled with a code. */
export async function prepareFetches(
  store: StoreWriter,
  kind: 'fetch-document' | 'fetch-image',
  fetcher: UriFetcher,
  failedWith: (store: StoreReader, code: FailureCode) => Promise<readonly DocumentKey[]>,
): Promise<void> {
  if (fetcher === offlineFetcher) return makeDue(store, kind);
  const settled = await failedWith(store, 'offline');
  await insertJobs(
    store,
    settled.map((document) => ({ kind, ...document })),
  );
}
