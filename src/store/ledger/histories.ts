// Names the history that a revision belongs to: after a backup is restored, the same revision numbers are used again
// for different changes.
import { randomUUID } from 'node:crypto';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { lastRevision } from './ledger.ts';

/** Starts a new history for the revisions to come. An index run calls it before its first change. */
export async function beginHistory(store: StoreWriter): Promise<void> {
  const token = randomUUID();
  await store
    .insertInto('history')
    .values({ after_revision: await lastRevision(store), token })
    // The last run changed nothing.
    .onConflict((conflict) => conflict.column('after_revision').doUpdateSet({ token }))
    .execute();
}

/**
 * The random token of the history of a revision; undefined for a revision in the future. Two indexes with the same
 * token for a revision have had the same changes up to it.
 */
export async function historyOf(store: StoreReader, revision: number): Promise<string | undefined> {
  if (revision > (await lastRevision(store))) return undefined;
  const row = await store
    .selectFrom('history')
    .select('token')
    .where('after_revision', '<', revision)
    .orderBy('after_revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.token;
}
