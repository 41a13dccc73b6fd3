// Finds the functions that may write variables, from the names in the code of contracts.

import type { FunctionName } from '#clarity/function-effects.ts';
import { functionKey, traitFunctionKey } from '#clarity/name-key.ts';
import { DEPLOY } from '#clarity/state-names.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { findCallers } from '#store/replay/watches.ts';
import type { Reach, Variable } from './reach.ts';
import type { Summaries } from './summaries.ts';

export interface Writer {
  readonly name: FunctionName;
  readonly reach: Reach;
}

interface Writers {
  readonly writers: readonly Writer[];
  /** False if there may be more writers that were deployed earlier. */
  readonly isAll: boolean;
}

/** A contract with more callers is not followed, unless a getter reads it: BNS has 60,000. */
export const MAX_CALLERS = 50;
/** Limit for a contract that a getter reads and that was deployed before the getter. */
const MAX_CALLERS_OF_READ = 500;

interface Search {
  /** Of the variables, from what getters read. */
  readonly distance: number;
  /** True if nothing can have called the contract yet. */
  readonly isNew: boolean;
  /** True if the archive is read again. */
  readonly isAgain: boolean;
  /** True if code or a call may have passed a contract on. */
  readonly wasPassed: (contractId: string) => Promise<boolean>;
}

/** Functions that transactions can call and that may write these variables; undefined if there are too many. */
export async function findWriters(
  store: StoreWriter,
  summaries: Summaries,
  ownerId: string,
  variables: ReadonlySet<Variable>,
  { distance, isNew, isAgain, wasPassed }: Search,
): Promise<Writers | undefined> {
  const writers: Writer[] = [];
  let isAll = true;
  const most = distance === 0 ? MAX_CALLERS_OF_READ : MAX_CALLERS;
  const contractIds = new Set([ownerId]);
  for (const contractId of contractIds) {
    const keys: number[] = [];
    const names = await summaries.publicFunctionsOf(store, contractId);
    for (const functionName of contractId === ownerId ? names : [...names, DEPLOY]) {
      const name = { contractId, functionName };
      const reach = await summaries.reachOf(store, name);
      if (reach.writes.isDisjointFrom(variables)) continue;
      writers.push({ name, reach });
      keys.push(functionKey(contractId, functionName));
    }
    if (isNew || keys.length === 0) continue;
    const onTrait = writers.map(({ name }) => traitFunctionKey(name.functionName));
    // Following these too makes indexing mainnet a third slower, for half a percent of the values.
    if (distance > 0 && !isAgain && (await findCallers(store, onTrait, 1)).length > 0) return undefined;
    // Who passed it on cannot be found any more.
    if (await wasPassed(contractId)) isAll = false;
    for (const caller of await findCallers(store, keys, most + 1)) contractIds.add(caller);
    if (contractIds.size > most) return undefined;
  }
  return { writers, isAll };
}
