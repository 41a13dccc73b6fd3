// Finds the effects of functions that are called on traits. Takes the summary of a function and the contracts that may
// be arguments, and returns the effects of the function with these contracts.

import type { FunctionName, Role } from '#clarity/function-effects.ts';
import { Sum } from './sum-effects.ts';
import { callsUnknown, type Summary } from './transitive-effects.ts';

/** Access to the code of stored contracts. */
export interface Code {
  /** Returns the functions of a contract by name; an empty map if the contract is unknown. */
  functionsOf(contractId: string): Promise<ReadonlyMap<string, unknown>>;
  publicFunctionsOf(contractId: string): Promise<readonly string[]>;
  summaryOf(name: FunctionName): Summary | Promise<Summary>;
}

interface Binding {
  /** Contracts among the arguments of the call. */
  readonly passed: ReadonlySet<string>;
  /** Contracts that the code of the function, or of a function that it calls, refers to by name. */
  readonly named: ReadonlySet<string>;
  /** True if the function calls a contract without known code. */
  readonly callsUnknown: boolean;
}

/**
 * Adds the effects of the called functions of each contract, until neither functions nor contracts are added. Handles
 * each pair of a contract and a function once, so the time is linear in the number of pairs. `bound` are contracts
 * whose functions are part of `start`.
 */
export async function bindTraits(
  code: Code,
  start: Summary,
  bound: ReadonlySet<string> | undefined,
  binding: Binding,
): Promise<Summary> {
  const sum = new Sum();
  sum.add(start, 'result');
  /** Functions called on traits, in the order of discovery. A function is added again if its role changes. */
  const calls = [...start.traitCalls];
  const roles = new Map(calls);
  /** The number of `calls` that have been handled for each contract. */
  const met = new Map<string, number>();
  /** Contracts that unknown code may receive. Each is removed when its public functions are added. */
  const unopened = new Set([...binding.passed, ...binding.named]);
  let { callsUnknown: hasUnknown } = binding;
  let isComplete = false;

  const add = (summary: Summary, role: Role) => {
    sum.add(summary, role);
    for (const name of summary.traitCalls.keys()) {
      const roleNow = sum.traitCalls.get(name) as Role;
      if (roles.get(name) === roleNow) continue;
      roles.set(name, roleNow);
      calls.push([name, roleNow]);
    }
  };

  const bind = async (contractId: string) => {
    const isBound = bound?.has(contractId) === true && !binding.passed.has(contractId);
    const first = met.get(contractId) ?? (isBound ? start.traitCalls.size : 0);
    if (first < calls.length) {
      const last = calls.length;
      const functions = await code.functionsOf(contractId);
      // All functions of a contract without known code have the same effects, so only the first call is added.
      const bindable =
        functions.size === 0 ? calls.slice(0, Number(first === 0)) : callsOf(functions, calls, roles, first, last);
      for (const [functionName, role] of bindable) {
        const summary = await code.summaryOf({ contractId, functionName });
        add(summary, role);
        hasUnknown ||= callsUnknown(summary);
      }
      met.set(contractId, last);
      isComplete = false;
    }
    // Unknown code may call any public function of the contracts that are passed to it.
    if (!hasUnknown || !unopened.delete(contractId)) return;
    isComplete = false;
    for (const functionName of await code.publicFunctionsOf(contractId))
      add(await code.summaryOf({ contractId, functionName }), 'value');
  };

  while (!isComplete) {
    isComplete = true;
    for (const contractId of binding.passed) await bind(contractId);
    const isBound =
      sum.contractIds === bound && calls.length === start.traitCalls.size && hasUnknown === binding.callsUnknown;
    if (!isBound) for (const contractId of [...sum.contractIds]) await bind(contractId);
  }
  return sum.finish();
}

/** Returns those calls from index `first` to `last` whose function the contract has. */
function callsOf(
  functions: ReadonlyMap<string, unknown>,
  calls: readonly (readonly [string, Role])[],
  roles: ReadonlyMap<string, Role>,
  first: number,
  last: number,
): (readonly [string, Role])[] {
  if (first === 0 && functions.size < last)
    return [...functions.keys()].flatMap((name) => {
      const role = roles.get(name);
      return role === undefined ? [] : [[name, role] as const];
    });
  return calls.slice(first, last).filter(([name]) => functions.has(name));
}
