// The form of a named case: a small program, and what must hold of the values that are served of it.

import { collection, SET_NAME, setIf, type TokenParts, token } from '../contracts.ts';
import type { Network } from '../encode-transaction.ts';
import { deploy, type Program, type Step } from '../program.ts';
import type { RunOptions } from '../served-site.ts';

/** `reason`: right, or with a reason. Values that are not named must be `reason`, too. */
type Must = 'right' | 'reason';

export interface Case {
  readonly name: string;
  /** What goes wrong where it fails. */
  readonly about: string;
  readonly must: Must;
  /** `contract getter`, or `contract getter number`. */
  readonly value: string;
  readonly steps: readonly Step[];
  readonly network?: Network;
  /** In which its chain begins. */
  readonly epoch?: string;
  /** The options of each index run; a case of several has a chain of its own. */
  readonly runs?: readonly RunOptions[];
  readonly truth?: Program['truth'];
  /** In which run the last blocks arrive: if not in the first, no gap tells of those between. */
  readonly last?: number;
}

/** Of the name of `tok` unless it is said. */
export function one(name: string, must: Must, about: string, steps: readonly Step[]): Case {
  return { name, about, must, value: 'tok get-name', steps };
}

type More = Partial<Pick<Case, 'value' | 'network' | 'epoch' | 'runs' | 'truth' | 'last'>>;

export function having(more: More, ...rest: Parameters<typeof one>): Case {
  return { ...one(...rest), ...more };
}

/** What the name is there, as far as the VM cannot know it. */
export const onMainnet = (name: string, truth = {}) =>
  ({ network: 'mainnet', truth: { 'tok get-name': name, ...truth } }) as const;
export const YES = onMainnet('yes');
export const URI = { value: 'col get-token-uri 1' };
export const SUPPLY = { value: 'tok get-total-supply' };
export const TWICE = { runs: [{}, {}] };
export const lateBurn = { mine: 'burn', count: 25 } as const;
export const lateStacks = { mine: 'stacks', count: 25 } as const;

/** The token of a case, of its parts, or with more definitions alone. */
export function tok(parts: TokenParts | string, more?: Parameters<typeof deploy>[2]) {
  return deploy('tok', token(typeof parts === 'string' ? { more: parts } : parts), more);
}

/** The token of a case, whose `stamp` says in its name whether a condition holds. */
export const stamped = (condition: string, more = '', options?: Parameters<typeof deploy>[2]) =>
  tok(`${more}\n${setIf(condition)}`, options);

/** Passes a contract that has `set-name` on, and sets its name. */
export const NAMED = deploy('traits', '(define-trait named ((set-name ((string-ascii 40)) (response bool uint))))');
export const AGENT = deploy(
  'agent',
  '(use-trait named .traits.named) (define-public (go (t <named>)) (contract-call? t set-name "by an agent"))',
);
/** Its name is a variable, which anybody sets. */
export const TOK = tok(SET_NAME);
/** Its name is the value of the registry. */
export const READER = tok({ name: '(contract-call? .reg get-val)' });
export const MINT_COINS = '(define-public (mint) (ft-mint? coin u10 tx-sender))';
export const MINT_ANY = '(define-public (mint (i uint)) (nft-mint? thing i tx-sender))';

export const col = (uri: string, more?: string) => deploy('col', collection(uri, more));
