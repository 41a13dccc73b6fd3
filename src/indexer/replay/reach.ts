// What a function does with all that it calls: the variables that it reads and writes, and what it calls on traits.
import type { Role } from '#clarity/function-effects.ts';
import { isMarked, UNKNOWN_STATE } from '#clarity/state-names.ts';
import { splitContractId } from '#model/principal.ts';

/** A data variable or a map of a contract: `SP….token token-uri`; or what is marked as none. */
export type Variable = string;
export const variableOf = (contractId: string, name: string): Variable => `${contractId} ${name}`;
export const contractOf = (variable: Variable): string => variable.slice(0, variable.indexOf(' '));
export const nameOf = (variable: Variable): string => variable.slice(variable.indexOf(' ') + 1);
/** Whether calls that write it are recorded. */
export const canBeWatched = (variable: Variable): boolean => !isMarked(nameOf(variable));

export type Variables = ReadonlySet<Variable>;

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

export interface Summary extends Reach {
  /** What it may pass as traits. */
  readonly contractIds: ReadonlySet<string>;
}

/** Boot contracts are not in every archive; they call nobody. */
const BOOT_ADDRESSES: ReadonlySet<string> = new Set(['SP000000000000000000002Q6VF78', 'ST000000000000000000002AMW42H']);

/** Whether what a function does depends on the contracts among its arguments. */
export function isOpen(reach: Reach): boolean {
  return reach.traitCalls.size > 0 || callsUnknown(reach);
}

/** Whether it calls a contract whose source is not known. */
export function callsUnknown({ reads }: Reach): boolean {
  for (const variable of reads)
    if (nameOf(variable) === UNKNOWN_STATE && !BOOT_ADDRESSES.has(splitContractId(contractOf(variable)).address))
      return true;
  return false;
}
