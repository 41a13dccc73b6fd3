// Takes the proof from variables that code which is not known may write: a deploy may pass their contracts to it.

import { DEPLOY } from '#clarity/state-names.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { isOpen } from './reach.ts';
import type { Summaries } from './summaries.ts';
import type { Watched } from './watched.ts';

/** Where blocks are missing, a contract may be passed to one that calls any of its functions. */
export async function loseToUnknown(
  store: StoreWriter,
  summaries: Summaries,
  watched: Watched,
  contractId: string,
  mentions: Float64Array,
): Promise<void> {
  const passed = [...mentions].flatMap((mention) => watched.mentioned(mention) ?? []);
  if (passed.length === 0) return;
  const names = [DEPLOY, ...(await summaries.publicFunctionsOf(store, contractId))];
  const reaches = await Promise.all(
    names.map((functionName) => summaries.reachOf(store, { contractId, functionName })),
  );
  if (!reaches.some(isOpen)) return;
  for (const id of passed)
    for (const functionName of watched.functionsOf(id)) {
      const { writes } = await summaries.reachOf(store, { contractId: id, functionName });
      await watched.lose(store, [...writes]);
    }
}
