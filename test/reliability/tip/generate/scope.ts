// What an expression may refer to where it stands: what its contract defines, older contracts, parameters.
import type { Random } from '../../../support/random.ts';
import type { Features } from './features.ts';

/** `proposal` is one that takes a `named`. */
export type Trait = 'named' | 'source' | 'proposal';
/** Parameters of public functions. */
export type ParameterType = 'text' | 'number' | 'flag' | 'who' | Trait | 'maybe-named' | 'named-list';

export interface Writer {
  readonly name: string;
  readonly parameters: readonly ParameterType[];
  /** Whether its type has errors: without, Clarity refuses to look at them. */
  readonly mayFail: boolean;
}

export type State = ReturnType<typeof emptyState>;

/** What a contract has itself. */
export const emptyState = () => ({
  texts: [] as string[],
  numbers: [] as string[],
  flags: [] as string[],
  maps: [] as string[],
  sets: [] as string[],
  /** Maps of numbers to flags of which only writers know. */
  hidden: [] as string[],
  constants: [] as string[],
  privateTexts: [] as string[],
  privateWriters: [] as string[],
  /** Take a text, and may return an error. */
  privateTries: [] as string[],
  /** Take a text and a text, or return a flag of a text: for loops. */
  hasLoops: false,
  hasTuples: false,
  /** Private functions take a source, and a named. */
  hasAsking: false,
  hasCoin: false,
  hasThing: false,
});

export type Contract = ReturnType<typeof emptyContract>;

/** What others may use of a contract. */
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
  /** Has the function of the trait of that name. */
  traits: new Set<Trait>(),
});

export interface Scope {
  readonly random: Random;
  readonly features: Features;
  readonly state: State;
  /** Deployed before, by name. */
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
