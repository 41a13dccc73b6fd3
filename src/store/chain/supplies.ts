// Queries about supplies: what each block minted and burned, and the sums over the canonical chain.
import type { SupplyChange } from '#model/chain-event.ts';
import { excluded } from '#sqlite/columns.ts';
import { inRuns, readInRuns } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

export async function insertSupplyChanges(
  store: StoreWriter,
  changes: readonly (SupplyChange & { blockId: number })[],
): Promise<void> {
  for (const run of inRuns(changes, 3)) {
    const rows = run.map((change) => ({
      block_id: change.blockId,
      asset_identifier: change.assetIdentifier,
      amount: change.amount.toString(),
    }));
    await store.insertInto('supply_change').values(rows).execute();
  }
}

/** What the given blocks minted less burned. */
export async function readSupplyChanges(store: StoreReader, blockIds: readonly number[]): Promise<SupplyChange[]> {
  const rows = await readInRuns(blockIds, (run) =>
    store.selectFrom('supply_change').selectAll().where('block_id', 'in', run).execute(),
  );
  return rows.map((row) => ({ assetIdentifier: row.asset_identifier, amount: BigInt(row.amount) }));
}

/** Adds to the sums over the canonical chain, and returns the new ones. */
export async function addToSupplies(
  store: StoreWriter,
  amounts: ReadonlyMap<string, bigint>,
): Promise<Map<string, bigint>> {
  const current = await readSupplies(store, [...amounts.keys()]);
  const sums = new Map([...amounts].map(([asset, amount]) => [asset, (current.get(asset) ?? 0n) + amount]));
  for (const run of inRuns([...sums], 2)) {
    const rows = run.map(([asset, amount]) => ({ asset_identifier: asset, amount: amount.toString() }));
    await store
      .insertInto('asset_supply')
      .values(rows)
      .onConflict((conflict) => conflict.column('asset_identifier').doUpdateSet(excluded('amount')))
      .execute();
  }
  return sums;
}

/** Minted less burned on the canonical chain; assets that were never minted are left out. */
export async function readSupplies(
  store: StoreReader,
  assetIdentifiers: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await readInRuns(assetIdentifiers, (run) =>
    store.selectFrom('asset_supply').selectAll().where('asset_identifier', 'in', run).execute(),
  );
  return new Map(rows.map((row) => [row.asset_identifier, BigInt(row.amount)]));
}
