// Summarizes what functions of stored contracts read and write, including their callees: takes the effects of each
// function and works bottom-up. Clarity has no recursion, and a contract names only older ones.

import QuickLRU from 'quick-lru';
import type { FunctionEffects, FunctionName } from '#clarity/function-effects.ts';
import { readEffects } from '#clarity/read-effects.ts';
import { UNKNOWN_STATE } from '#clarity/state-names.ts';
import { readSources } from '#store/chain/deploys.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import type { StoreReader } from '#store/index-database.ts';
import { bindTraits, type Code } from './bind-traits.ts';
import { compactEffects, compactName } from './compact-effects.ts';
import { EMPTY, isNamed, NONE, sumUp } from './sum-effects.ts';
import { callsUnknown, isBoot, isOpen, type Summary, variableOf } from './transitive-effects.ts';

export type Functions = ReadonlyMap<string, readonly FunctionEffects[]>;

/** Contracts cached at least, about 10 KB each: quick-lru holds up to twice as many. */
const MAX_CONTRACTS = 1_000;
/** Cached at most, in variables and contract ids: 20,000 functions of mainnet have 130,000 to 500,000 of them. */
const MAX_SIZE = 1_000_000;
/** What a summary takes beside them. */
const SUMMARY_SIZE = 20;
/** Functions cached at least whose effects depend on their arguments: one may name thousands of contracts. */
const MAX_OPEN = 100;

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
  /** Stay when the others are cleared: binding one may be what fills the cache. */
  readonly #open = new QuickLRU<string, Summary>({ maxSize: MAX_OPEN });
  /** Summaries with the contracts bound that the function itself may pass. */
  #bound = new WeakMap<Summary, Summary>();
  #mayMissCode: Promise<boolean> | undefined;

  /** `all`: what any deploy of a contract does, on whichever fork; `served`: what the canonical one does. */
  constructor(which: 'all' | 'served') {
    this.#which = which;
  }

  clear(): void {
    this.#contracts.clear();
    this.#summaries.clear();
    this.#open.clear();
    this.#bound = new WeakMap();
    this.#mayMissCode = undefined;
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
      this.#contracts.set(contractId, functions);
    }
    return functions;
  }

  /** Functions that transactions can call. */
  async publicFunctionsOf(store: StoreReader, contractId: string): Promise<string[]> {
    const functions = await this.functionsOf(store, contractId);
    return [...functions].flatMap(([name, effects]) => (effects.some((one) => one.isPublic) ? [name] : []));
  }

  /** Effects of a call with these contracts anywhere in its arguments. */
  async effectsOf(store: StoreReader, called: FunctionName, passed: Iterable<string> = NONE): Promise<Summary> {
    const summary =
      this.#summaries.get(called) ?? this.#open.get(keyOf(called)) ?? (await this.#summaryOf(store, called));
    if (!isOpen(summary)) return summary;
    this.#open.set(keyOf(called), summary);
    const code: Code = {
      functionsOf: (contractId) => this.functionsOf(store, contractId),
      publicFunctionsOf: (contractId) => this.publicFunctionsOf(store, contractId),
      summaryOf: (name) => this.#summaries.get(name) ?? this.#summaryOf(store, name),
    };
    // Only where blocks are missing: a call of code that is not on the chain fails.
    this.#mayMissCode ??= mayMissCode(store);
    const named = (await this.#mayMissCode) ? summary.contractIds : NONE;
    let bound = this.#bound.get(summary);
    if (bound === undefined) {
      const binding = { passed: new Set<string>(), named, callsUnknown: callsUnknown(summary) };
      bound = await bindTraits(code, summary, undefined, binding);
      this.#bound.set(summary, bound);
    }
    const binding = { passed: new Set(passed), named, callsUnknown: callsUnknown(bound) };
    return binding.passed.size === 0 ? bound : bindTraits(code, bound, bound.contractIds, binding);
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

/** True if blocks are missing; only the genesis block is below the block at height 1. */
async function mayMissCode(store: StoreReader): Promise<boolean> {
  return ((await readHighestGap(store)) ?? 0) > 1;
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
