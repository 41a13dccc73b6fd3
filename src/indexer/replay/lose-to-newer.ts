// Takes the proof from variables of contracts that older code names, and may pass to a new contract which calls their
// functions on a trait: calls of the older code were not watched for it. Read again, with all code known, they are.

import { functionKey, traitFunctionKey } from '#clarity/name-key.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { findCallers } from '#store/replay/watches.ts';
import { type Carriers, MAX_CALLERS } from './find-writers.ts';
import type { Summaries } from './summaries.ts';
import type { Watched } from './watched.ts';

interface Parts {
  readonly summaries: Summaries;
  readonly carriers: Carriers;
  readonly watched: Watched;
}

/** `calls`: keys of what the new contract calls. */
export async function loseToNewer(
  store: StoreWriter,
  { summaries, carriers, watched }: Parts,
  contractId: string,
  calls: Float64Array,
): Promise<void> {
  // What many call on a trait is followed from the deploy of whatever names a contract that has it.
  const isCarrier = async (key: number) => watched.isCarrier(key) && !(await carriers.haveMany(store, key));
  let mayCarry = false;
  for (const key of calls) mayCarry ||= watched.isCarrier(key) && (await isCarrier(key));
  if (!mayCarry) return;
  /** Functions that take a contract, and the names of functions that they call on it. */
  const [taking, called] = [new Set<string>(), new Set<string>()];
  for (const functionName of await summaries.publicFunctionsOf(store, contractId)) {
    const { traitCalls } = await summaries.reachOf(store, { contractId, functionName });
    for (const name of traitCalls.keys())
      if (await isCarrier(traitFunctionKey(name))) {
        taking.add(functionName);
        called.add(name);
      }
  }
  watched.addCarriers([...taking].flatMap((name) => [functionKey(contractId, name), traitFunctionKey(name)]));
  // The set grows during the loop.
  const passers = new Set(await findCallers(store, [...taking].map(traitFunctionKey), MAX_CALLERS + 1));
  passers.delete(contractId);
  for (const passer of passers) {
    if (carriers.isPending(passer)) continue;
    const keys: number[] = [];
    for (const functionName of await summaries.publicFunctionsOf(store, passer)) {
      const { traitCalls, contractIds } = await summaries.reachOf(store, { contractId: passer, functionName });
      if (taking.isDisjointFrom(traitCalls)) continue;
      keys.push(functionKey(passer, functionName));
      if (watched.functionsOf(passer).has(functionName)) continue;
      for (const id of contractIds)
        for (const name of watched.functionsOf(id).intersection(called)) {
          const { writes } = await summaries.reachOf(store, { contractId: id, functionName: name });
          await watched.lose(store, [...writes]);
        }
    }
    if (passers.size <= MAX_CALLERS) for (const id of await findCallers(store, keys, MAX_CALLERS + 1)) passers.add(id);
  }
}
