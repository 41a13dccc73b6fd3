// Finds the functions that may write variables, from the names in the code of contracts.

import type { FunctionName } from '#clarity/function-effects.ts';
import { functionKey, traitFunctionKey } from '#clarity/name-key.ts';
import { DEPLOY } from '#clarity/state-names.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { findCallers } from '#store/replay/watches.ts';
import type { Reach, Variable } from './reach.ts';
import type { Summaries } from './summaries.ts';
import type { Watched } from './watched.ts';

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
  /** True if there may be code that is not known, which may call any contract that it was passed. */
  readonly hasGap: boolean;
  /** True if a call on a trait may have reached a contract. */
  readonly wasPassed: (contractId: string) => Promise<boolean>;
}

/** Functions that transactions can call and that may write these variables; undefined if there are too many. */
export async function findWriters(
  store: StoreWriter,
  summaries: Summaries,
  ownerId: string,
  variables: ReadonlySet<Variable>,
  { distance, isNew, isAgain, hasGap, wasPassed }: Search,
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
    // Callers that pass the contract to a call on a trait cannot be found any more.
    const onTrait = writers.map(({ name }) => traitFunctionKey(name.functionName));
    if ((await findCallers(store, onTrait, 1)).length > 0) {
      // Following these too makes indexing mainnet a third slower, for half a percent of the values.
      if (distance > 0 && !isAgain) return undefined;
      if (await wasPassed(contractId)) isAll = false;
    } else if (hasGap && (await wasPassed(contractId))) isAll = false;
    for (const caller of await findCallers(store, keys, most + 1)) contractIds.add(caller);
    if (contractIds.size > most) return undefined;
  }
  return { writers, isAll };
}

/** Functions that may call functions of a name on traits, directly or indirectly. */
export class Carriers {
  readonly #summaries: Summaries;
  readonly #watched: Watched;
  /** Keys by function name, as far as they were requested; undefined if there are too many. */
  readonly #carriers = new Map<string, ReadonlySet<number> | undefined>();
  /** Function names by these keys. */
  readonly #carried = new Map<number, Set<string>>();
  readonly #many = new Set<number>();
  /** Ids of the contracts of new blocks that are stored, and not added yet. */
  #pending = new Set<string>();

  constructor(summaries: Summaries, watched: Watched) {
    this.#summaries = summaries;
    this.#watched = watched;
  }

  /** Must be called with the deploys of new blocks before they are added. */
  begin(deploys: readonly { readonly contractId: string }[]): void {
    this.#pending = new Set(deploys.map(({ contractId }) => contractId));
  }

  isPending(contractId: string): boolean {
    return this.#pending.has(contractId);
  }

  /** Drops cached names whose carriers the deploy calls: it becomes a carrier too. */
  addDeploy(contractId: string, calls: Float64Array): void {
    this.#pending.delete(contractId);
    for (const key of calls) for (const name of this.#carried.get(key) ?? []) this.#carriers.delete(name);
  }

  /** True if one of these calls may lead to a call of one of these functions on a trait. */
  async mayReach(store: StoreWriter, functionNames: Iterable<string>, calls: Float64Array): Promise<boolean> {
    for (const functionName of functionNames) {
      const carriers = await this.#carriersOf(store, functionName);
      if (carriers === undefined || calls.some((key) => carriers.has(key))) return true;
    }
    return false;
  }

  /** True if too many contracts call this function, or may call the watched ones of its name: their number only grows. */
  async haveMany(store: StoreWriter, key: number): Promise<boolean> {
    const name = this.#watched.namedOnTrait(key);
    if (name !== undefined) return (await this.#carriersOf(store, name)) === undefined;
    if (this.#many.has(key)) return true;
    if ((await findCallers(store, [key], MAX_CALLERS + 1)).length <= MAX_CALLERS) return false;
    this.#many.add(key);
    return true;
  }

  async #carriersOf(store: StoreWriter, functionName: string): Promise<ReadonlySet<number> | undefined> {
    if (this.#carriers.has(functionName)) return this.#carriers.get(functionName);
    const keys = new Set([traitFunctionKey(functionName)]);
    const contractIds = new Set(await findCallers(store, [...keys], MAX_CALLERS + 1));
    for (const contractId of contractIds) {
      if (contractIds.size > MAX_CALLERS) break;
      const added: number[] = [];
      for (const name of await this.#summaries.publicFunctionsOf(store, contractId)) {
        const { traitCalls } = await this.#summaries.reachOf(store, { contractId, functionName: name });
        if (traitCalls.has(functionName)) added.push(functionKey(contractId, name), traitFunctionKey(name));
      }
      for (const key of added) keys.add(key);
      for (const caller of await findCallers(store, added, MAX_CALLERS + 1)) contractIds.add(caller);
    }
    const carriers = contractIds.size > MAX_CALLERS ? undefined : keys;
    this.#carriers.set(functionName, carriers);
    this.#watched.addCarriers(carriers ?? []);
    for (const key of carriers ?? []) {
      const names = this.#carried.get(key) ?? new Set();
      this.#carried.set(key, names.add(functionName));
    }
    return carriers;
  }
}
