// Stores and finds gaps. A gap is one or more missing blocks below a stored block.
import { sql } from 'kysely';
import { hashFromBlob, hashToBlob } from '#sqlite/columns.ts';
import { insertRows, listed, listedHashes, rowsWith } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { heightOfId, isCanonical } from '../schema/block-ids.ts';
import { blockIdOf, heightOf } from './block-records.ts';

const MAX_GAPS = 100;

/** Returns the height of the highest block whose parent is unknown, optionally only of canonical blocks. */
export async function readHighestGap(store: StoreReader, { canonical = false } = {}): Promise<number | undefined> {
  const isChosen = canonical ? sql.raw(isCanonical('block_gap.block_id')) : sql`true`;
  const { rows } = await sql<{ block_id: number }>`select block_id from block_gap
    where ${isChosen} order by block_id desc limit 1`.execute(store);
  return rows[0] && heightOf(rows[0].block_id);
}

/** Returns the height of the lowest canonical block above a height whose parent is unknown. */
export async function readLowestGap(store: StoreReader, above: number): Promise<number | undefined> {
  const { rows } = await sql<{ block_id: number }>`select block_id from block_gap
    where block_id >= ${blockIdOf(above + 1, 0)} and ${sql.raw(isCanonical('block_gap.block_id'))}
    order by block_id limit 1`.execute(store);
  return rows[0] && heightOf(rows[0].block_id);
}

export async function insertGap(store: StoreWriter, blockId: number, missing: string): Promise<void> {
  await insertRows(store, 'block_gap', [{ block_id: blockId, missing_hash: hashToBlob(missing) }], (conflict) =>
    conflict.doNothing(),
  );
}

/** Returns the ids of the stored blocks whose parent is missing and has this hash. */
export async function findAbove(store: StoreReader, missing: string): Promise<number[]> {
  const above = store.selectFrom('block_gap').select('block_id').where('missing_hash', '=', hashToBlob(missing));
  return (await above.orderBy('block_id').execute()).map((row) => row.block_id);
}

/** Returns those block ids whose block has an unknown parent. */
export async function readGapsOf(store: StoreReader, blockIds: readonly number[]): Promise<Set<number>> {
  return new Set((await rowsWith(store, 'block_gap', 'block_id', blockIds)).map((row) => row.block_id));
}

/** Returns the hash of the missing parent of a block; undefined if its parent is known. */
export async function readMissing(store: StoreReader, blockId: number): Promise<string | undefined> {
  const row = await store
    .selectFrom('block_gap')
    .select('missing_hash')
    .where('block_id', '=', blockId)
    .executeTakeFirst();
  return row && hashFromBlob(row.missing_hash);
}

export async function deleteGaps(store: StoreWriter, blockIds: readonly number[]): Promise<void> {
  await store.deleteFrom('block_gap').where('block_id', 'in', listed(blockIds)).execute();
}

export type Gap = Awaited<ReturnType<typeof readGaps>>[number];

/**
 * Returns the hash of each missing block and the height of the block above it, highest first. Excludes the hashes in
 * `lost`, and the parent of the lowest block, because an index may begin at any height.
 */
export async function readGaps(store: StoreReader, lost: ReadonlySet<string>) {
  const { rows } = await sql<{ missing: string; height: number; lowest: number }>`
    select '0x' || lower(hex(missing_hash)) as missing, ${sql.raw(heightOfId('block_id'))} as height, lowest
    from (select lowest from block_page order by page limit 1)
    cross join block_gap
    where height > lowest and missing_hash not in ${listedHashes([...lost])}
    order by block_id desc limit ${MAX_GAPS}`.execute(store);
  return rows;
}
