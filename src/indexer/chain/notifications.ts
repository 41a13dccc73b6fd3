// Stores the SIP-019 notifications in new blocks, and queues what those name that are canonical now.
import { fetchedDocuments } from '#store/documents.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { fetchJobs, insertJobs } from '#store/jobs.ts';
import { insertNotifications, notifiedContracts } from '#store/notifications.ts';
import { readTokensOfContracts } from '#store/tokens.ts';
import { queueAllValues } from '../queue/queue-values.ts';
import type { AddedBlock } from './canonical-chain.ts';

export async function storeNotifications(store: StoreWriter, added: readonly AddedBlock[]): Promise<void> {
  const notifications = added.flatMap(({ event, block: { blockId } }) =>
    event.notifications.map((notification) => ({ ...notification, blockId })),
  );
  await insertNotifications(store, notifications);
}

/** Queues what notifications in these blocks name: values that came from a node or a token list, and documents. */
export async function queueNotified(store: StoreWriter, blockIds: readonly number[]): Promise<void> {
  const contractIds = await notifiedContracts(store, blockIds);
  if (contractIds.length === 0) return;
  await queueAllValues(store, await readTokensOfContracts(store, contractIds));
  await insertJobs(store, fetchJobs('fetch-document', await fetchedDocuments(store, contractIds)));
}
