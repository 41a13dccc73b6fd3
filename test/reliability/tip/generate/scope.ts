// What an expression may refer to where it stands: what its contract defines, older contracts, parameters.
import type { Random } from '../../../support/random.ts';
import type { Features } from './features.ts';

/** Parameters of public functions; `named` and `source` are traits, `proposal` one that takes a `named`. */
export type ParameterType =
  | 'text'
  | 'number'
  | 'flag'
  | 'who'
  | 'named'
  | 'source'
  | 'proposal'
  | 'maybe-named'
  | 'named-list';

export interface Writer {
  readonly name: string;
  readonly parameters: readonly ParameterType[];
  /** Whether its type has errors: without, Clarity refuses to look at them. */
  readonly mayFail: boolean;
}

/** What others may use of a contract. */
export interface Contract {
  readonly name: string;
  /** Read-only functions without parameters that return a text or a flag. */
  readonly texts: string[];
  readonly flags: string[];
  readonly writers: Writer[];
  readonly definitions: string[];
  readonly kind: 'registry' | 'token' | 'collection' | 'agent' | 'trait' | 'setup';
  /** Has the function of the trait of that name. */
  readonly traits: Set<'named' | 'source' | 'proposal'>;
}

/** Of the contract itself. */
export interface Own {
  readonly texts: string[];
  readonly numbers: string[];
  readonly flags: string[];
  readonly maps: string[];
  readonly sets: string[];
  /** Maps of numbers to flags of which only writers know. */
  readonly hidden: string[];
  readonly constants: string[];
  readonly privateTexts: string[];
  readonly privateWriters: string[];
  hasCoin: boolean;
  hasThing: boolean;
}

export const emptyOwn = (): Own => ({
  texts: [],
  numbers: [],
  flags: [],
  maps: [],
  sets: [],
  hidden: [],
  constants: [],
  privateTexts: [],
  privateWriters: [],
  hasCoin: false,
  hasThing: false,
});

export const emptyContract = (name: string, kind: Contract['kind']): Contract => ({
  name,
  texts: [],
  flags: [],
  writers: [],
  definitions: [],
  kind,
  traits: new Set(),
});

export interface Scope {
  readonly random: Random;
  readonly features: Features;
  readonly own: Own;
  /** Deployed before, by name. */
  readonly older: readonly Contract[];
  /** Names of parameters by type. */
  readonly parameters: { readonly [Type in ParameterType]?: readonly string[] | undefined };
  readonly mode: 'read' | 'write' | 'deploy';
}

export const ACCOUNTS = ['deployer', 'alice', 'bob'] as const;
export const principalOf = (account: string) => `'{@${account}}`;
export const TEXTS = ['""', '"a"', '"b"', '"c"', '"long enough to tell"'] as const;
export const NUMBERS = ['u0', 'u1', 'u2', 'u3'] as const;
