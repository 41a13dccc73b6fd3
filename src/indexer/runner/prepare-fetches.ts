// Prepares fetch jobs for a run: offline, all are due at once; online, jobs finished as offline are queued again.

import type { FailureCode } from '#model/failure.ts';
import type { DocumentKey } from '#model/metadata.ts';
import type { StoreReader, StoreWriter } from '#store/index-database.ts';
import { fetchJobs, insertJobs, makeDue } from '#store/work/jobs.ts';
import type { UriFetcher } from '#uri/uri-fetcher.ts';

export async function prepareFetches(
  store: StoreWriter,
  kind: 'fetch-document' | 'fetch-image',
  fetcher: UriFetcher,
  failedWith: (store: StoreReader, code: FailureCode) => Promise<readonly DocumentKey[]>,
): Promise<void> {
  if (fetcher.isOffline) return makeDue(store, kind);
  await insertJobs(store, fetchJobs(kind, await failedWith(store, 'offline')));
}
