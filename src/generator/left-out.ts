// Finds the contracts that the output folder cannot hold: on a disk that ignores case, contracts with the paths of
// another contract, and on Windows, contracts with names of devices.

import { DEVICE_NAMES } from '#layout/device-names.ts';
import { isSelected } from '#routes/subject.ts';
import { readServedAmong, type ServedContract } from '#store/contracts/contracts.ts';
import { findCaseTwins, findNamed } from '#store/contracts/unwritable-contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { BuildOptions } from './build-options.ts';
import type { Output } from './open-output.ts';

/**
 * Returns the ids of the contracts to leave out, and of the twins to keep. Twins are contracts whose ids differ only in
 * case. A build keeps the twin that was deployed first.
 */
export async function readLeftOut(
  reader: StoreReader,
  { ignoresCase, hasDevices }: Pick<Output, 'ignoresCase' | 'hasDevices'>,
  options: Pick<BuildOptions, 'only'>,
): Promise<{ readonly leftOut: string[]; readonly kept: string[] }> {
  const devices = new Set(hasDevices ? await findNamed(reader, DEVICE_NAMES) : []);
  const twins = ignoresCase ? await readServedAmong(reader, await findCaseTwins(reader)) : [];
  const possible = twins.filter((twin) => isSelected(twin, options) && !devices.has(twin.contractId));
  const groups = Map.groupBy(possible.sort(inChainOrder), ({ contractId }) => contractId.toLowerCase());
  const ids = [...groups.values()].map((group) => group.map(({ contractId }) => contractId));
  return {
    leftOut: [...devices, ...ids.flatMap(([, ...later]) => later)].sort(),
    kept: ids.flatMap(([first = '', ...later]) => (later.length > 0 ? [first] : [])),
  };
}

/** Sorts contracts by their deploys. Contracts that are not on the canonical chain, or not yet, come last. */
function inChainOrder(left: ServedContract, right: ServedContract): number {
  return (
    Number(right.canonical) - Number(left.canonical) ||
    Number(right.confirmed) - Number(left.confirmed) ||
    left.blockHeight - right.blockHeight ||
    left.txIndex - right.txIndex ||
    (left.contractId < right.contractId ? -1 : 1)
  );
}
