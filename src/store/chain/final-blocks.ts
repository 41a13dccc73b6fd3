// Queries about final blocks: the state of finality, and supply changes, which are only needed to undo a block.
import { sql } from 'kysely';
import { insertRows } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { isCanonical } from '../schema/block-ids.ts';
import type { Schema } from '../schema/schema.ts';
import { blockIdOf } from './block-records.ts';
import { readTip } from './blocks.ts';

export type FinalityState = Schema['finality'];

/** Reads the state of finality at a tip; undefined if no state was stored for this tip. */
export async function readFinality(store: StoreReader, tipId: number): Promise<FinalityState | undefined> {
  return store.selectFrom('finality').selectAll().where('tip_id', '=', tipId).executeTakeFirst();
}

/** Returns the highest final height; -1 if no block is final. */
export async function readFinalHeight(store: StoreReader): Promise<number> {
  const tip = await readTip(store);
  return ((tip && (await readFinality(store, tip.blockId)))?.next_height ?? 0) - 1;
}

export async function writeFinality(store: StoreWriter, state: FinalityState): Promise<void> {
  await store.deleteFrom('finality').execute();
  await insertRows(store, 'finality', [state]);
}

/** Deletes the supply changes of canonical blocks in a range of heights; `below` is exclusive. */
export async function deleteSupplyChanges(store: StoreWriter, from: number, below: number): Promise<void> {
  await sql`delete from supply_change where block_id >= ${blockIdOf(from, 0)} and block_id < ${blockIdOf(below, 0)}
    and ${sql.raw(isCanonical('supply_change.block_id'))}`.execute(store);
}
