// In-memory copy of what is watched: variables, and the functions whose calls are recorded.

import type { FunctionName } from '#clarity/function-effects.ts';
import { functionKey, keyOf, mentionKey } from '#clarity/name-key.ts';
import type { CodeReferences } from '#model/chain-event.ts';
import type { StoreReader, StoreWriter } from '#store/index-database.ts';
import { queueEvaluations } from '#store/replay/evaluation-inputs.ts';
import {
  deleteWatches,
  findSeen,
  insertKeys,
  insertWatches,
  readWatches,
  type WatchedFunction,
  type WatchedVariable,
} from '#store/replay/watches.ts';
import { contractKey } from './contracts-in.ts';
import { contractOf, type Reach, type Variable, variableOf } from './reach.ts';

const NONE: ReadonlySet<string> = new Set();
/** Keys of a contract's names in code and in arguments. */
const namesOf = (contractId: string) => [mentionKey(contractId), keyOf(contractKey(contractId))];

export class Watched {
  readonly #variables = new Map<Variable, WatchedVariable>();
  /** Shortest distance, by contract, of its watched variables from what getters read. */
  readonly #distances = new Map<string, number>();
  readonly #functions = new Map<string, Set<string>>();
  /** Contracts of watched functions, by the keys of these. */
  readonly #byKey = new Map<number, string>();
  /** Names of contracts with watched functions. */
  readonly #named = new Set<number>();
  /** Names of contracts whose code may pass on one of those, or calls or passes on such a contract. */
  readonly #leading = new Set<number>();
  /** Additions that are not stored yet. */
  #added: { variables: WatchedVariable[]; functions: WatchedFunction[] } = { variables: [], functions: [] };
  readonly #seen = new Set<number>();
  readonly #newLeading = new Set<number>();
  /** Changes whenever something starts or stops being watched, or a known contract has another deploy. */
  version = 0;
  /** Variables added or lost, and those of added functions that may have been called before. */
  readonly changed = new Set<Variable>();

  static async open(store: StoreReader): Promise<Watched> {
    const watched = new Watched();
    const { variables, functions, leading } = await readWatches(store);
    for (const variable of variables) watched.#setVariable(variable);
    for (const key of leading) watched.#leading.add(key);
    for (const one of functions) watched.#setFunction(one);
    return watched;
  }

  variable(variable: Variable): WatchedVariable | undefined {
    return this.#variables.get(variable);
  }

  /** Undefined for a contract without watched variables. */
  distanceOf(contractId: string): number | undefined {
    return this.#distances.get(contractId);
  }

  functionsOf(contractId: string): ReadonlySet<string> {
    return this.#functions.get(contractId) ?? NONE;
  }

  ownerOf(key: number): string | undefined {
    return this.#byKey.get(key);
  }

  /** True if a call of it may write what is watched, by what its code passes on. */
  isLeading(contractId: string): boolean {
    return this.#leading.has(mentionKey(contractId));
  }

  /** Must be called with what new code refers to. Returns true if that makes its contract a leading one. */
  addReferences(contractId: string, { names, mentions }: Pick<CodeReferences, 'names' | 'mentions'>): boolean {
    for (const key of mentions) this.#seen.add(key);
    const isLeading =
      mentions.some((key) => this.#named.has(key) || this.#leading.has(key)) ||
      names.some((name) => this.isLeading(name.slice(0, name.indexOf(' '))));
    if (!isLeading || this.isLeading(contractId)) return false;
    for (const key of namesOf(contractId)) {
      this.#leading.add(key);
      this.#newLeading.add(key);
    }
    this.version++;
    return true;
  }

  /** Watched variables that a call writes. */
  variablesIn({ writes }: Reach): Variable[] {
    return writes.size === 0 ? [] : [...writes].filter((variable) => this.#variables.has(variable));
  }

  addVariable(variable: WatchedVariable): void {
    this.changed.add(variableOf(variable.contractId, variable.name));
    this.#setVariable(variable);
    this.#added.variables.push(variable);
  }

  /** Returns true if it is new. */
  addFunction(added: FunctionName): boolean {
    const isNew = this.#setFunction(added);
    if (isNew) this.#added.functions.push(added);
    return isNew;
  }

  addCalled(functionKey: number): void {
    this.#seen.add(functionKey);
  }

  /** Contracts in the arguments of a call, which may pass them on. Returns true if one is watched or a leading one. */
  addArguments(contractKeys: readonly string[]): boolean {
    let isNamed = false;
    for (const contract of contractKeys) {
      const key = keyOf(contract);
      this.#seen.add(key);
      isNamed ||= this.#named.has(key) || this.#leading.has(key);
    }
    return isNamed;
  }

  /** The functions among these that a transaction called. */
  calledOf(store: StoreReader, functionKeys: readonly number[]): Promise<ReadonlySet<number>> {
    return this.#seenOf(store, functionKeys);
  }

  /** True if a call on a trait may have reached a contract. */
  async wasPassed(store: StoreReader, contractId: string): Promise<boolean> {
    return (await this.#seenOf(store, namesOf(contractId))).size > 0;
  }

  async #seenOf(store: StoreReader, keys: readonly number[]): Promise<Set<number>> {
    return (await findSeen(store, keys)).union(new Set(keys.filter((key) => this.#seen.has(key))));
  }

  /** Stops watching a contract: values that depend on it are evaluated again, and marked as unproven. */
  async drop(store: StoreWriter, contractId: string): Promise<void> {
    this.version++;
    await this.flush(store);
    for (const variable of this.#variables.keys())
      if (contractOf(variable) === contractId) this.#variables.delete(variable);
    for (const name of this.functionsOf(contractId)) this.#byKey.delete(functionKey(contractId, name));
    this.#functions.delete(contractId);
    this.#distances.delete(contractId);
    for (const key of namesOf(contractId)) this.#named.delete(key);
    await deleteWatches(store, [contractId]);
    await queueEvaluations(store, [contractId]);
  }

  /** Must be called when calls that write these variables are not recorded. */
  async lose(store: StoreWriter, variables: readonly Variable[]): Promise<void> {
    const owners = new Set<string>();
    for (const variable of variables) {
      this.changed.add(variable);
      const known = this.#variables.get(variable);
      if (known?.isWhole !== true) continue;
      this.addVariable({ ...known, isWhole: false });
      owners.add(known.contractId);
    }
    await queueEvaluations(store, [...owners]);
  }

  /** Stores what was added since the last flush. */
  async flush(store: StoreWriter): Promise<void> {
    await insertWatches(store, this.#added);
    this.#added = { variables: [], functions: [] };
    await insertKeys(store, 'seen', this.#seen);
    await insertKeys(store, 'leading', this.#newLeading);
    this.#seen.clear();
    this.#newLeading.clear();
  }

  #setVariable(variable: WatchedVariable): void {
    const { contractId, name, distance } = variable;
    this.#variables.set(variableOf(contractId, name), variable);
    this.#distances.set(contractId, Math.min(this.#distances.get(contractId) ?? distance, distance));
    this.version++;
  }

  /** Returns true if it is new. */
  #setFunction({ contractId, functionName }: FunctionName): boolean {
    const functions = this.#functions.get(contractId) ?? new Set();
    if (functions.has(functionName)) return false;
    if (functions.size === 0) {
      this.#functions.set(contractId, functions);
      for (const key of namesOf(contractId)) this.#named.add(key);
    }
    functions.add(functionName);
    this.#byKey.set(functionKey(contractId, functionName), contractId);
    this.version++;
    return true;
  }
}
