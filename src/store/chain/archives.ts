// Queries about event archives: how far each one was read, and which are unfinished.
import type { ArchivePosition } from '#model/archive-position.ts';
import type { Reason } from '#model/failure.ts';
import { failureColumns, storedFailure } from '#sqlite/tables.ts';
import type { Store, StoreReader, StoreWriter } from '../index-database.ts';

export async function readArchives(store: StoreReader) {
  return store
    .selectFrom('archive')
    .select(['archive_id as archiveId', 'prefix_bytes as prefixBytes', 'prefix_hash as prefixHash'])
    .select(['last_line_offset as lastLineOffset', 'last_line_hash as lastLineHash'])
    .select(['next_offset as nextOffset', 'next_line as nextLine', 'unfinished_name as name'])
    .orderBy('archive_id')
    .execute();
}

export type UnfinishedArchive = Awaited<ReturnType<typeof readUnfinishedArchives>>[number];

export async function readUnfinishedArchives(store: StoreReader) {
  const unfinished = store.selectFrom('archive').selectAll().where('unfinished_name', 'is not', null);
  return (await unfinished.orderBy('archive_id').execute()).map((row) => ({
    /** The archive's name as the user gave it. */
    name: row.unfinished_name ?? '',
    /** The position where the next run continues: an offset in decompressed bytes, and a line number from 1. */
    nextOffset: row.next_offset,
    nextLine: row.next_line,
    /** The reason why reading failed; undefined if reading was interrupted or is in progress. */
    failure: storedFailure(row),
  }));
}

export async function finishArchive(store: Store, archiveId: number): Promise<void> {
  const row = { unfinished_name: null, ...failureColumns(undefined) };
  const unfinished = store.updateTable('archive').set(row).where('unfinished_name', 'is not', null);
  await unfinished.where('archive_id', '=', archiveId).execute();
}

export async function failArchive(store: Store, archiveId: number, name: string, failure: Reason): Promise<void> {
  const row = { unfinished_name: name, ...failureColumns(failure) };
  await store.updateTable('archive').set(row).where('archive_id', '=', archiveId).execute();
}

/** Position of an archive that has not been read yet. The empty hash matches no archive. */
const UNREAD = { prefixBytes: 0, prefixHash: '', lastLineOffset: 0, lastLineHash: '', nextOffset: 0, nextLine: 1 };

/** Stores the names of the archives that a run will read. If the run is killed, the next run continues with them. */
export async function announceArchives(store: Store, names: readonly string[]): Promise<void> {
  const known = new Set((await readUnfinishedArchives(store)).map(({ name }) => name));
  await store.transaction().execute(async (transaction) => {
    for (const name of names) if (!known.has(name)) await writeArchivePosition(transaction, undefined, name, UNREAD);
  });
}

/** Deletes an archive that {@link announceArchives} stored, if no line of it has been read. */
export async function dropUnread(store: Store, name: string): Promise<void> {
  await store.deleteFrom('archive').where('unfinished_name', '=', name).where('next_offset', '=', 0).execute();
}

/** Deletes the archives whose unfinished names match a pattern. */
export async function deleteArchives(store: Store, pattern: RegExp): Promise<void> {
  for (const { archiveId, name } of await readArchives(store))
    if (name !== null && pattern.test(name)) await deleteArchive(store, archiveId);
}

export async function deleteArchive(store: Store, archiveId: number): Promise<void> {
  await store.deleteFrom('archive').where('archive_id', '=', archiveId).execute();
}

/** Stores the new position of an archive, or adds the archive if `archiveId` is undefined. Returns the archive's id. */
export async function writeArchivePosition(
  store: StoreWriter,
  archiveId: number | undefined,
  name: string,
  position: ArchivePosition,
): Promise<number> {
  const row = {
    prefix_bytes: position.prefixBytes,
    prefix_hash: position.prefixHash,
    last_line_offset: position.lastLineOffset,
    last_line_hash: position.lastLineHash,
    next_offset: position.nextOffset,
    next_line: position.nextLine,
    unfinished_name: name,
    ...failureColumns(undefined),
  };
  const known = archiveId === undefined ? {} : { archive_id: archiveId };
  const stored = store.insertInto('archive').values({ ...known, ...row });
  const written = stored.onConflict((conflict) => conflict.column('archive_id').doUpdateSet(row));
  return (await written.returning('archive_id').executeTakeFirstOrThrow()).archive_id;
}
