// Computes the transitive effects of the functions of stored contracts. Called functions come first: Clarity has no
// recursion, and a contract can refer only to older contracts.

import QuickLRU from 'quick-lru';
import { UNKNOWN_STATE } from '#clarity/builtins.ts';
import type { FunctionEffects, FunctionName } from '#clarity/function-effects.ts';
import { readEffects } from '#clarity/read-effects.ts';
import { readSources } from '#store/chain/deploys.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import type { StoreReader } from '#store/index-database.ts';
import { bindTraits, type Code } from './bind-traits.ts';
import { compactEffects, compactName } from './compact-effects.ts';
import { EMPTY, isNamed, NONE, sumUp } from './sum-effects.ts';
import { callsUnknown, isBoot, isOpen, type Summary, variableOf } from './transitive-effects.ts';

export type Functions = ReadonlyMap<string, readonly FunctionEffects[]>;

/** The minimum number of contracts to cache, about 10 KB each; quick-lru keeps up to twice as many. */
const MAX_CONTRACTS = 1_000;
/** The maximum number of cached variables and contract ids. On mainnet, 20,000 functions have 130,000 to 500,000. */
const MAX_SIZE = 1_000_000;
/** The size of a summary itself, as a number of variables that need as much memory. */
const SUMMARY_SIZE = 20;
/**
 * The minimum number of cached functions whose effects depend on arguments. One may refer to thousands of contracts.
 */
const MAX_OPEN = 100;

const keyOf = ({ contractId, functionName }: FunctionName) => `${contractId} ${functionName}`;

/** Summaries in nested maps, because joined keys would be too slow for the four million lookups of mainnet. */
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
    const functions = this.#contracts.get(contractId);
    if (functions === undefined) this.#contracts.set(contractId, new Map([[functionName, summary]]));
    else functions.set(functionName, summary);
  }

  clear(): void {
    this.#contracts.clear();
    this.#counted = new WeakSet();
    this.#size = 0;
  }
}

export class Summaries implements Code {
  readonly #store: StoreReader;
  readonly #which: 'all' | 'served';
  readonly #contracts = new QuickLRU<string, Functions>({ maxSize: MAX_CONTRACTS });
  readonly #summaries = new ByFunction();
  /** Summaries with trait calls. They stay when {@link #summaries} is cleared, because binding one may fill it. */
  readonly #open = new QuickLRU<string, Summary>({ maxSize: MAX_OPEN });
  /** Summaries with trait calls, bound to the contracts that the function itself may pass, by unbound summary. */
  #bound = new WeakMap<Summary, Summary>();
  #mayMissCode: Promise<boolean> | undefined;

  /** `all` reads every deploy of a contract, on any fork. `served` reads only the served deploy. */
  constructor(store: StoreReader, which: 'all' | 'served') {
    this.#store = store;
    this.#which = which;
  }

  clear(): void {
    this.#contracts.clear();
    this.#summaries.clear();
    this.#open.clear();
    this.#bound = new WeakMap();
    this.#mayMissCode = undefined;
  }

  /** Returns the functions of a contract; an empty map for an unknown contract or a boot contract. */
  async functionsOf(contractId: string): Promise<Functions> {
    let functions = this.#contracts.get(contractId);
    if (functions === undefined) {
      const sources = isBoot(contractId) ? [] : await readSources(this.#store, contractId, this.#which);
      const all = sources.flatMap((source) => [...readEffects(source, contractId)]);
      const byName = Map.groupBy(all, ([name]) => name);
      functions = new Map(
        [...byName].map(([name, effects]) => [
          compactName(name),
          effects.map(([, deployed]) => compactEffects(deployed)),
        ]),
      );
      this.#contracts.set(contractId, functions);
    }
    return functions;
  }

  /** Returns the names of the functions of a contract that transactions can call. */
  async publicFunctionsOf(contractId: string): Promise<string[]> {
    const functions = await this.functionsOf(contractId);
    return [...functions].flatMap(([name, effects]) => (effects.some(({ isPublic }) => isPublic) ? [name] : []));
  }

  /** Returns the effects of a call that has these contracts anywhere among its arguments. */
  async effectsOf(called: FunctionName, passed: Iterable<string> = NONE): Promise<Summary> {
    const summary = this.#open.get(keyOf(called)) ?? (await this.summaryOf(called));
    if (!isOpen(summary)) return summary;
    this.#open.set(keyOf(called), summary);
    // Contracts named in code matter only if blocks are missing, because a call of a missing contract otherwise fails.
    this.#mayMissCode ??= mayMissCode(this.#store);
    const named = (await this.#mayMissCode) ? summary.contractIds : NONE;
    let bound = this.#bound.get(summary);
    if (bound === undefined) {
      const binding = { passed: new Set<string>(), named, callsUnknown: callsUnknown(summary) };
      bound = await bindTraits(this, summary, undefined, binding);
      this.#bound.set(summary, bound);
    }
    const binding = { passed: new Set(passed), named, callsUnknown: callsUnknown(bound) };
    return binding.passed.size === 0 ? bound : bindTraits(this, bound, bound.contractIds, binding);
  }

  summaryOf(name: FunctionName): Summary | Promise<Summary> {
    return this.#summaries.get(name) ?? this.#computeSummary(name);
  }

  /**
   * Computes the summary of a function after the summaries of its callees. If sources of several forks call each other
   * in a circle, repeats until nothing changes.
   */
  async #computeSummary(called: FunctionName): Promise<Summary> {
    const open: { readonly name: FunctionName; isOpened: boolean }[] = [{ name: called, isOpened: false }];
    const opened = new Set<string>();
    // Keeps summaries that are in the cache too, because it may be cleared before a caller is computed.
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
      const functions = await this.functionsOf(next.name.contractId);
      const effects = functions.get(next.name.functionName);
      if (next.isOpened || effects === undefined) {
        sums.set(key, effects === undefined ? noEffects(next.name, functions) : sumUp(next.name, effects, summaryOf));
        finished.push({ name: next.name, effects: effects ?? [] });
        open.pop();
        continue;
      }
      next.isOpened = true;
      opened.add(key);
      for (const deployed of effects)
        for (const calls of [deployed.calls, ...deployed.guards.map((guard) => guard.calls)])
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

/** True if blocks are missing above height 1. Below height 1, only the genesis block can be missing. */
async function mayMissCode(store: StoreReader): Promise<boolean> {
  return ((await readHighestGap(store)) ?? 0) > 1;
}

/** Returns the total number of values in the sets of a summary. */
function sizeOf({ reads, writes, inputs, traitCalls, contractIds }: Summary): number {
  const valueCalls = [...traitCalls.values()].filter((role) => role === 'value').length;
  return reads.size + writes.size + inputs.size + traitCalls.size + valueCalls + contractIds.size;
}

/** Returns the effects of a missing function, or of a function whose contract is unknown. */
function noEffects({ contractId }: FunctionName, functions: Functions): Summary {
  if (functions.size > 0) return EMPTY;
  const unknown = new Set([variableOf(contractId, UNKNOWN_STATE)]);
  return { ...EMPTY, reads: unknown, inputs: unknown };
}
