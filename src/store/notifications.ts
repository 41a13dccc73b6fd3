// Queries about SIP-019 notifications.
import type { PrintedNotification } from '#model/notification.ts';
import { toFlag } from './flags.ts';
import { hashToBlob } from './hashes.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns, readInRuns } from './lists.ts';

export interface NewNotification extends PrintedNotification {
  readonly blockId: number;
}

export async function insertNotifications(
  store: StoreWriter,
  notifications: readonly NewNotification[],
): Promise<void> {
  for (const run of inRuns(notifications, 10)) {
    const rows = run.map((notification) => ({
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
    await store
      .insertInto('notification')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The contracts that the entitled notifications about fungible tokens in these blocks name. */
export async function notifiedContracts(store: StoreReader, blockIds: readonly number[]): Promise<string[]> {
  const rows = await readInRuns(blockIds, (run) =>
    store
      .selectFrom('notification')
      .select('contract_id')
      .distinct()
      .where('block_id', 'in', run)
      .where('entitled', '=', 1)
      .where('token_class', '=', 'ft')
      .execute(),
  );
  return [...new Set(rows.map((row) => row.contract_id))];
}

/** How many notifications are on the canonical chain, and how many of them are entitled. */
export async function countNotifications(store: StoreReader): Promise<{ all: number; entitled: number }> {
  const row = await store
    .selectFrom('notification')
    .innerJoin('block', 'block.block_id', 'notification.block_id')
    .where('block.canonical', '=', 1)
    .select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.sum<number>('entitled').as('entitled')])
    .executeTakeFirstOrThrow();
  return { all: row.all, entitled: row.entitled ?? 0 };
}
