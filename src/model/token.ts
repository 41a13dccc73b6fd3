// Tokens: their standards, states and on-chain values.
import type { FailureCode } from './failure.ts';

export type TokenStandard = 'sip-009' | 'sip-010' | 'sip-013';

/** `queued`: no answer yet; `complete`: values and document; `partial`: values without a document; `error`: no value could be read. */
export type TokenState = 'queued' | 'complete' | 'partial' | 'error';

/** The SIP-010 getters that are read, in the order of the answer. */
export const TOKEN_GETTERS = ['get-name', 'get-symbol', 'get-decimals', 'get-total-supply', 'get-token-uri'] as const;
export type TokenGetter = (typeof TOKEN_GETTERS)[number];

/** On-chain values of a fungible token; an absent one was `none` or could not be read. `totalSupply` is in the smallest unit, as decimal text. */
export interface OnChainValues {
  readonly name?: string;
  readonly symbol?: string;
  readonly decimals?: number;
  readonly totalSupply?: string;
  readonly tokenUri?: string;
}

/** Why one getter gave no value. */
export interface GetterFailure {
  readonly getter: TokenGetter;
  readonly code: FailureCode;
  readonly message: string;
}

/** What an evaluation of deployed source gives. */
export interface Evaluation {
  readonly values: OnChainValues;
  readonly failures: readonly GetterFailure[];
  /** Whether the whole source ran, or only a part of it, because the rest needs state that is not there. */
  readonly partial: boolean;
  /** Names of the contract's fungible tokens whose minted-minus-burned sum is the supply; undefined where the getter computes it otherwise. */
  readonly supplyAssets?: readonly string[];
}

/** Whether a sum of mints and burns is a supply: an unsigned 128-bit integer. A sum below 0 is of an archive that began after the mints. */
export function isSupply(amount: bigint): boolean {
  return amount >= 0n && amount < 1n << 128n;
}

/** The token number of a fungible token, which has only one. */
export const FUNGIBLE_TOKEN_NUMBER = '1';
