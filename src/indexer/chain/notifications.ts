// Stores the SIP-019 notifications in new blocks, and queues what the valid ones name.
import { fetchedDocuments } from '#store/documents.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { fetchJobs, insertJobs } from '#store/jobs.ts';
import { insertNotifications, type NewNotification } from '#store/notifications.ts';
import { tokensReadAmong, writeUpdateMode } from '#store/tokens.ts';
import { queueAllValues } from '../queue/queue-values.ts';
import type { AddedBlock } from './canonical-chain.ts';

/** Returns the entitled ones about fungible tokens on the canonical chain. */
export async function storeNotifications(store: StoreWriter, added: readonly AddedBlock[]): Promise<NewNotification[]> {
  const notifications: NewNotification[] = [];
  const valid: NewNotification[] = [];
  for (const { event, block } of added) {
    for (const notification of event.notifications) {
      const stored = { ...notification, blockId: block.blockId };
      notifications.push(stored);
      if (block.canonical && stored.entitled && stored.tokenClass === 'ft') valid.push(stored);
    }
  }
  await insertNotifications(store, notifications);
  return valid;
}

/** Queues the notified tokens: values that came from a node or a token list, and fetched documents. */
export async function queueNotified(store: StoreWriter, notifications: readonly NewNotification[]): Promise<void> {
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
  await insertJobs(store, fetchJobs('fetch-document', await fetchedDocuments(store, contractIds)));
}
