// Sums up what functions of stored contracts read and write with all that they call: effects of each function in, sums
// out, from the bottom up. Clarity knows no recursion, and a contract names only older ones.

import {
  type CalledFunction,
  type FunctionEffects,
  type FunctionName,
  type Role,
  readEffects,
} from '#clarity/function-effects.ts';
import { isMarked, UNKNOWN_STATE } from '#clarity/state-names.ts';
import { splitContractId } from '#model/principal.ts';
import { readSources } from '#store/chain/deploys.ts';
import type { StoreReader } from '#store/index-database.ts';

/** A data variable or a map of a contract: `SP….token token-uri`; or what is marked as none. */
export type Variable = string;
export const variableOf = (contractId: string, name: string): Variable => `${contractId} ${name}`;
export const contractOf = (variable: Variable): string => variable.slice(0, variable.indexOf(' '));
export const nameOf = (variable: Variable): string => variable.slice(variable.indexOf(' ') + 1);
/** Whether calls that write it are recorded. */
export const canBeWatched = (variable: Variable): boolean => !isMarked(nameOf(variable));

export type Functions = ReadonlyMap<string, readonly FunctionEffects[]>;
type Variables = ReadonlySet<Variable>;

/** What a function does, with all that it calls. */
export interface Reach {
  readonly reads: Variables;
  readonly writes: Variables;
  /**
   * Of what it reads, all that may decide what it writes even if it returns what it returned on chain: what guards read
   * does not, since a guard that fails changes the result.
   */
  readonly inputs: Variables;
  /** The functions that it calls on traits: with other contracts among its arguments, it does something else. */
  readonly traitCalls: ReadonlyMap<string, Role>;
}

interface Summary extends Reach {
  /** What it may pass as traits. */
  readonly contractIds: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const NO_CALLS: ReadonlyMap<string, Role> = new Map();
const EMPTY: Summary = { reads: NONE, writes: NONE, inputs: NONE, traitCalls: NO_CALLS, contractIds: NONE };
/** Boot contracts are not in every archive; they call nobody. */
const BOOT_ADDRESSES: ReadonlySet<string> = new Set(['SP000000000000000000002Q6VF78', 'ST000000000000000000002AMW42H']);
/** Held at once: some 10 KB each. */
const MAX_CONTRACTS = 1_000;

const keyOf = ({ contractId, functionName }: FunctionName) => `${contractId} ${functionName}`;

export class Summaries {
  readonly #contracts = new Map<string, Functions>();
  readonly #summaries = new Map<string, Summary>();
  /** With the contracts bound that a function itself may pass. */
  #bound = new WeakMap<Summary, Reach>();

  /** To be called when another deploy of a contract is stored. */
  forget(contractId: string): void {
    if (this.#contracts.delete(contractId)) this.clear();
  }

  clear(): void {
    this.#contracts.clear();
    this.#summaries.clear();
    this.#bound = new WeakMap();
  }

  /** Of all deploys of a contract, since forks may have several; empty if none is known. */
  async functionsOf(store: StoreReader, contractId: string): Promise<Functions> {
    let functions = this.#contracts.get(contractId);
    if (functions === undefined) {
      const sources = await readSources(store, contractId);
      const all = sources.flatMap((source) => [...readEffects(source, contractId)]);
      const byName = Map.groupBy(all, ([name]) => name);
      functions = new Map([...byName].map(([name, effects]) => [name, effects.map(([, one]) => one)]));
      if (this.#contracts.size >= MAX_CONTRACTS) this.clear();
      this.#contracts.set(contractId, functions);
    }
    return functions;
  }

  /** Functions that transactions can call. */
  async publicFunctionsOf(store: StoreReader, contractId: string): Promise<string[]> {
    const functions = await this.functionsOf(store, contractId);
    return [...functions].flatMap(([name, effects]) => (effects.some((one) => one.isPublic) ? [name] : []));
  }

  /** Whether functions write nothing. */
  async isPure(store: StoreReader, calls: readonly CalledFunction[]): Promise<boolean> {
    for (const call of calls) if (!isNamed(call) || mayWrite(await this.#summaryOf(store, call))) return false;
    return true;
  }

  /** What a call does that is given these contracts, wherever in its arguments. */
  async reachOf(store: StoreReader, called: FunctionName, passed: Iterable<string> = NONE): Promise<Reach> {
    const own = await this.#summaryOf(store, called);
    if (!isOpen(own)) return own;
    const ids = new Set(passed);
    const isAlone = ids.size === 0;
    const known = isAlone ? this.#bound.get(own) : undefined;
    if (known !== undefined) return known;
    const whole = new Sum();
    whole.add(own, 'result');
    // What is not known may call whatever it is passed.
    for (const contractId of callsUnknown(own) ? ids : NONE)
      for (const functionName of await this.publicFunctionsOf(store, contractId))
        whole.add(await this.#summaryOf(store, { contractId, functionName }), 'value');
    // Each function that is called on a trait, on each contract that may be passed: both may become more.
    const bound = new Set<string>();
    for (let size = -1; size < bound.size; ) {
      size = bound.size;
      for (const id of whole.contractIds) ids.add(id);
      for (const [functionName, role] of [...whole.traitCalls]) {
        for (const contractId of ids) {
          const key = `${role} ${contractId} ${functionName}`;
          if (bound.has(key)) continue;
          bound.add(key);
          whole.add(await this.#summaryOf(store, { contractId, functionName }), role);
        }
      }
    }
    const reach = whole.finish();
    if (isAlone) this.#bound.set(own, reach);
    return reach;
  }

  /** Callees first. */
  async #summaryOf(store: StoreReader, called: FunctionName): Promise<Summary> {
    const open: { readonly name: FunctionName; isOpened: boolean }[] = [{ name: called, isOpened: false }];
    const opened = new Set<string>();
    const sums = new Map<string, Summary>();
    const summaryOf = (name: FunctionName) => this.#summaries.get(keyOf(name)) ?? sums.get(keyOf(name)) ?? EMPTY;
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const key = keyOf(next.name);
      if (this.#summaries.has(key) || (opened.has(key) && !next.isOpened)) {
        open.pop();
        continue;
      }
      const functions = await this.functionsOf(store, next.name.contractId);
      const effects = functions.get(next.name.functionName);
      if (next.isOpened) {
        const sum = effects === undefined ? noEffects(next.name, functions) : sumUp(next.name, effects, summaryOf);
        sums.set(key, sum);
        this.#summaries.set(key, sum);
        open.pop();
        continue;
      }
      next.isOpened = true;
      opened.add(key);
      for (const one of effects ?? [])
        for (const calls of [one.calls, ...one.guards.map((guard) => guard.calls)])
          for (const call of calls) if (isNamed(call)) open.push({ name: call, isOpened: false });
    }
    return summaryOf(called);
  }
}

/** Of a function that is not there, or whose contract is not known. */
function noEffects({ contractId }: FunctionName, functions: Functions): Summary {
  if (functions.size > 0) return EMPTY;
  const unknown = new Set([variableOf(contractId, UNKNOWN_STATE)]);
  return { ...EMPTY, reads: unknown, inputs: unknown };
}

/** Whether what a function does depends on the contracts among its arguments. */
export function isOpen(reach: Reach): boolean {
  return reach.traitCalls.size > 0 || callsUnknown(reach);
}

function callsUnknown({ reads }: Reach): boolean {
  for (const variable of reads)
    if (nameOf(variable) === UNKNOWN_STATE && !BOOT_ADDRESSES.has(splitContractId(contractOf(variable)).address))
      return true;
  return false;
}

function sumUp(
  { contractId }: FunctionName,
  effects: readonly FunctionEffects[],
  summaryOf: (name: FunctionName) => Summary,
): Summary {
  const sum = new Sum();
  const own = (names: ReadonlySet<string>): Variables =>
    names.size === 0 ? NONE : new Set([...names].map((name) => variableOf(contractId, name)));
  const addCall = (call: CalledFunction) => {
    if (isNamed(call)) sum.add(summaryOf(call), call.role);
    else sum.addTraitCall(call.functionName, call.role);
  };
  for (const { reads, guards, writes, calls, contractIds } of effects) {
    sum.add({ ...EMPTY, reads: own(reads), inputs: own(reads), writes: own(writes), contractIds }, 'result');
    for (const call of calls) addCall(call);
    for (const guard of guards) {
      const isGuard = guard.calls.every((call) => isNamed(call) && !mayWrite(summaryOf(call)));
      sum.add({ ...EMPTY, reads: own(guard.reads), inputs: isGuard ? NONE : own(guard.reads) }, 'result');
      for (const call of guard.calls) {
        if (!isGuard) addCall(call);
        else if (isNamed(call)) sum.add({ ...summaryOf(call), inputs: NONE }, 'result');
      }
    }
  }
  const finished = sum.finish();
  // The very same, if it only passes on: what is found out about one is known of both.
  const callees = effects.flatMap(({ calls }) => calls.flatMap((call) => (isNamed(call) ? summaryOf(call) : [])));
  return callees.find((callee) => isSame(callee, finished)) ?? finished;
}

function isSame(left: Summary, right: Summary): boolean {
  return (Object.keys(EMPTY) as (keyof Summary)[]).every((part) => left[part] === right[part]);
}

function mayWrite({ writes, traitCalls }: Summary): boolean {
  return writes.size > 0 || traitCalls.size > 0;
}

class Sum {
  readonly #reads = new Union();
  readonly #writes = new Union();
  readonly #inputs = new Union();
  readonly #contractIds = new Union();
  traitCalls: ReadonlyMap<string, Role> = NO_CALLS;

  get contractIds(): ReadonlySet<string> {
    return this.#contractIds.values;
  }

  finish(): Summary {
    const [reads, writes, inputs] = [this.#reads.values, this.#writes.values, this.#inputs.values];
    return { reads, writes, inputs, traitCalls: this.traitCalls, contractIds: this.contractIds };
  }

  /** `role` of the call: where an error of it is dealt with, what its guards read decides as well. */
  add({ reads, writes, inputs, traitCalls, contractIds }: Summary, role: Role): void {
    this.#reads.add(reads);
    this.#writes.add(writes);
    this.#inputs.add(role === 'value' ? reads : inputs);
    this.#contractIds.add(contractIds);
    if (this.traitCalls.size === 0 && role === 'result') this.traitCalls = traitCalls;
    else for (const [name, ofCall] of traitCalls) this.addTraitCall(name, role === 'value' ? role : ofCall);
  }

  addTraitCall(name: string, role: Role): void {
    const known = this.traitCalls.get(name);
    if (known !== 'value' && known !== role) this.traitCalls = new Map([...this.traitCalls, [name, role]]);
  }
}

/** Shares the first set that is added, as long as the others add nothing: most functions do what one that they call does. */
class Union {
  values: ReadonlySet<string> = NONE;
  #own: Set<string> | undefined;

  add(added: ReadonlySet<string>): void {
    if (added.size === 0 || added === this.values) return;
    if (this.values.size === 0) {
      this.values = added;
    } else if (this.#own === undefined && this.values.size < added.size && this.values.isSubsetOf(added)) {
      this.values = added;
    } else if (this.#own !== undefined || !added.isSubsetOf(this.values)) {
      this.#own ??= new Set(this.values);
      for (const value of added) this.#own.add(value);
      this.values = this.#own;
    }
  }
}

function isNamed<T extends { readonly contractId: string | undefined }>(call: T): call is T & FunctionName {
  return call.contractId !== undefined;
}
