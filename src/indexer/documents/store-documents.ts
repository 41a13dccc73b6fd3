// Stores metadata documents, and queues the images that they name.
import { isFailure } from '#model/failure.ts';
import type { NftMode } from '#model/token.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { numberedAmong } from '#store/tokens/collections.ts';
import { type NewDocument, writeDocuments } from '#store/tokens/documents.ts';
import { fetchJobs, insertJobs } from '#store/work/jobs.ts';

export async function storeDocuments(
  store: StoreWriter,
  documents: readonly NewDocument[],
  nft: NftMode,
): Promise<void> {
  await writeDocuments(store, documents);
  const withImages = documents.filter(({ result }) => !isFailure(result) && result.document.image !== undefined);
  const tokenIds = withImages.map(({ tokenId }) => tokenId);
  const left = nft === 'images' ? new Set<number>() : await numberedAmong(store, tokenIds);
  const wanted = withImages.filter(({ tokenId }) => !left.has(tokenId));
  await insertJobs(store, fetchJobs('fetch-image', wanted));
}
