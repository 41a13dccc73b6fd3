// Combines the effects of a function with the effects of its callees. Many functions share the resulting sets.

import type { CalledFunction, FunctionEffects, FunctionName, Role } from '#clarity/function-effects.ts';
import { type Summary, type Variables, variableOf } from './transitive-effects.ts';

export const NONE: ReadonlySet<string> = new Set();
const NO_CALLS: ReadonlyMap<string, Role> = new Map();
export const EMPTY: Summary = { reads: NONE, writes: NONE, inputs: NONE, traitCalls: NO_CALLS, contractIds: NONE };

export function sumUp(
  { contractId }: FunctionName,
  effects: readonly FunctionEffects[],
  summaryOf: (name: FunctionName) => Summary,
): Summary {
  const sum = new Sum();
  const toVariables = (names: ReadonlySet<string>): Variables =>
    names.size === 0 ? NONE : new Set([...names].map((name) => variableOf(contractId, name)));
  const addCall = (call: CalledFunction) => {
    if (isNamed(call)) sum.add(summaryOf(call), call.role);
    else sum.addTraitCall(call.functionName, call.role);
  };
  for (const { reads, guards, writes, calls, contractIds } of effects) {
    const variables = toVariables(reads);
    sum.add({ ...EMPTY, reads: variables, inputs: variables, writes: toVariables(writes), contractIds }, 'result');
    for (const call of calls) addCall(call);
    for (const guard of guards) {
      const isGuard = guard.calls.every((call) => isNamed(call) && !mayWrite(summaryOf(call)));
      const guardReads = toVariables(guard.reads);
      sum.add({ ...EMPTY, reads: guardReads, inputs: isGuard ? NONE : guardReads }, 'result');
      for (const call of guard.calls) {
        if (!isGuard) addCall(call);
        else if (isNamed(call)) sum.add({ ...summaryOf(call), inputs: NONE }, 'result');
      }
    }
  }
  const finished = sum.finish();
  // If a callee has an equal summary, returns the callee's object, so that caches by object apply to both functions.
  const callees = effects.flatMap(({ calls }) => calls.flatMap((call) => (isNamed(call) ? summaryOf(call) : [])));
  return callees.find((callee) => isSame(callee, finished)) ?? finished;
}

function isSame(left: Summary, right: Summary): boolean {
  return (Object.keys(EMPTY) as (keyof Summary)[]).every((part) => left[part] === right[part]);
}

export function mayWrite({ writes, traitCalls }: Summary): boolean {
  return writes.size > 0 || traitCalls.size > 0;
}

export class Sum {
  readonly #reads = new Union();
  readonly #writes = new Union();
  readonly #inputs = new Union();
  readonly #contractIds = new Union();
  traitCalls: ReadonlyMap<string, Role> = NO_CALLS;
  #ownTraitCalls: Map<string, Role> | undefined;
  /** The added trait calls with their role. A function may call another one tens of thousands of times. */
  readonly #traitCallsAdded = new Map<ReadonlyMap<string, Role>, Role>();

  get contractIds(): ReadonlySet<string> {
    return this.#contractIds.values;
  }

  finish(): Summary {
    const [reads, writes, inputs] = [this.#reads.values, this.#writes.values, this.#inputs.values];
    return { reads, writes, inputs, traitCalls: this.traitCalls, contractIds: this.contractIds };
  }

  /** Adds the effects of a call. With role `value`, the caller handles errors, so all read variables are inputs. */
  add({ reads, writes, inputs, traitCalls, contractIds }: Summary, role: Role): void {
    this.#reads.add(reads);
    this.#writes.add(writes);
    this.#inputs.add(role === 'value' ? reads : inputs);
    this.#contractIds.add(contractIds);
    if (traitCalls.size === 0) return;
    const added = this.#traitCallsAdded.get(traitCalls);
    if (added === 'value' || added === role) return;
    this.#traitCallsAdded.set(traitCalls, role);
    if (this.traitCalls.size === 0 && role === 'result') this.traitCalls = traitCalls;
    else for (const [name, calleeRole] of traitCalls) this.addTraitCall(name, role === 'value' ? role : calleeRole);
  }

  addTraitCall(name: string, role: Role): void {
    const known = this.traitCalls.get(name);
    if (known === 'value' || known === role) return;
    this.#ownTraitCalls ??= new Map(this.traitCalls);
    this.traitCalls = this.#ownTraitCalls.set(name, role);
  }
}

/** A union that refers to the first set until another set adds a value. Many functions have the effects of a callee. */
class Union {
  values: ReadonlySet<string> = NONE;
  #own: Set<string> | undefined;
  /** The added sets, from the second one on. The same set may be added tens of thousands of times. */
  #added: Set<ReadonlySet<string>> | undefined;

  add(added: ReadonlySet<string>): void {
    if (added.size === 0 || added === this.values || this.#added?.has(added) === true) return;
    if (this.values.size > 0) {
      this.#added ??= new Set([this.values]);
      this.#added.add(added);
    }
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

export function isNamed<T extends { readonly contractId: string | undefined }>(call: T): call is T & FunctionName {
  return call.contractId !== undefined;
}
