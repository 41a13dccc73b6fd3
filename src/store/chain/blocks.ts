// Queries about blocks. Canonical blocks are stored in pages, and other blocks in rows.

import { sql } from 'kysely';
import { countRows } from '#sqlite/aggregates.ts';
import { hashFromBlob, hashToBlob } from '#sqlite/columns.ts';
import { insertRows, listed, listedHashes, rowsWith } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import type { Schema } from '../schema/schema.ts';
import { BlockPages, heightsOf, readCanonical } from './block-pages.ts';
import { type Block, BlockPage, blockIdOf, heightOf, MAX_FORKS } from './block-records.ts';
import { readGapsOf } from './gaps.ts';

/** A block that is not canonical. */
export interface SideBlock extends Block {
  readonly parentIndexBlockHash: string;
}

export async function readTip(store: StoreReader): Promise<Block | undefined> {
  const last = store.selectFrom('block_page').select(['page', 'highest', 'records']).orderBy('page', 'desc').limit(1);
  const row = await last.executeTakeFirst();
  return row && new BlockPage(row.page, row.records).block(row.highest);
}

/** Returns the lowest block height that is known to be in a tenure. Nodes that replay blocks do not send tenures. */
export async function readFirstTenure(store: StoreReader): Promise<number | undefined> {
  const { rows } = await sql<{ first: number | null }>`
    select min(first_in_tenure) as first from block_page where first_in_tenure is not null`.execute(store);
  return rows[0]?.first ?? undefined;
}

/** Reads blocks, and returns them by id. */
export async function readBlocks(store: StoreReader, blockIds: Iterable<number>): Promise<Map<number, Block>> {
  const ids = [...new Set(blockIds)];
  const blocks = new Map<number, Block>();
  if (ids.length === 0) return blocks;
  const canonical = await readCanonical(store, heightsOf(ids));
  for (const id of ids) {
    const block = canonical.get(id);
    if (block !== undefined) blocks.set(id, block);
  }
  const missing = ids.filter((id) => !blocks.has(id));
  for (const block of await readSideBlocks(store, missing)) blocks.set(block.blockId, block);
  return blocks;
}

export async function readSideBlocks(store: StoreReader, blockIds: readonly number[]): Promise<SideBlock[]> {
  return blockIds.length === 0 ? [] : (await rowsWith(store, 'side_block', 'block_id', blockIds)).map(toSideBlock);
}

/** Reads canonical blocks by id. `parentBurnHeight` is undefined if the parent of the block is unknown. */
export async function readWithParents(store: StoreReader, blockIds: Iterable<number>) {
  const heights = heightsOf(blockIds);
  const canonical = await readCanonical(
    store,
    [...heights].flatMap((height) => [height, height - 1]),
  );
  const byHeight = new Map([...canonical.values()].map((block) => [block.height, block]));
  const gaps = await readGapsOf(store, [...blockIds]);
  const pages = new BlockPages(store);
  const blocks = new Map<number, Block & { readonly parentBurnHeight: number | undefined }>();
  for (const blockId of blockIds) {
    const block = canonical.get(blockId);
    if (block === undefined) continue;
    const parent = byHeight.get(block.height - 1) ?? (await pages.blockBelow(block.height));
    blocks.set(blockId, { ...block, parentBurnHeight: gaps.has(blockId) ? undefined : parent?.burnBlockHeight });
  }
  return blocks;
}

/** True if the index has a side block with this hash, or a canonical block with this hash below a height. */
export async function isKnownBelow(store: StoreReader, indexBlockHash: string, height: number): Promise<boolean> {
  const [side] = await findSideBlocks(store, [indexBlockHash]);
  return side !== undefined || (await new BlockPages(store).findBelow(indexBlockHash, height)) !== undefined;
}

export async function findSideBlocks(store: StoreReader, indexBlockHashes: readonly string[]): Promise<SideBlock[]> {
  if (indexBlockHashes.length === 0) return [];
  return (await rowsWith(store, 'side_block', 'index_block_hash', listedHashes(indexBlockHashes))).map(toSideBlock);
}

export async function hasSideBlocks(store: StoreReader): Promise<boolean> {
  return (await store.selectFrom('side_block').select('block_id').limit(1).execute()).length > 0;
}

/** Returns the ids of all side blocks by hash. */
export async function readSideBlockIds(store: StoreReader): Promise<Map<string, number>> {
  const rows = await store.selectFrom('side_block').select(['block_id', 'index_block_hash']).execute();
  return new Map(rows.map((row) => [hashFromBlob(row.index_block_hash), row.block_id]));
}

/** Returns the highest fork number of the side blocks at this height; -1 without side blocks. */
export async function lastSideFork(store: StoreReader, height: number): Promise<number> {
  const at = store.selectFrom('side_block').select('block_id').where('block_id', '>=', blockIdOf(height, 0));
  const [last] = await at
    .where('block_id', '<', blockIdOf(height + 1, 0))
    .orderBy('block_id', 'desc')
    .limit(1)
    .execute();
  return last === undefined ? -1 : last.block_id % MAX_FORKS;
}

export async function canonicalBlocksAt(store: StoreReader, heights: Iterable<number>): Promise<Block[]> {
  return [...(await readCanonical(store, heights)).values()];
}

export async function insertSideBlocks(store: StoreWriter, blocks: readonly SideBlock[]): Promise<void> {
  const rows = blocks.map((block) => ({
    block_id: block.blockId,
    index_block_hash: hashToBlob(block.indexBlockHash),
    parent_index_block_hash: hashToBlob(block.parentIndexBlockHash),
    burn_block_height: block.burnBlockHeight,
    tenure_height: block.tenureHeight ?? null,
    burn_view_height: block.burnViewHeight ?? null,
    burn_block_time: block.burnBlockTime ?? null,
  }));
  await insertRows(store, 'side_block', rows);
}

export async function deleteSideBlocks(store: StoreWriter, blockIds: readonly number[]): Promise<void> {
  await store.deleteFrom('side_block').where('block_id', 'in', listed(blockIds)).execute();
}

export async function countBlocks(store: StoreReader): Promise<{ canonical: number; orphaned: number }> {
  const sum = store.selectFrom('block_page').select((eb) => eb.fn.sum<number | null>('blocks').as('blocks'));
  const canonical = (await sum.executeTakeFirst())?.blocks ?? 0;
  return { canonical, orphaned: await countRows(store.selectFrom('side_block')) };
}

/** Finds blocks by their hashes at any height. Reads pages from the tip downwards until all are found. */
export async function searchBlocks(store: StoreReader, indexBlockHashes: readonly string[]): Promise<Block[]> {
  const found: Block[] = await findSideBlocks(store, indexBlockHashes);
  const missing = new Map(indexBlockHashes.map((hash) => [hash, hashToBlob(hash)]));
  for (const { indexBlockHash } of found) missing.delete(indexBlockHash);
  let below = Number.MAX_SAFE_INTEGER;
  while (missing.size > 0) {
    const next = store.selectFrom('block_page').select(['page', 'records']).where('page', '<', below);
    const row = await next.orderBy('page', 'desc').limit(1).executeTakeFirst();
    if (row === undefined) break;
    const page = new BlockPage(row.page, row.records);
    for (const height of missing.size > MANY_HASHES ? page.heights() : findAny(page, missing.values())) {
      const block = page.block(height);
      if (block !== undefined && missing.delete(block.indexBlockHash)) found.push(block);
    }
    below = row.page;
  }
  return found;
}

/** The maximum number of hashes to search for one by one. Above it, comparing every block of a page is faster. */
const MANY_HASHES = 20;

function findAny(page: BlockPage, hashes: Iterable<Buffer>): number[] {
  return [...hashes].flatMap((hash) => page.find(hash) ?? []);
}

function toSideBlock(row: Schema['side_block']): SideBlock {
  return {
    blockId: row.block_id,
    indexBlockHash: hashFromBlob(row.index_block_hash),
    parentIndexBlockHash: hashFromBlob(row.parent_index_block_hash),
    height: heightOf(row.block_id),
    burnBlockHeight: row.burn_block_height,
    tenureHeight: row.tenure_height ?? undefined,
    burnViewHeight: row.burn_view_height ?? undefined,
    burnBlockTime: row.burn_block_time ?? undefined,
    canonical: false,
  };
}
