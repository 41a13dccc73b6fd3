// Stores SIP-019 notifications of new blocks, and follows those that a fungible token is entitled to.
import { decodeTransaction } from '#clarity/decode-transaction.ts';
import type { PrintEvent } from '#model/chain-event.ts';
import { isFailure } from '#model/failure.ts';
import { decodeNotification, isEntitled } from '#standards/sip-019.ts';
import type { ChainFailure } from '#store/chain-log.ts';
import { fetchedDocuments } from '#store/documents.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertJobs } from '#store/jobs.ts';
import { insertNotifications, type NewNotification } from '#store/notifications.ts';
import { tokensReadAmong, writeUpdateMode } from '#store/tokens.ts';
import type { AddedBlock } from './canonical-chain.ts';
import { jobsOf } from './document-jobs.ts';
import { queueAllValues } from './read-values.ts';

export interface StoredNotifications {
  /** On the canonical chain, of fungible tokens, and entitled. */
  readonly toFollow: readonly NewNotification[];
  /** Malformed ones: counted, and otherwise ignored. */
  readonly failures: readonly ChainFailure[];
}

export async function storeNotifications(
  store: StoreWriter,
  added: readonly AddedBlock[],
): Promise<StoredNotifications> {
  const notifications: NewNotification[] = [];
  const toFollow: NewNotification[] = [];
  const failures: ChainFailure[] = [];
  for (const { event, block } of added) {
    for (const print of event.prints) {
      const read = readPrint(print, block.blockId);
      if (read === undefined) continue;
      if ('code' in read) {
        failures.push(read);
        continue;
      }
      notifications.push(read);
      if (block.canonical && read.entitled && read.tokenClass === 'ft') toFollow.push(read);
    }
  }
  await insertNotifications(store, notifications);
  return { toFollow, failures };
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
  await insertJobs(store, jobsOf('fetch-document', await fetchedDocuments(store, contractIds)));
}

/** Undefined for another print. */
function readPrint(print: PrintEvent, blockId: number): NewNotification | ChainFailure | undefined {
  const notification = decodeNotification(print.rawValue);
  if (notification === undefined) return undefined;
  if (isFailure(notification)) {
    const subject = `${print.txId} event ${print.eventIndex}`;
    return { code: notification.failure, subject, message: notification.message };
  }
  const { contractId, tokenClass, tokenNumbers, updateMode, ttlSeconds } = notification;
  const transaction = decodeTransaction(print.rawTx);
  const origin = isFailure(transaction) ? undefined : transaction.originAddress;
  return {
    blockId,
    txId: print.txId,
    eventIndex: print.eventIndex,
    emitter: print.emitter,
    contractId,
    tokenClass,
    tokenNumbers,
    updateMode,
    ttlSeconds,
    entitled: isEntitled(notification, print.emitter, origin),
  };
}
