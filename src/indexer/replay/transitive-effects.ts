// The transitive effects of a function: the variables that the function and its callees read and write.

import { isMarked } from '#clarity/builtins.ts';
import { keyOf } from '#clarity/name-key.ts';
import { BOOT_ADDRESSES, splitContractId } from '#model/principal.ts';

/** Id and name of a data variable or a map, such as `SP….token token-uri`. Names of other state begin with a mark. */
export type Variable = string;
export const variableOf = (contractId: string, name: string): Variable => `${contractId} ${name}`;
export const contractOf = (variable: Variable): string => variable.slice(0, variable.indexOf(' '));
export const nameOf = (variable: Variable): string => variable.slice(variable.indexOf(' ') + 1);
/** Returns the key that stands for all variables of a contract. */
export const keyOfAll = (contractId: string): number => keyOf(variableOf(contractId, '*'));
/** True if the index records calls that write the variable. */
export const canBeFollowed = (variable: Variable): boolean => !isMarked(nameOf(variable));

/** True for variables and assets of this contract. Before the contract is deployed, nothing else can change them. */
export const isOwn = (variable: Variable, contractId: string): boolean =>
  contractOf(variable) === contractId && !nameOf(variable).startsWith('$');

export type Variables = ReadonlySet<Variable>;

/** The effects of a function and of all functions that it may call. */
export interface TransitiveEffects {
  readonly reads: Variables;
  readonly writes: Variables;
  /**
   * Variables that can change what is written without changing the result. Excludes variables that only guards read,
   * because a failing guard changes the result.
   */
  readonly inputs: Variables;
}

/** True for a boot contract. The node writes the state of such contracts, and the VM has different versions of them. */
export const isBoot = (contractId: string): boolean => BOOT_ADDRESSES.has(splitContractId(contractId).address);
