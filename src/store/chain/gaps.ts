// Stores and finds gaps. A gap is one or more missing blocks below a stored block.
import { sql } from 'kysely';
import { hashToBlob } from '#sqlite/columns.ts';
import { insertRows, listed, listedHashes } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { blockIdOf, heightOf, heightOfId, isCanonical } from '../schema/chain.ts';
import type { Schema } from '../schema/schema.ts';
import { type Block, toBlock } from './blocks.ts';

const MAX_GAPS = 100;
const IS_CANONICAL = sql.raw(isCanonical('block_gap.block_id'));

/** Returns the height of the highest block whose parent is unknown, optionally only of canonical blocks. */
export async function readHighestGap(store: StoreReader, { canonical = false } = {}): Promise<number | undefined> {
  const { rows } = await sql<{ block_id: number }>`select block_id from block_gap
    where ${canonical ? IS_CANONICAL : sql`true`} order by block_id desc limit 1`.execute(store);
  return rows[0] && heightOf(rows[0].block_id);
}

/** Returns the height of the lowest canonical block above a height whose parent is unknown. */
export async function readLowestGap(store: StoreReader, above: number): Promise<number | undefined> {
  const { rows } = await sql<{ block_id: number }>`select block_id from block_gap
    where block_id >= ${blockIdOf(above + 1, 0)} and ${IS_CANONICAL} order by block_id limit 1`.execute(store);
  return rows[0] && heightOf(rows[0].block_id);
}

export async function insertGap(store: StoreWriter, blockId: number, missing: string): Promise<void> {
  await insertRows(store, 'block_gap', [{ block_id: blockId, missing_hash: hashToBlob(missing) }]);
}

/** Returns the stored blocks whose parent is missing and has this hash, lowest first. */
export async function findAbove(store: StoreReader, missing: string): Promise<Block[]> {
  const { rows } = await sql<Schema['block']>`select block.* from block_gap join block using (block_id)
    where missing_hash = ${hashToBlob(missing)} order by block_id`.execute(store);
  return rows.map(toBlock);
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
    from (select ${sql.raw(heightOfId('block_id'))} as lowest from block where canonical = 1 order by block_id limit 1)
    cross join block_gap
    where height > lowest and missing_hash not in ${listedHashes([...lost])}
    order by block_id desc limit ${MAX_GAPS}`.execute(store);
  return rows;
}
