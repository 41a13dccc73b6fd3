// Stores SIP-019 notifications of new blocks, and follows those that a fungible token is entitled to.
import { fetchedDocuments } from '#store/documents.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertJobs } from '#store/jobs.ts';
import { insertNotifications, type NewNotification } from '#store/notifications.ts';
import { tokensReadAmong, writeUpdateMode } from '#store/tokens.ts';
import { queueAllValues } from '../queue/queue-values.ts';
import type { AddedBlock } from './canonical-chain.ts';

/** Returns those on the canonical chain that a fungible token is entitled to. */
export async function storeNotifications(store: StoreWriter, added: readonly AddedBlock[]): Promise<NewNotification[]> {
  const notifications: NewNotification[] = [];
  const toFollow: NewNotification[] = [];
  for (const { event, block } of added) {
    for (const notification of event.notifications) {
      const own = { ...notification, blockId: block.blockId };
      notifications.push(own);
      if (block.canonical && own.entitled && own.tokenClass === 'ft') toFollow.push(own);
    }
  }
  await insertNotifications(store, notifications);
  return toFollow;
}

/** A token that says it has changed is read again: its values where a node told them, its documents where they came from the network. */
export async function followNotifications(
  store: StoreWriter,
  notifications: readonly NewNotification[],
): Promise<void> {
  const contractIds: string[] = [];
  const tokenIds: number[] = [];
  for (const { contractId, updateMode, ttlSeconds } of notifications) {
    const tokenId = await writeUpdateMode(store, contractId, updateMode, ttlSeconds);
    if (tokenId === undefined) continue;
    contractIds.push(contractId);
    tokenIds.push(tokenId);
  }
  if (contractIds.length === 0) return;
  await queueAllValues(store, await tokensReadAmong(store, tokenIds));
  const documents = await fetchedDocuments(store, contractIds);
  await insertJobs(
    store,
    documents.map((document) => ({ kind: 'fetch-document', ...document })),
  );
}
