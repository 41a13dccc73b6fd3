// Defines the names that a generated expression may refer to: definitions of its contract, older contracts, and
// parameters.
import type { Random } from '../../../support/random.ts';
import type { Features } from './features.ts';

/**
 * The names of the traits. A function of the trait `proposal` receives a contract that implements the trait `named`.
 */
export type Trait = 'named' | 'source' | 'proposal';
/** The types of a public function's parameters. */
export type ParameterType = 'text' | 'number' | 'flag' | 'who' | Trait | 'maybe-named' | 'named-list';

export interface Writer {
  readonly name: string;
  readonly parameters: readonly ParameterType[];
  /** True if the function may return an error. If it cannot, Clarity rejects callers that handle errors. */
  readonly mayFail: boolean;
}

export type State = ReturnType<typeof emptyState>;

/** Returns empty lists of the definitions that only functions of the same contract may use. */
export const emptyState = () => ({
  texts: [] as string[],
  numbers: [] as string[],
  flags: [] as string[],
  maps: [] as string[],
  sets: [] as string[],
  /** Maps from numbers to flags that no getter reads. */
  hidden: [] as string[],
  constants: [] as string[],
  privateTexts: [] as string[],
  privateWriters: [] as string[],
  /** Private functions that take a text and may return an error. */
  privateTries: [] as string[],
  /** True if private functions for loops exist: one compares two texts, one tests a text. */
  hasLoops: false,
  hasTuples: false,
  /** True if private functions exist that call functions of the traits `source` and `named`. */
  hasAsking: false,
  hasCoin: false,
  hasThing: false,
});

export type Contract = ReturnType<typeof emptyContract>;

/** Returns a contract that has no functions for other contracts to use yet. */
export const emptyContract = (
  name: string,
  kind: 'registry' | 'token' | 'collection' | 'agent' | 'trait' | 'setup',
) => ({
  name,
  /** Read-only functions without parameters that return a text. */
  texts: [] as string[],
  flags: [] as string[],
  /** Read-only functions that take a number and return a text. */
  numbered: [] as string[],
  /** Public functions without parameters that return a text or an error. */
  givers: [] as string[],
  writers: [] as Writer[],
  definitions: [] as string[],
  kind,
  /** The traits that the contract implements. */
  traits: new Set<Trait>(),
});

export interface Scope {
  readonly random: Random;
  readonly features: Features;
  readonly state: State;
  /** Contracts that are deployed before this one. */
  readonly older: readonly Contract[];
  /** The names of the current function's parameters, by type. */
  readonly parameters: { readonly [Type in ParameterType]?: readonly string[] | undefined };
  readonly mode: 'read' | 'write' | 'deploy';
}

export type Context = Pick<Scope, 'random' | 'features' | 'older'>;

export const ACCOUNTS = ['deployer', 'alice', 'bob'] as const;
export const principalOf = (account: string) => `'{@${account}}`;
export const TEXTS = ['""', '"a"', '"b"', '"c"', '"long enough to tell"'] as const;
export const NUMBERS = ['u0', 'u1', 'u2', 'u3'] as const;
