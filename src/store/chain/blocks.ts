// Queries about blocks: reads and changes for the canonical rule.

import { type SqlBool, sql } from 'kysely';
import { countRows, highest } from '#sqlite/aggregates.ts';
import { hashFromBlob, hashToBlob, toFlag } from '#sqlite/columns.ts';
import { insertRows, listed, listedHashes, rowsWith } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import type { Schema } from '../schema/schema.ts';

export type Block = Readonly<ReturnType<typeof toBlock>>;

/** With a literal, so that SQLite can choose the partial index when it prepares the statement. */
const IS_CANONICAL = sql<SqlBool>`canonical = 1`;

export async function readTip(store: StoreReader): Promise<Block | undefined> {
  const highest = blocks(store).where(IS_CANONICAL).orderBy('height', 'desc').limit(1);
  return (await highest.execute()).map(toBlock)[0];
}

/** The height from which blocks are in tenures, if any is known to be: those that a node replays do not say. */
export async function readFirstTenure(store: StoreReader): Promise<number | undefined> {
  const inTenures = blocks(store)
    .where(IS_CANONICAL)
    .where(({ eb, or }) => or([eb('tenure_height', 'is not', null), eb('burn_view_height', 'is not', null)]));
  return (await inTenures.orderBy('height').limit(1).execute())[0]?.height;
}

export async function findBlocks(store: StoreReader, indexBlockHashes: readonly string[]): Promise<Block[]> {
  return (await rowsWith(store, 'block', 'index_block_hash', listedHashes(indexBlockHashes))).map(toBlock);
}

export async function findBlock(store: StoreReader, indexBlockHash: string): Promise<Block | undefined> {
  return (await findBlocks(store, [indexBlockHash]))[0];
}

export async function findChildren(store: StoreReader, indexBlockHash: string): Promise<Block[]> {
  return (await rowsWith(store, 'block', 'parent_index_block_hash', listedHashes([indexBlockHash]))).map(toBlock);
}

export async function canonicalBlocksAt(store: StoreReader, heights: readonly number[]): Promise<Block[]> {
  const canonical = blocks(store)
    .where(IS_CANONICAL)
    .where('height', 'in', listed([...new Set(heights)]));
  return (await canonical.execute()).map(toBlock);
}

export interface DayStart {
  readonly height: number;
  /** UTC, ISO 8601. */
  readonly day: string;
}

/** The first canonical block of each day by burn block time, without the days that have none. */
export async function readDayStarts(store: StoreReader): Promise<DayStart[]> {
  const next = (time: string) => `(select block_id from block where canonical = 1 and burn_block_time >= ${time}
    order by burn_block_time, height limit 1)`;
  const { rows } = await sql<DayStart>`with recursive start (time, height) as (
      select burn_block_time, height from block where block_id = ${sql.raw(next('0'))}
      union all
      select block.burn_block_time, block.height from start
        join block on block.block_id = ${sql.raw(next('(start.time / 86400 + 1) * 86400'))}
    ) select height, date(time, 'unixepoch') as day from start`.execute(store);
  return rows;
}

export async function canonicalBlockIds(store: StoreReader, above: number, below: number): Promise<number[]> {
  const between = blocks(store).where(IS_CANONICAL).where('height', '>', above).where('height', '<', below);
  return (await between.execute()).map((row) => row.block_id);
}

export async function insertBlocks(store: StoreWriter, blocks: readonly Block[]): Promise<void> {
  const rows = blocks.map((block) => ({
    block_id: block.blockId,
    index_block_hash: hashToBlob(block.indexBlockHash),
    parent_index_block_hash: hashToBlob(block.parentIndexBlockHash),
    height: block.height,
    burn_block_height: block.burnBlockHeight,
    tenure_height: block.tenureHeight ?? null,
    burn_view_height: block.burnViewHeight ?? null,
    burn_block_time: block.burnBlockTime ?? null,
    canonical: toFlag(block.canonical),
  }));
  await insertRows(store, 'block', rows);
}

export async function setCanonical(store: StoreWriter, blockIds: readonly number[], canonical: boolean): Promise<void> {
  await store
    .updateTable('block')
    .set({ canonical: toFlag(canonical) })
    .where('block_id', 'in', listed(blockIds))
    .execute();
}

export function lastBlockId(store: StoreReader): Promise<number> {
  return highest(store, 'block', 'block_id');
}

export async function countBlocks(store: StoreReader): Promise<{ canonical: number; orphaned: number }> {
  const canonical = await countRows(store.selectFrom('block').where(IS_CANONICAL));
  return { canonical, orphaned: (await countRows(store.selectFrom('block'))) - canonical };
}

function blocks(store: StoreReader) {
  return store.selectFrom('block').selectAll();
}

function toBlock(row: Schema['block']) {
  return {
    blockId: row.block_id,
    indexBlockHash: hashFromBlob(row.index_block_hash),
    parentIndexBlockHash: hashFromBlob(row.parent_index_block_hash),
    height: row.height,
    burnBlockHeight: row.burn_block_height,
    tenureHeight: row.tenure_height ?? undefined,
    burnViewHeight: row.burn_view_height ?? undefined,
    /** Seconds since the epoch. */
    burnBlockTime: row.burn_block_time ?? undefined,
    canonical: row.canonical === 1,
  };
}

export async function readHeights(store: StoreReader, blockIds: readonly number[]): Promise<number[]> {
  const rows = await store.selectFrom('block').select('height').where('block_id', 'in', listed(blockIds)).execute();
  return rows.map(({ height }) => height);
}
