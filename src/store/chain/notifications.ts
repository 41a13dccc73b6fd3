// Queries about SIP-019 notifications.

import { type SqlBool, sql } from 'kysely';
import type { MetadataNotification, PrintedNotification } from '#model/chain-event.ts';
import { countRows } from '#sqlite/aggregates.ts';
import { hashToBlob, readStoredJson, toFlag } from '#sqlite/columns.ts';
import { insertRows, listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { blockIdOf, isCanonical } from '../schema/chain.ts';

export async function insertNotifications(
  store: StoreWriter,
  notifications: readonly (PrintedNotification & { readonly blockId: number })[],
): Promise<void> {
  const rows = notifications.map((notification) => ({
    block_id: notification.blockId,
    tx_id: hashToBlob(notification.txId),
    event_index: notification.eventIndex,
    emitter: notification.emitter,
    contract_id: notification.contractId,
    token_class: notification.tokenClass,
    token_numbers: notification.tokenNumbers === undefined ? null : JSON.stringify(notification.tokenNumbers),
    update_mode: notification.updateMode,
    ttl_seconds: notification.ttlSeconds ?? null,
    entitled: toFlag(notification.entitled),
  }));
  await insertRows(store, 'notification', rows, (conflict) => conflict.doNothing());
}

/** Returns the tokens that authorized notifications in these blocks affect; undefined numbers mean all tokens. */
export async function readNotified(
  store: StoreReader,
  blockIds: readonly number[],
  tokenClasses: readonly MetadataNotification['tokenClass'][],
) {
  const rows = await store
    .selectFrom('notification')
    .select(['contract_id', 'token_numbers'])
    .distinct()
    .where('block_id', 'in', listed(blockIds))
    .where('entitled', '=', 1)
    .where('token_class', 'in', tokenClasses)
    .execute();
  return rows.map(({ contract_id: contractId, token_numbers: numbers }) => ({
    contractId,
    tokenNumbers: numbers === null ? undefined : readStoredJson<string[]>(numbers, 'a list of numbers'),
  }));
}

export async function countNotifications(store: StoreReader): Promise<{ all: number; entitled: number }> {
  const canonical = store
    .selectFrom('notification')
    .where(sql<SqlBool>`${sql.raw(isCanonical('notification.block_id'))}`);
  return { all: await countRows(canonical), entitled: await countRows(canonical.where('entitled', '=', 1)) };
}

/** True if a canonical block above a height has an authorized notification about the contract. */
export async function isNotifiedAbove(store: StoreReader, contractId: string, height: number): Promise<boolean> {
  const notified = store
    .selectFrom('notification')
    .select('notification_id')
    .where('contract_id', '=', contractId)
    .where('entitled', '=', 1)
    .where('block_id', '>=', blockIdOf(height + 1, 0))
    .where(sql<SqlBool>`${sql.raw(isCanonical('notification.block_id'))}`);
  return (await notified.limit(1).execute()).length > 0;
}
