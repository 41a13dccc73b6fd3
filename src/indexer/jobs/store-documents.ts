// Stores metadata documents, and queues the images that they name.
import { isFailure } from '#model/failure.ts';
import { type NewDocument, writeDocuments } from '#store/documents.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { fetchJobs, insertJobs } from '#store/jobs.ts';

export async function storeDocuments(store: StoreWriter, documents: readonly NewDocument[]): Promise<void> {
  await writeDocuments(store, documents);
  const withImages = documents.filter(({ result }) => !isFailure(result) && result.document.image !== undefined);
  await insertJobs(store, fetchJobs('fetch-image', withImages));
}
