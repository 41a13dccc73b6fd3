// Queries about blocks, canonical or not.
import { type SqlBool, sql } from 'kysely';
import { countRows } from '#sqlite/aggregates.ts';
import { hashFromBlob, hashToBlob, toFlag } from '#sqlite/columns.ts';
import { inPages, insertRows, listed, listedHashes, rowsWith } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { blockIdOf, heightOf } from '../schema/chain.ts';
import type { Schema } from '../schema/schema.ts';

/** A stored block. Hashes are lower-case hex with a 0x prefix. */
export interface Block {
  /** The height and the fork number (schema/chain.ts). */
  readonly blockId: number;
  readonly indexBlockHash: string;
  readonly height: number;
  readonly burnBlockHeight: number;
  readonly tenureHeight: number | undefined;
  readonly burnViewHeight: number | undefined;
  /** Seconds since the epoch. */
  readonly burnBlockTime: number | undefined;
  /** Undefined for a canonical block. */
  readonly parentIndexBlockHash: string | undefined;
  readonly canonical: boolean;
}

type BlockRow = Schema['block'];

export async function readTip(store: StoreReader): Promise<Block | undefined> {
  return readBlockBelow(store, MAX_HEIGHT);
}

/** A height above all blocks. */
const MAX_HEIGHT = 2 ** 33;

/** Returns the height of the lowest canonical block; undefined without a block. */
export async function readLowestHeight(store: StoreReader): Promise<number | undefined> {
  const lowest = store.selectFrom('block').select('block_id').where('canonical', '=', 1).orderBy('block_id').limit(1);
  const row = await lowest.executeTakeFirst();
  return row && heightOf(row.block_id);
}

/** Returns the lowest block height that is known to be in a tenure. Nodes that replay blocks do not send tenures. */
export async function readFirstTenure(store: StoreReader): Promise<number | undefined> {
  const inTenure = store
    .selectFrom('block')
    .select('block_id')
    .where('canonical', '=', 1)
    .where((eb) => eb.or([eb('tenure', 'is not', null), eb('view', 'is not', null)]));
  const row = await inTenure.orderBy('block_id').limit(1).executeTakeFirst();
  return row && heightOf(row.block_id);
}

/** Reads blocks, and returns them by id. */
export async function readBlocks(store: StoreReader, blockIds: Iterable<number>): Promise<Map<number, Block>> {
  const rows = await rowsWith(store, 'block', 'block_id', [...new Set(blockIds)]);
  return new Map(rows.map((row) => [row.block_id, toBlock(row)]));
}

/** Reads canonical blocks by id. `parentBurnHeight` is undefined if the parent of the block is unknown. */
export async function readWithParents(store: StoreReader, blockIds: Iterable<number>) {
  const { rows } = await sql<BlockRow & { parent_burn_height: number | null }>`
    select *, case when block_id not in (select block_id from block_gap) then
      (select burn_height from block as lower where lower.block_id < block.block_id and lower.canonical = 1
        order by lower.block_id desc limit 1) end as parent_burn_height
    from block where canonical = 1 and block_id in ${listed([...blockIds])}`.execute(store);
  return new Map(
    rows.map((row) => [row.block_id, { ...toBlock(row), parentBurnHeight: row.parent_burn_height ?? undefined }]),
  );
}

/** Returns the highest canonical block below a height. */
export async function readBlockBelow(store: StoreReader, height: number): Promise<Block | undefined> {
  const below = store.selectFrom('block').selectAll().where('block_id', '<', blockIdOf(height, 0));
  const row = await below.where('canonical', '=', 1).orderBy('block_id', 'desc').limit(1).executeTakeFirst();
  return row && toBlock(row);
}

/** Finds a block below a height by its hash: the next lower canonical block, or any block that is not canonical. */
export async function findBelow(store: StoreReader, hash: string, height: number): Promise<Block | undefined> {
  const next = await readBlockBelow(store, height);
  if (next?.indexBlockHash === hash) return next;
  const side = store.selectFrom('block').selectAll().where('canonical', '=', 0).where('hash', '=', hashToBlob(hash));
  const row = await side.where('block_id', '<', blockIdOf(height, 0)).limit(1).executeTakeFirst();
  return row && toBlock(row);
}

/** Finds blocks by their hashes at any height, from the tip downwards. */
export async function searchBlocks(store: StoreReader, hashes: readonly string[]): Promise<Block[]> {
  if (hashes.length === 0) return [];
  const { rows } = await sql<BlockRow>`select * from block where hash in ${listedHashes(hashes)}
    order by block_id desc limit ${hashes.length}`.execute(store);
  return rows.map(toBlock);
}

/** True if a block with this hash has a height from `first` to `last`. */
export async function hasBlock(store: StoreReader, hash: string, first: number, last: number): Promise<boolean> {
  const between = store
    .selectFrom('block')
    .select('block_id')
    .where(isBetween(first - 1, last + 1));
  const found = between.where('hash', '=', hashToBlob(hash)).orderBy('block_id', 'desc').limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Reads the canonical blocks between two heights, lowest first. */
export async function readCanonical(store: StoreReader, above: number, below: number): Promise<Block[]> {
  const between = store.selectFrom('block').selectAll().where(isBetween(above, below)).where('canonical', '=', 1);
  return (await between.orderBy('block_id').execute()).map(toBlock);
}

/** Yields the canonical blocks at and above a height, lowest first. */
export async function* readUpFrom(store: StoreReader, height: number): AsyncGenerator<Block> {
  const blocks = store
    .selectFrom('block')
    .selectAll()
    .where('canonical', '=', 1)
    .orderBy('block_id')
    .limit(READ_AT_ONCE);
  const pages = inPages(
    (after) => blocks.where('block_id', '>', after).execute(),
    ({ block_id: id }) => id,
    blockIdOf(height, 0) - 1,
  );
  for await (const rows of pages) for (const row of rows) yield toBlock(row);
}

const READ_AT_ONCE = 5_000;

/** Returns the hashes of all blocks at these heights. */
export async function readHashesAt(store: StoreReader, heights: readonly number[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: Buffer }>`select hash from json_each(${JSON.stringify(heights)}) cross join block
    on block_id >= ${idAt('value')} and block_id < ${idAt('value + 1')}`.execute(store);
  return new Set(rows.map(({ hash }) => hashFromBlob(hash)));
}

/** Returns an SQL expression for the lowest block id at a height. */
const idAt = (height: string) => sql.raw(`((${height}) << 12)`);

/** Returns the number of blocks at a height. */
export function countForks(store: StoreReader, height: number): Promise<number> {
  return countRows(store.selectFrom('block').where(isBetween(height - 1, height + 1)));
}

export async function countBlocks(store: StoreReader): Promise<{ canonical: number; orphaned: number }> {
  const all = await countRows(store.selectFrom('block'));
  const orphaned = await countRows(store.selectFrom('block').where('canonical', '=', 0));
  return { canonical: all - orphaned, orphaned };
}

/** Returns the ids of all blocks that are not canonical, by hash. */
export async function readSideBlockIds(store: StoreReader): Promise<Map<string, number>> {
  const rows = await store.selectFrom('block').select(['block_id', 'hash']).where('canonical', '=', 0).execute();
  return new Map(rows.map((row) => [hashFromBlob(row.hash), row.block_id]));
}

export async function insertBlocks(store: StoreWriter, blocks: readonly Block[]): Promise<void> {
  const rows = blocks.map((block) => ({
    block_id: block.blockId,
    hash: hashToBlob(block.indexBlockHash),
    burn_height: block.burnBlockHeight,
    tenure: block.tenureHeight ?? null,
    view: block.burnViewHeight ?? null,
    time: block.burnBlockTime ?? null,
    parent: block.parentIndexBlockHash === undefined ? null : hashToBlob(block.parentIndexBlockHash),
    canonical: toFlag(block.canonical),
  }));
  await insertRows(store, 'block', rows);
}

/** Makes blocks canonical. */
export async function adoptBlocks(store: StoreWriter, blockIds: readonly number[]): Promise<void> {
  await sql`update block set canonical = 1, parent = null where block_id in ${listed(blockIds)}`.execute(store);
}

/** Makes the canonical blocks between two heights orphans, and returns their ids. */
export async function orphanBetween(store: StoreWriter, above: number, below: number): Promise<number[]> {
  // A block without a lower block and without a gap is the genesis block.
  const { rows } = await sql<{ block_id: number }>`update block set canonical = 0, parent = replaced.parent
    from (select block_id, coalesce(missing_hash,
        (select hash from block as lower where lower.block_id < block.block_id and lower.canonical = 1
          order by lower.block_id desc limit 1),
        zeroblob(32)) as parent
      from block left join block_gap using (block_id) where canonical = 1 and ${isBetween(above, below)}) as replaced
    where block.block_id = replaced.block_id returning block.block_id`.execute(store);
  return rows.map((row) => row.block_id);
}

function isBetween(above: number, below: number) {
  return sql<SqlBool>`block_id >= ${blockIdOf(above + 1, 0)}
    and block_id < ${blockIdOf(Math.min(below, MAX_HEIGHT), 0)}`;
}

export function toBlock(row: BlockRow): Block {
  return {
    blockId: row.block_id,
    indexBlockHash: hashFromBlob(row.hash),
    height: heightOf(row.block_id),
    burnBlockHeight: row.burn_height,
    tenureHeight: row.tenure ?? undefined,
    burnViewHeight: row.view ?? undefined,
    burnBlockTime: row.time ?? undefined,
    parentIndexBlockHash: row.parent === null ? undefined : hashFromBlob(row.parent),
    canonical: row.canonical === 1,
  };
}
