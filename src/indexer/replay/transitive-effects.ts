// The transitive effects of a function: the variables that the function and its callees read and write, and the
// functions that they call on traits.

import { isMarked, UNKNOWN_STATE } from '#clarity/builtins.ts';
import type { Role } from '#clarity/function-effects.ts';
import { BOOT_ADDRESSES, splitContractId } from '#model/principal.ts';

/** Id and name of a data variable or a map, such as `SP….token token-uri`. Names of other state begin with a mark. */
export type Variable = string;
export const variableOf = (contractId: string, name: string): Variable => `${contractId} ${name}`;
export const contractOf = (variable: Variable): string => variable.slice(0, variable.indexOf(' '));
export const nameOf = (variable: Variable): string => variable.slice(variable.indexOf(' ') + 1);
/** True if the index records calls that write the variable. */
export const canBeFollowed = (variable: Variable): boolean => !isMarked(nameOf(variable));

/** True for variables and assets of this contract. Before the contract is deployed, nothing else can change them. */
export const isOwn = (variable: Variable, contractId: string): boolean =>
  contractOf(variable) === contractId && !nameOf(variable).startsWith('$');

export type Variables = ReadonlySet<Variable>;

/** The effects of a function and of all functions that it calls. */
export interface TransitiveEffects {
  readonly reads: Variables;
  readonly writes: Variables;
  /**
   * Variables that can change what is written without changing the result. Excludes variables that only guards read,
   * because a failing guard changes the result.
   */
  readonly inputs: Variables;
  /** The functions called on traits. With such calls, the effects depend on the contracts among the arguments. */
  readonly traitCalls: ReadonlyMap<string, Role>;
}

export interface Summary extends TransitiveEffects {
  /** Ids of contracts that the function may pass as traits. */
  readonly contractIds: ReadonlySet<string>;
}

/** True for a boot contract. The node writes the state of such contracts, and the VM has different versions of them. */
export const isBoot = (contractId: string): boolean => BOOT_ADDRESSES.has(splitContractId(contractId).address);

/** True if the effects of a function depend on the contracts among its arguments. */
export function isOpen(effects: TransitiveEffects): boolean {
  return effects.traitCalls.size > 0 || callsUnknown(effects);
}

/** Caches results of {@link callsUnknown} by the set of read variables, which thousands of functions may share. */
const unknownCalled = new WeakMap<Variables, boolean>();

/** True if the function, or a function that it calls, calls a contract whose source is unknown. */
export function callsUnknown({ reads }: TransitiveEffects): boolean {
  const known = unknownCalled.get(reads);
  if (known !== undefined) return known;
  const isUnknown = (variable: Variable) => nameOf(variable) === UNKNOWN_STATE && !isBoot(contractOf(variable));
  const found = reads.values().some(isUnknown);
  unknownCalled.set(reads, found);
  return found;
}
