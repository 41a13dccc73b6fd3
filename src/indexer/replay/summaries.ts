// Summarizes what functions of stored contracts read and write, including their callees: takes the effects of each
// function and works bottom-up. Clarity has no recursion, and a contract names only older ones.

import QuickLRU from 'quick-lru';
import type { CalledFunction, FunctionEffects, FunctionName, Role } from '#clarity/function-effects.ts';
import { readEffects } from '#clarity/read-effects.ts';
import { UNKNOWN_STATE } from '#clarity/state-names.ts';
import { readSources } from '#store/chain/deploys.ts';
import type { StoreReader } from '#store/index-database.ts';
import { compactEffects, compactName } from './compact-effects.ts';
import { callsUnknown, isBoot, isOpen, type Summary, variableOf } from './reach.ts';
import { EMPTY, isNamed, mayWrite, NONE, Sum, sumUp } from './sum-effects.ts';

export type Functions = ReadonlyMap<string, readonly FunctionEffects[]>;

/** Contracts cached at least, about 10 KB each: quick-lru holds up to twice as many. */
const MAX_CONTRACTS = 1_000;
/** Cached at most, in variables and contract ids: 20,000 functions of mainnet have 130,000 to 500,000 of them. */
const MAX_SIZE = 1_000_000;
/** What a summary takes beside them. */
const SUMMARY_SIZE = 20;
/** A source may call thousands of functions on traits, and name thousands of contracts; mainnet has 20 at most. */
const MANY_CALLS = 100;

const keyOf = ({ contractId, functionName }: FunctionName) => `${contractId} ${functionName}`;

/** Summaries by contract and function: four million lookups for mainnet, for which joining the names is too slow. */
class ByFunction {
  readonly #contracts = new Map<string, Map<string, Summary>>();
  #counted = new WeakSet<Summary>();
  #size = 0;

  get({ contractId, functionName }: FunctionName): Summary | undefined {
    return this.#contracts.get(contractId)?.get(functionName);
  }

  add({ contractId, functionName }: FunctionName, summary: Summary): void {
    if (this.#size > MAX_SIZE) this.clear();
    const { reads, writes, inputs, contractIds } = summary;
    const isShared = this.#counted.has(summary);
    this.#size += SUMMARY_SIZE + (isShared ? 0 : reads.size + writes.size + inputs.size + contractIds.size);
    this.#counted.add(summary);
    const ofContract = this.#contracts.get(contractId);
    if (ofContract === undefined) this.#contracts.set(contractId, new Map([[functionName, summary]]));
    else ofContract.set(functionName, summary);
  }

  clear(): void {
    this.#contracts.clear();
    this.#counted = new WeakSet();
    this.#size = 0;
  }
}

export class Summaries {
  readonly #which: 'all' | 'served';
  readonly #contracts = new QuickLRU<string, Functions>({ maxSize: MAX_CONTRACTS });
  readonly #summaries = new ByFunction();
  /** Contracts that cached results may be about. */
  readonly #used = new Set<string>();
  /** Summaries with the contracts bound that the function itself may pass. */
  #bound = new WeakMap<Summary, Summary>();

  /** `all`: what any deploy of a contract does, on whichever fork; `served`: what the canonical one does. */
  constructor(which: 'all' | 'served') {
    this.#which = which;
  }

  /** Must be called when another deploy of a contract is stored. Returns true if cached results may be about it. */
  forget(contractId: string): boolean {
    if (!this.#used.has(contractId)) return false;
    this.clear();
    return true;
  }

  clear(): void {
    this.#contracts.clear();
    this.#summaries.clear();
    this.#used.clear();
    this.#bound = new WeakMap();
  }

  /** Empty if no deploy is known, and for boot contracts. */
  async functionsOf(store: StoreReader, contractId: string): Promise<Functions> {
    let functions = this.#contracts.get(contractId);
    if (functions === undefined) {
      const sources = isBoot(contractId) ? [] : await readSources(store, contractId, this.#which);
      const all = sources.flatMap((source) => [...readEffects(source, contractId)]);
      const byName = Map.groupBy(all, ([name]) => name);
      functions = new Map(
        [...byName].map(([name, effects]) => [compactName(name), effects.map(([, one]) => compactEffects(one))]),
      );
      this.#used.add(contractId);
      this.#contracts.set(contractId, functions);
    }
    return functions;
  }

  /** Functions that transactions can call. */
  async publicFunctionsOf(store: StoreReader, contractId: string): Promise<string[]> {
    const functions = await this.functionsOf(store, contractId);
    return [...functions].flatMap(([name, effects]) => (effects.some((one) => one.isPublic) ? [name] : []));
  }

  /** True if the functions write nothing. */
  async isPure(store: StoreReader, calls: readonly CalledFunction[]): Promise<boolean> {
    for (const call of calls) if (!isNamed(call) || mayWrite(await this.#summaryOf(store, call))) return false;
    return true;
  }

  /** Effects of a call with these contracts anywhere in its arguments. */
  async reachOf(store: StoreReader, called: FunctionName, passed: Iterable<string> = NONE): Promise<Summary> {
    const own = this.#summaries.get(called) ?? (await this.#summaryOf(store, called));
    if (!isOpen(own)) return own;
    const given = new Set(passed);
    const ids = new Set(given);
    const isAlone = ids.size === 0;
    const known = isAlone ? this.#bound.get(own) : undefined;
    if (known !== undefined) return known;
    const whole = new Sum();
    whole.add(own, 'result');
    // Unknown code may call any contract that is passed to it.
    let hasUnknown = callsUnknown(own);
    const unopened = new Set(given);
    // Binds each function called on a trait to each contract that may be passed: both sets may grow.
    const bound = new Map<string, Map<string, Role>>();
    for (let isComplete = false; !isComplete; ) {
      isComplete = true;
      for (const id of whole.contractIds) ids.add(id);
      for (const contractId of ids) {
        const ofContract = bound.get(contractId) ?? new Map<string, Role>();
        bound.set(contractId, ofContract);
        const isMany = whole.traitCalls.size > MANY_CALLS;
        const calls = isMany ? await this.#callsOn(store, contractId, whole.traitCalls) : whole.traitCalls;
        for (const [functionName, role] of calls) {
          if (ofContract.get(functionName) === role) continue;
          ofContract.set(functionName, role);
          isComplete = false;
          const called = { contractId, functionName };
          const summary = this.#summaries.get(called) ?? (await this.#summaryOf(store, called));
          whole.add(summary, role);
          // What code passes on to unknown contracts is doubted when it is deployed (lose-passed.ts).
          hasUnknown ||= given.has(contractId) && callsUnknown(summary);
        }
        if (!hasUnknown || !unopened.delete(contractId)) continue;
        isComplete = false;
        for (const functionName of await this.publicFunctionsOf(store, contractId))
          whole.add(await this.#summaryOf(store, { contractId, functionName }), 'value');
      }
    }
    const reach = whole.finish();
    if (isAlone) this.#bound.set(own, reach);
    return reach;
  }

  /** The calls on traits for which a contract has functions; any one of them if the contract is unknown. */
  async #callsOn(store: StoreReader, contractId: string, traitCalls: Summary['traitCalls']) {
    const functions = await this.functionsOf(store, contractId);
    if (functions.size === 0) return traitCalls.entries().take(1);
    return [...functions.keys()].flatMap((name) => {
      const role = traitCalls.get(name);
      return role === undefined ? [] : [[name, role] as const];
    });
  }

  /** Computes callees first. Sources of several forks may call each other in a circle: they are repeated. */
  async #summaryOf(store: StoreReader, called: FunctionName): Promise<Summary> {
    const open: { readonly name: FunctionName; isOpened: boolean }[] = [{ name: called, isOpened: false }];
    const opened = new Set<string>();
    // Kept here: the cache may be emptied before a caller is summed up.
    const sums = new Map<string, Summary>();
    const finished: { readonly name: FunctionName; readonly effects: readonly FunctionEffects[] }[] = [];
    let isCircular = false;
    const summaryOf = (name: FunctionName) => sums.get(keyOf(name)) ?? EMPTY;
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const key = keyOf(next.name);
      const known = sums.get(key) ?? this.#summaries.get(next.name);
      if (known !== undefined) sums.set(key, known);
      if (known !== undefined || (opened.has(key) && !next.isOpened)) {
        isCircular ||= known === undefined;
        open.pop();
        continue;
      }
      const functions = await this.functionsOf(store, next.name.contractId);
      const effects = functions.get(next.name.functionName);
      if (next.isOpened || effects === undefined) {
        sums.set(key, effects === undefined ? noEffects(next.name, functions) : sumUp(next.name, effects, summaryOf));
        finished.push({ name: next.name, effects: effects ?? [] });
        open.pop();
        continue;
      }
      next.isOpened = true;
      opened.add(key);
      for (const one of effects)
        for (const calls of [one.calls, ...one.guards.map((guard) => guard.calls)])
          for (const call of calls) if (isNamed(call)) open.push({ name: call, isOpened: false });
    }
    for (let isGrown = isCircular; isGrown; ) {
      isGrown = false;
      for (const { name, effects } of finished) {
        if (effects.length === 0) continue;
        const sum = sumUp(name, effects, summaryOf);
        isGrown ||= sizeOf(sum) > sizeOf(summaryOf(name));
        sums.set(keyOf(name), sum);
      }
    }
    for (const { name } of finished) this.#summaries.add(name, summaryOf(name));
    return summaryOf(called);
  }
}

/** Grows with whatever is added. */
function sizeOf({ reads, writes, inputs, traitCalls, contractIds }: Summary): number {
  const ofValues = [...traitCalls.values()].filter((role) => role === 'value').length;
  return reads.size + writes.size + inputs.size + traitCalls.size + ofValues + contractIds.size;
}

/** Effects of a function that does not exist, or whose contract is unknown. */
function noEffects({ contractId }: FunctionName, functions: Functions): Summary {
  if (functions.size > 0) return EMPTY;
  const unknown = new Set([variableOf(contractId, UNKNOWN_STATE)]);
  return { ...EMPTY, reads: unknown, inputs: unknown };
}
