// Stores SIP-019 notifications in new blocks, and queues the tokens to which canonical notifications refer.

import { insertNotifications, readNotified } from '#store/chain/notifications.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { documentsNamingImages, fetchedDocuments } from '#store/tokens/due-documents.ts';
import { markImagesStale } from '#store/tokens/images.ts';
import { readTokensOfContracts } from '#store/tokens/tokens.ts';
import { queueFetches } from '#store/work/jobs.ts';
import type { AddedBlock } from '../new-block.ts';
import { queueAllTokenReads } from '../queue/queue-token-reads.ts';

export async function storeNotifications(store: StoreWriter, added: readonly AddedBlock[]): Promise<void> {
  const notifications = added.flatMap(({ event, block: { blockId } }) =>
    event.notifications.map((notification) => ({ ...notification, blockId })),
  );
  await insertNotifications(store, notifications);
}

/** Queues the targets of notifications in these blocks: documents, and values from nodes and token lists. */
export async function queueNotified(store: StoreWriter, blockIds: readonly number[]): Promise<void> {
  const contractIds = [...new Set((await readNotified(store, blockIds, ['ft'])).map(({ contractId }) => contractId))];
  if (contractIds.length > 0) {
    await queueAllTokenReads(store, await readTokensOfContracts(store, contractIds), 'none');
    const naming = documentsNamingImages(store, contractIds);
    await markImagesStale(store, naming);
    await queueFetches(store, 'fetch-image', naming);
    await queueFetches(store, 'fetch-document', fetchedDocuments(store, contractIds));
  }
  for (const { contractId, tokenNumbers } of await readNotified(store, blockIds, ['nft', 'sft'])) {
    const named = fetchedDocuments(store, [contractId], tokenNumbers);
    await markImagesStale(store, named);
    await queueFetches(store, 'fetch-document', named);
  }
}
