// The effects of a function in a source: the state that it reads and writes, and its calls.

export interface FunctionName {
  readonly contractId: string;
  readonly functionName: string;
}

/**
 * The use of a call's value. `result`: an error of the call also ends the caller with an error. `value`: any other use,
 * after which the caller may continue.
 */
export type Role = 'result' | 'value';

export interface CalledFunction {
  /** The id of the called contract. Undefined for a call through a trait, since any contract may be passed. */
  readonly contractId: string | undefined;
  readonly functionName: string;
  readonly role: Role;
}

/** Returns the use of a constant that names contracts. It counts as a call of a function without effects. */
export const useOfConstant = (contractId: string, name: string): CalledFunction & FunctionName => ({
  contractId,
  functionName: `$constant ${name}`,
  role: 'value',
});

/**
 * A condition that ends the function with an error if it is false. It is true in each successful call, unless other
 * functions called by this one write state.
 */
export interface Guard {
  readonly reads: ReadonlySet<string>;
  readonly calls: readonly CalledFunction[];
}

/** The effects of a function's body, without the effects of the functions that it calls. */
export interface FunctionEffects {
  /** True if transactions can call the function, and it may change state. */
  readonly isPublic: boolean;
  /**
   * The names of variables, maps and computed constants that the body reads; other state has a mark ({@link isMarked}).
   * Excludes names that only guards read.
   */
  readonly reads: ReadonlySet<string>;
  readonly guards: readonly Guard[];
  readonly writes: ReadonlySet<string>;
  readonly calls: readonly CalledFunction[];
  /** Ids of the contracts that the function names, and may pass as traits. */
  readonly contractIds: ReadonlySet<string>;
}
