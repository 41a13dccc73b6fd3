// The type of a named test case, a small program with its expected verdicts, and the contracts that cases share.

import { collection, SET_NAME, setIf, type TokenParts, token } from '../contracts.ts';
import type { Network } from '../encode-transaction.ts';
import { deploy, type Program, type Step } from '../program.ts';
import type { RunOptions } from '../served-site.ts';

/**
 * `right`: the value equals the truth. `reason`: it does, or its status has a reason why not. All other values of the
 * case must be `reason`.
 */
type Must = 'right' | 'reason';

export interface Case {
  readonly name: string;
  /** Describes the situation that a bug would get wrong; part of the test's name. */
  readonly about: string;
  readonly must: Must;
  /** The value to check: `contract getter`, or `contract getter number`. */
  readonly value: string;
  readonly steps: readonly Step[];
  readonly network?: Network;
  /** Epoch at the start of the chain. */
  readonly epoch?: string;
  /** Options of each index run. Cases with the same runs share a chain. */
  readonly runs?: readonly RunOptions[];
  readonly truth?: Program['truth'];
  /** Number of the run in which the last blocks arrive, 0 by default. After run 0, no gap marks missing blocks. */
  readonly last?: number;
}

/** Returns a case about the name of `tok`. */
export function nameCase(name: string, must: Must, about: string, steps: readonly Step[]): Case {
  return { name, about, must, value: 'tok get-name', steps };
}

type More = Partial<Pick<Case, 'value' | 'network' | 'epoch' | 'runs' | 'truth' | 'last'>>;

/** Returns a case about another value, or with other options. */
export function caseWith(more: More, ...rest: Parameters<typeof nameCase>): Case {
  return { ...nameCase(...rest), ...more };
}

/** Options of a case on mainnet; `name` is the expected name of `tok`, which the VM of a test network gets wrong. */
export const onMainnet = (name: string, truth = {}) =>
  ({ network: 'mainnet', truth: { 'tok get-name': name, ...truth } }) as const;
export const YES = onMainnet('yes');
export const URI = { value: 'col get-token-uri 1' };
export const SUPPLY = { value: 'tok get-total-supply' };
export const TWICE = { runs: [{}, {}] };
export const lateBurn = { mine: 'burn', count: 25 } as const;
export const lateStacks = { mine: 'stacks', count: 25 } as const;

/** Deploys the token of a case, made from parts or with additional definitions. */
export function tok(parts: TokenParts | string, more?: Parameters<typeof deploy>[2]) {
  return deploy('tok', token(typeof parts === 'string' ? { more: parts } : parts), more);
}

/** Deploys a token whose function `stamp` sets its name to "yes" or "no" by a condition. */
export const stamped = (condition: string, more = '', options?: Parameters<typeof deploy>[2]) =>
  tok(`${more}\n${setIf(condition)}`, options);

/** The trait of contracts with `set-name`. */
export const NAMED = deploy('traits', '(define-trait named ((set-name ((string-ascii 40)) (response bool uint))))');
/** A contract that calls `set-name` of the contract in its argument. */
export const AGENT = deploy(
  'agent',
  '(use-trait named .traits.named) (define-public (go (t <named>)) (contract-call? t set-name "by an agent"))',
);
/** A token whose name is a variable that any caller can set. */
export const TOK = tok(SET_NAME);
/** A token whose name is the value of the contract `reg`. */
export const READER = tok({ name: '(contract-call? .reg get-val)' });
export const MINT_COINS = '(define-public (mint) (ft-mint? coin u10 tx-sender))';
export const MINT_ANY = '(define-public (mint (i uint)) (nft-mint? thing i tx-sender))';

export const col = (uri: string, more?: string) => deploy('col', collection(uri, more));
