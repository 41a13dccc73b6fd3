// Defines the type of a case, a small named program with the expected verdicts of its values, and contracts that
// several cases use.

import type { Network } from '../accounts.ts';
import { collection, SET_NAME, setIf, type TokenParts, token } from '../contracts.ts';
import { deploy, type Program, type Step } from '../program.ts';
import type { RunOptions } from '../served-site.ts';

/**
 * The allowed verdict of the checked value. `right`: it equals the VM's value. `reason`: it equals the VM's value, or
 * its status reports a reason for the difference. For the other values of a case, `reason` applies.
 */
type Must = 'right' | 'reason';

export interface Case {
  readonly name: string;
  /** Describes the situation in which a bug would give a wrong value. Part of the test's name. */
  readonly about: string;
  readonly must: Must;
  /** The value to check, as `contract getter` or `contract getter number`. */
  readonly value: string;
  readonly steps: readonly Step[];
  readonly network?: Network;
  /** The epoch in which the chain starts. */
  readonly epoch?: string;
  /** The options of each index run. Only cases with equal `runs` share a chain. */
  readonly runs?: readonly RunOptions[];
  readonly truth?: Program['truth'];
  /**
   * The index run in which the last blocks of the chain arrive, by default the first (0). If it is a later run, the
   * first run has no gap that reveals missing blocks.
   */
  readonly last?: number;
}

/** Returns a case that checks the name of the token `tok`. */
export function nameCase(name: string, must: Must, about: string, steps: readonly Step[]): Case {
  return { name, about, must, value: 'tok get-name', steps };
}

type More = Partial<Pick<Case, 'value' | 'network' | 'epoch' | 'runs' | 'truth' | 'last'>>;

/** Returns a case that checks the value in `more`, or has the other options in `more`. */
export function caseWith(more: More, ...rest: Parameters<typeof nameCase>): Case {
  return { ...nameCase(...rest), ...more };
}

/**
 * Returns options for a case on mainnet. `name` is the expected name of `tok`, since the VM runs a test network and
 * returns a wrong name.
 */
export const onMainnet = (name: string, truth = {}) =>
  ({ network: 'mainnet', truth: { 'tok get-name': name, ...truth } }) as const;
export const YES = onMainnet('yes');
export const URI = { value: 'col get-token-uri 1' };
export const SUPPLY = { value: 'tok get-total-supply' };
export const TWICE = { runs: [{}, {}] };
export const lateBurn = { mine: 'burn', count: 25 } as const;
export const lateStacks = { mine: 'stacks', count: 25 } as const;

/** Returns a step that deploys the token of a case, made from parts or with additional definitions. */
export function tok(parts: TokenParts | string, more?: Parameters<typeof deploy>[2]) {
  return deploy('tok', token(typeof parts === 'string' ? { more: parts } : parts), more);
}

/**
 * Returns a step that deploys a token. Its function `stamp` sets the name to "yes" if the condition holds, otherwise to
 * "no".
 */
export const stamped = (condition: string, more = '', options?: Parameters<typeof deploy>[2]) =>
  tok(`${more}\n${setIf(condition)}`, options);

/** Deploys the trait `named`, for contracts with the function `set-name`. */
export const NAMED = deploy('traits', '(define-trait named ((set-name ((string-ascii 40)) (response bool uint))))');
/** Deploys a contract that calls `set-name` of the contract passed to it. */
export const AGENT = deploy(
  'agent',
  '(use-trait named .traits.named) (define-public (go (t <named>)) (contract-call? t set-name "by an agent"))',
);
/** Deploys a token whose name any caller can set. */
export const TOK = tok(SET_NAME);
/** Deploys a token whose name is the value of the contract `reg`. */
export const READER = tok({ name: '(contract-call? .reg get-val)' });
export const MINT_COINS = '(define-public (mint) (ft-mint? coin u10 tx-sender))';
export const MINT_ANY = '(define-public (mint (i uint)) (nft-mint? thing i tx-sender))';

export const col = (uri: string, more?: string) => deploy('col', collection(uri, more));
