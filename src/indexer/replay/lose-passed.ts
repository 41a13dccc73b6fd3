// Takes the proof from variables of contracts that the functions of a contract may pass on: to code that is not known, or
// in calls that came before it.

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
  for (const functionName of [DEPLOY, ...(await summaries.publicFunctionsOf(store, contractId))]) {
    const reach = await summaries.reachOf(store, { contractId, functionName });
    if (!isOpen(reach)) continue;
    for (const id of reach.contractIds)
      for (const name of watched.functionsOf(id)) {
        const { writes } = await summaries.reachOf(store, { contractId: id, functionName: name });
        await watched.lose(store, [...writes]);
      }
  }
}
