// Computes the effects of functions of stored contracts, with all code that they may run.

import type { FunctionName } from '#clarity/effects.ts';
import { readEffects } from '#clarity/read-effects.ts';
import { readSources } from '#store/chain/deploys.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import type { StoreReader } from '#store/index-database.ts';
import { Closure, type ClosureLimits, type Code, type Functions, type NamedEffects, TOO_LARGE } from './closure.ts';
import { compactEffects, NONE } from './compact-effects.ts';
import { sumUp } from './sum-effects.ts';
import { isBoot, type TransitiveEffects, type Variable } from './transitive-effects.ts';

/**
 * The limits of a {@link Closure}: four times the largest on mainnet. The first ones are for the functions that a
 * function calls by name (6,229), and the second ones include those that it calls on traits (25,026).
 */
const OF_NAMED: ClosureLimits = { size: 25_000, variables: 2_000 };
const OF_ALL: ClosureLimits = { size: 100_000, variables: 2_000 };
const NO_LIMITS: ClosureLimits = { size: Number.POSITIVE_INFINITY, variables: Number.POSITIVE_INFINITY };
/** The maximum number of cached names in effects and in the code of contracts. A name needs about 50 bytes. */
const MAX_CACHED = 400_000;
/** The size of cached effects without their names, and of a function, as a number of names that need as much memory. */
const BASE_SIZE = 20;

/** A cache that is cleared when the values that it keeps become too large. */
class SizedCache<Value> {
  readonly #values = new Map<string, Value>();
  #size = 0;

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value, size: number): void {
    if (this.#size > MAX_CACHED) this.clear();
    this.#size += size;
    this.#values.set(key, value);
  }

  clear(): void {
    this.#values.clear();
    this.#size = 0;
  }
}

export class Summaries {
  readonly #store: StoreReader;
  readonly #which: 'all' | 'served';
  readonly #contracts = new SizedCache<Functions>();
  readonly #named = new SizedCache<NamedEffects>();
  /** The effects of calls without contracts among their arguments. */
  #unpassed = new WeakMap<NamedEffects, TransitiveEffects>();
  /** Variables that public functions of a contract may write. */
  readonly #writable = new WeakMap<Functions, ReadonlySet<Variable>>();
  #mayMissCode: Promise<boolean> | undefined;

  /** `all` reads every deploy of a contract, on any fork. `served` reads only the served deploy. */
  constructor(store: StoreReader, which: 'all' | 'served') {
    this.#store = store;
    this.#which = which;
  }

  clear(): void {
    this.#contracts.clear();
    this.#named.clear();
    this.#unpassed = new WeakMap();
    this.#mayMissCode = undefined;
  }

  /** Returns the functions of a contract; an empty map for an unknown contract or a boot contract. */
  functionsOf(contractId: string): Functions | Promise<Functions> {
    return this.#contracts.get(contractId) ?? this.#readFunctions(contractId);
  }

  async #readFunctions(contractId: string): Promise<Functions> {
    const sources = isBoot(contractId) ? [] : await readSources(this.#store, contractId, this.#which);
    const all = sources.flatMap((source) => compactEffects(contractId, readEffects(source, contractId)));
    const byName = Map.groupBy(all, ([name]) => name);
    const functions = new Map(Array.from(byName, ([name, found]) => [name, found.map(([, effects]) => effects)]));
    let size = BASE_SIZE;
    for (const [, { reads, writes, calls, guards, contractIds }] of all) {
      size += BASE_SIZE + reads.size + writes.size + contractIds.size + calls.length;
      for (const guard of guards) size += BASE_SIZE + guard.reads.size + guard.calls.length;
    }
    this.#contracts.set(contractId, functions, size);
    return functions;
  }

  /** Returns the variables and assets of a contract that its public functions may write. */
  async writableOf(contractId: string): Promise<ReadonlySet<Variable>> {
    const functions = await this.functionsOf(contractId);
    let writable = this.#writable.get(functions);
    if (writable === undefined) {
      writable = findWritable(contractId, functions);
      this.#writable.set(functions, writable);
    }
    return writable;
  }

  /** Returns the effects of a call that has these contracts anywhere among its arguments. */
  async effectsOf(called: FunctionName, passed: ReadonlySet<string> = NONE): Promise<TransitiveEffects> {
    const named = await this.#namedEffectsOf(called, new Set());
    const { asOne, callsUnknown } = named;
    const dependsOnArguments = asOne.calls.length > 0 || callsUnknown;
    if (!dependsOnArguments) return named;
    const known = this.#unpassed.get(named);
    if (passed.size === 0 && known !== undefined) return known;
    const closure = await this.closure(passed, OF_ALL, (name) => this.#namedEffectsOf(name, new Set()));
    const root = closure.add(called);
    await closure.followAll();
    const effects = closure.isWhole ? sumUp(closure, root) : TOO_LARGE;
    if (passed.size === 0) this.#unpassed.set(named, effects);
    return effects;
  }

  /**
   * Returns an empty closure, whose functions may receive these contracts. By default, it has no limits, and finds all
   * functions one by one.
   */
  async closure(
    passed: ReadonlySet<string>,
    limits = NO_LIMITS,
    namedEffectsOf: Code['namedEffectsOf'] = () => undefined,
  ): Promise<Closure> {
    // Contracts named in code matter only if blocks are missing, because a call of a missing contract otherwise fails.
    this.#mayMissCode ??= mayMissCode(this.#store);
    const code = { functionsOf: (contractId: string) => this.functionsOf(contractId), namedEffectsOf };
    return new Closure(code, { passed, mayMissCode: await this.#mayMissCode }, limits);
  }

  #namedEffectsOf(name: FunctionName, callers: Set<string>): NamedEffects | Promise<NamedEffects> {
    return this.#named.get(keyOf(name)) ?? this.#computeNamed(name, callers);
  }

  /** `callers`: functions that wait for this one. Sources of several forks may call each other in a circle. */
  async #computeNamed(name: FunctionName, callers: Set<string>): Promise<NamedEffects> {
    const key = keyOf(name);
    callers.add(key);
    const closure = await this.closure(NONE, OF_NAMED, (callee) =>
      callee.contractId === name.contractId || callers.has(keyOf(callee))
        ? undefined
        : this.#namedEffectsOf(callee, callers),
    );
    const root = closure.add(name);
    await closure.followCalls();
    callers.delete(key);
    const effects = closure.isWhole ? sumUp(closure, root) : TOO_LARGE;
    const { reads, writes, inputs, asOne } = effects;
    this.#named.set(key, effects, BASE_SIZE + reads.size + writes.size + inputs.size + asOne.contractIds.size);
    return effects;
  }
}

const keyOf = ({ contractId, functionName }: FunctionName) => `${contractId} ${functionName}`;

/** True if blocks are missing above height 1. Below height 1, only the genesis block can be missing. */
async function mayMissCode(store: StoreReader): Promise<boolean> {
  return ((await readHighestGap(store)) ?? 0) > 1;
}

function findWritable(contractId: string, functions: Functions): ReadonlySet<Variable> {
  const names = new Set<string>();
  for (const [name, effects] of functions) if (effects.some(({ isPublic }) => isPublic)) names.add(name);
  const writable = new Set<Variable>();
  // The loop adds names to the set that it visits.
  for (const name of names)
    for (const { writes, calls, guards } of functions.get(name) ?? []) {
      for (const variable of writes) writable.add(variable);
      for (const called of [calls, ...guards.map((guard) => guard.calls)])
        for (const call of called) if (call.contractId === contractId) names.add(call.functionName);
    }
  return writable;
}
