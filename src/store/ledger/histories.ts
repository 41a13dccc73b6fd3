// Says which history a revision belongs to: where a copy of the index takes its place, the same revisions come again,
// for other changes.
import { randomUUID } from 'node:crypto';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { lastRevision } from './ledger.ts';

/** The revisions to come belong to a history of their own. For an index run, before its first change. */
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
 * The random token of the history of a revision; undefined for a revision that the index has not come to. Where two
 * indexes have the same token for a revision, they have had the same changes up to it.
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
