// Stores a metadata document, and queues the image that it names.
import { isFailure } from '#model/failure.ts';
import { type NewDocument, writeDocument } from '#store/documents.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertJobs } from '#store/jobs.ts';

export async function storeDocument(store: StoreWriter, document: NewDocument): Promise<void> {
  await writeDocument(store, document);
  const { tokenId, locale, result } = document;
  if (isFailure(result) || result.document.image === undefined) return;
  await insertJobs(store, [{ kind: 'fetch-image', tokenId, part: locale }]);
}
