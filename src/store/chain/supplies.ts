// Queries about supplies: the minted and burned amounts of each block, and their sums over the canonical chain.

import { sql } from 'kysely';
import type { SupplyChange } from '#model/chain-event.ts';
import { excluded } from '#sqlite/columns.ts';
import { insertRows, rowsWith } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { blockIdOf, isCanonical } from '../schema/chain.ts';

export async function insertSupplyChanges(
  store: StoreWriter,
  changes: readonly (SupplyChange & { blockId: number })[],
): Promise<void> {
  const rows = changes.map((change) => ({
    block_id: change.blockId,
    asset_identifier: change.assetIdentifier,
    amount: change.amount.toString(),
  }));
  await insertRows(store, 'supply_change', rows);
}

export async function readSupplyChanges(store: StoreReader, blockIds: readonly number[]): Promise<SupplyChange[]> {
  const rows = await rowsWith(store, 'supply_change', 'block_id', blockIds);
  return rows.map((row) => ({ assetIdentifier: row.asset_identifier, amount: BigInt(row.amount) }));
}

/** Deletes the supply changes of canonical blocks in a range of heights; `below` is exclusive. */
export async function deleteSupplyChanges(store: StoreWriter, from: number, below: number): Promise<void> {
  await sql`delete from supply_change where block_id >= ${blockIdOf(from, 0)} and block_id < ${blockIdOf(below, 0)}
    and ${sql.raw(isCanonical('supply_change.block_id'))}`.execute(store);
}

/** Adds amounts to the stored supplies, by asset identifier. Returns the new supplies. */
export async function addToSupplies(store: StoreWriter, amounts: ReadonlyMap<string, bigint>) {
  const current = await readSupplies(store, [...amounts.keys()]);
  const sums = new Map([...amounts].map(([asset, amount]) => [asset, (current.get(asset) ?? 0n) + amount]));
  const rows = [...sums].map(([asset, amount]) => ({ asset_identifier: asset, amount: amount.toString() }));
  await insertRows(store, 'asset_supply', rows, (conflict) => conflict.doUpdateSet(excluded('amount')));
  return sums;
}

/** Reads minted minus burned amounts of assets on the canonical chain. Skips assets that were never minted. */
export async function readSupplies(store: StoreReader, assetIdentifiers: readonly string[]) {
  const rows = await rowsWith(store, 'asset_supply', 'asset_identifier', assetIdentifiers);
  return new Map(rows.map((row) => [row.asset_identifier, BigInt(row.amount)]));
}
