// Types of the names that an expression may refer to: definitions of its contract, older contracts, and parameters.
import type { Random } from '../../../support/random.ts';
import type { Features } from './features.ts';

/** Names of traits. Functions of `proposal` take a contract with the trait `named`. */
export type Trait = 'named' | 'source' | 'proposal';
/** Types of the parameters of public functions. */
export type ParameterType = 'text' | 'number' | 'flag' | 'who' | Trait | 'maybe-named' | 'named-list';

export interface Writer {
  readonly name: string;
  readonly parameters: readonly ParameterType[];
  /** True if the result type has errors; only then does Clarity allow handling them. */
  readonly mayFail: boolean;
}

export type State = ReturnType<typeof emptyState>;

/** Returns an empty list of the definitions that only the contract's functions may use. */
export const emptyState = () => ({
  texts: [] as string[],
  numbers: [] as string[],
  flags: [] as string[],
  maps: [] as string[],
  sets: [] as string[],
  /** Maps of numbers to flags that no getter reads. */
  hidden: [] as string[],
  constants: [] as string[],
  privateTexts: [] as string[],
  privateWriters: [] as string[],
  /** Functions that take a text and may return an error. */
  privateTries: [] as string[],
  /** True if functions for loops exist: one compares two texts, one tests a text. */
  hasLoops: false,
  hasTuples: false,
  /** True if private functions exist that call the traits `source` and `named`. */
  hasAsking: false,
  hasCoin: false,
  hasThing: false,
});

export type Contract = ReturnType<typeof emptyContract>;

/** Returns a contract without functions that other contracts may use. */
export const emptyContract = (
  name: string,
  kind: 'registry' | 'token' | 'collection' | 'agent' | 'trait' | 'setup',
) => ({
  name,
  /** Read-only functions without parameters that return a text or a flag. */
  texts: [] as string[],
  flags: [] as string[],
  /** Read-only functions of a number that return a text. */
  numbered: [] as string[],
  /** Public functions without parameters that return a text or an error. */
  givers: [] as string[],
  writers: [] as Writer[],
  definitions: [] as string[],
  kind,
  /** Traits that the contract implements. */
  traits: new Set<Trait>(),
});

export interface Scope {
  readonly random: Random;
  readonly features: Features;
  readonly state: State;
  /** Contracts deployed before. */
  readonly older: readonly Contract[];
  /** Names of parameters by type. */
  readonly parameters: { readonly [Type in ParameterType]?: readonly string[] | undefined };
  readonly mode: 'read' | 'write' | 'deploy';
}

export type Context = Pick<Scope, 'random' | 'features' | 'older'>;

export const ACCOUNTS = ['deployer', 'alice', 'bob'] as const;
export const principalOf = (account: string) => `'{@${account}}`;
export const TEXTS = ['""', '"a"', '"b"', '"c"', '"long enough to tell"'] as const;
export const NUMBERS = ['u0', 'u1', 'u2', 'u3'] as const;
