// Takes the proof from variables that may be written by what the functions of a contract pass on: to code that is not
// known, or in calls that came before it.

import { DEPLOY } from '#clarity/state-names.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { isOpen } from './reach.ts';
import type { Summaries } from './summaries.ts';
import type { Watched } from './watched.ts';

export async function losePassed(
  store: StoreWriter,
  summaries: Summaries,
  watched: Watched,
  contractId: string,
): Promise<void> {
  const passed = new Set<string>();
  for (const functionName of [DEPLOY, ...(await summaries.publicFunctionsOf(store, contractId))]) {
    const reach = await summaries.reachOf(store, { contractId, functionName });
    if (isOpen(reach)) for (const id of reach.contractIds) passed.add(id);
  }
  // The set grows during the loop: what is passed on may pass others on.
  for (const id of passed) {
    const names = watched.isLeading(id) ? await summaries.publicFunctionsOf(store, id) : watched.functionsOf(id);
    for (const functionName of names) {
      const { writes, contractIds } = await summaries.reachOf(store, { contractId: id, functionName });
      await watched.lose(store, [...writes]);
      for (const further of contractIds) passed.add(further);
    }
  }
}
