// Binds functions called on traits to contracts: takes a summary and the contracts that may be passed, and returns the
// effects of the function with them.

import type { FunctionName, Role } from '#clarity/function-effects.ts';
import { Sum } from './sum-effects.ts';
import { callsUnknown, type Summary } from './transitive-effects.ts';

/** Stored code. */
export interface Code {
  /** Returns names of functions; none if the contract is unknown. */
  functionsOf(contractId: string): Promise<ReadonlyMap<string, unknown>>;
  publicFunctionsOf(contractId: string): Promise<readonly string[]>;
  summaryOf(name: FunctionName): Summary | Promise<Summary>;
}

interface Given {
  /** Contracts among the arguments of the call. */
  readonly passed: ReadonlySet<string>;
  /** Contracts that the code of the function and of its callees names. */
  readonly named: ReadonlySet<string>;
  /** True if the function calls a contract without known code. */
  readonly callsUnknown: boolean;
}

/**
 * Repeats until neither the called functions nor the contracts grow. Each contract meets each function once, so the time
 * is linear in the number of pairs found. `bound`: contracts that `start` includes with all functions that it calls on traits.
 */
export async function bindTraits(
  code: Code,
  start: Summary,
  bound: ReadonlySet<string> | undefined,
  given: Given,
): Promise<Summary> {
  const sum = new Sum();
  sum.add(start, 'result');
  /** In the order in which they are found; a function whose role changes comes again. */
  const calls = [...start.traitCalls];
  const roles = new Map(calls);
  /** Number of calls that each contract has met. */
  const met = new Map<string, number>();
  /** Contracts that unknown code may receive, and that are not opened to it yet. */
  const unopened = new Set([...given.passed, ...given.named]);
  let { callsUnknown: hasUnknown } = given;
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
    const isBound = bound?.has(contractId) === true && !given.passed.has(contractId);
    const first = met.get(contractId) ?? (isBound ? start.traitCalls.size : 0);
    if (first < calls.length) {
      const last = calls.length;
      const functions = await code.functionsOf(contractId);
      // A contract without known code adds the same with each function.
      const those =
        functions.size === 0 ? calls.slice(0, Number(first === 0)) : callsOf(functions, calls, roles, first, last);
      for (const [functionName, role] of those) {
        const summary = await code.summaryOf({ contractId, functionName });
        add(summary, role);
        hasUnknown ||= callsUnknown(summary);
      }
      met.set(contractId, last);
      isComplete = false;
    }
    // Unknown code may call any function of the contracts that are passed to it, by arguments or by code.
    if (!hasUnknown || !unopened.delete(contractId)) return;
    isComplete = false;
    for (const functionName of await code.publicFunctionsOf(contractId))
      add(await code.summaryOf({ contractId, functionName }), 'value');
  };

  while (!isComplete) {
    isComplete = true;
    for (const contractId of given.passed) await bind(contractId);
    const isBound =
      sum.contractIds === bound && calls.length === start.traitCalls.size && hasUnknown === given.callsUnknown;
    if (!isBound) for (const contractId of [...sum.contractIds]) await bind(contractId);
  }
  return sum.finish();
}

/** Returns the calls from `first` to `last` for which a contract has functions. */
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
