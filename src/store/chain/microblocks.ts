// Links each deploy in a microblock to the parent block of the microblock, once both are stored.
import { sql } from 'kysely';
import { hashFromBlob } from '#sqlite/columns.ts';
import { listed, listedHashes } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { type Block, searchBlocks } from './blocks.ts';

const IS_UNLINKED = sql`microblock_parent is not null and parent_block_id is null`;

/** Links stored microblocks to these parent blocks. Returns the contracts that the linked microblocks deploy. */
export async function linkMicroblocks(store: StoreWriter, blocks: readonly Block[]): Promise<string[]> {
  if (blocks.length === 0 || !(await hasUnlinked(store))) return [];
  const list = JSON.stringify(blocks.map(({ blockId, indexBlockHash }) => [indexBlockHash, blockId]));
  const { rows } = await sql<{ deploy_id: number }>`update inclusion set parent_block_id = value ->> 1
    from json_each(${list}) where ${IS_UNLINKED} and microblock_parent = unhex(substr(value ->> 0, 3))
    returning deploy_id`.execute(store);
  const deployIds = rows.map((row) => row.deploy_id);
  const deploys = store.selectFrom('deploy').select('contract_id');
  const found = await deploys.where('deploy_id', 'in', listed(deployIds)).execute();
  return found.map((row) => row.contract_id);
}

/** Finds parents of microblocks that are not linked yet. Returns the stored blocks with these hashes. */
export async function findParents(store: StoreReader, hashes: readonly string[]): Promise<Block[]> {
  if (hashes.length === 0) return [];
  const { rows } = await sql<{ hash: Buffer }>`select distinct microblock_parent as hash from inclusion
    where ${IS_UNLINKED} and microblock_parent in ${listedHashes(hashes)}`.execute(store);
  return searchBlocks(
    store,
    rows.map((row) => hashFromBlob(row.hash)),
  );
}

async function hasUnlinked(store: StoreReader): Promise<boolean> {
  return (await sql`select 1 from inclusion where ${IS_UNLINKED} limit 1`.execute(store)).rows.length > 0;
}
