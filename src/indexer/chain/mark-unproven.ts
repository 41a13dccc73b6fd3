// Marks values from nodes and token lists as unproven if they predate new mints and burns, or come from an abandoned
// branch.
import type { SupplyChange } from '#model/chain-event.ts';
import { readSupplyChanges } from '#store/chain/supplies.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { heightOf } from '#store/schema/chain.ts';
import { dropOtherSupplies, markOrphanedUnproven, markUntrackedUnproven } from '#store/tokens/unproven-readings.ts';
import type { AddedBlock } from '../new-block.ts';

/** Marks values as unproven after blocks were added, adopted or orphaned. `gap` is the height of the highest gap. */
export async function markUnproven(
  store: StoreWriter,
  added: readonly AddedBlock[],
  { orphaned, adopted }: { readonly orphaned: readonly number[]; readonly adopted: readonly number[] },
  gap: number,
): Promise<void> {
  const minted = added.filter(({ event, block }) => block.canonical && event.supplyChanges.length > 0);
  const heights = [...minted.map(({ block }) => block.height), ...adopted.map(heightOf)];
  const below = heights.reduce((highest, height) => Math.max(highest, height), 0);
  const changes = minted.flatMap(({ event }) => event.supplyChanges);
  const newer = contractsOf([...changes, ...(await readSupplyChanges(store, adopted))]);
  if (newer.length > 0) await dropOtherSupplies(store, newer, { below }, gap);
  await markUntrackedUnproven(store);
  if (orphaned.length === 0) return;
  await markOrphanedUnproven(store, orphaned);
  const left = contractsOf(await readSupplyChanges(store, orphaned));
  const from = orphaned.map(heightOf).reduce((lowest, height) => Math.min(lowest, height));
  if (left.length > 0) await dropOtherSupplies(store, left, { from }, gap);
}

function contractsOf(changes: readonly SupplyChange[]): string[] {
  return [...new Set(changes.map(({ assetIdentifier: asset }) => asset.slice(0, asset.indexOf('::'))))];
}
