// Queries about event archives: how far each was read.
import type { ArchivePosition } from '#model/archive-position.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';

export type KnownArchive = ArchivePosition & { readonly archiveId: number };

export async function readArchives(store: StoreReader): Promise<KnownArchive[]> {
  const rows = await store.selectFrom('archive').selectAll().orderBy('archive_id').execute();
  return rows.map((row) => ({
    archiveId: row.archive_id,
    prefixBytes: row.prefix_bytes,
    prefixHash: row.prefix_hash,
    lastLineOffset: row.last_line_offset,
    lastLineHash: row.last_line_hash,
    nextOffset: row.next_offset,
    nextLine: row.next_line,
  }));
}

/** Moves the position of a known archive, or adds a new one. Returns its id. */
export async function writeArchivePosition(
  store: StoreWriter,
  archiveId: number | undefined,
  position: ArchivePosition,
): Promise<number> {
  const row = {
    prefix_bytes: position.prefixBytes,
    prefix_hash: position.prefixHash,
    last_line_offset: position.lastLineOffset,
    last_line_hash: position.lastLineHash,
    next_offset: position.nextOffset,
    next_line: position.nextLine,
  };
  if (archiveId !== undefined) {
    await store.updateTable('archive').set(row).where('archive_id', '=', archiveId).execute();
    return archiveId;
  }
  const inserted = await store.insertInto('archive').values(row).returning('archive_id').executeTakeFirstOrThrow();
  return inserted.archive_id;
}
