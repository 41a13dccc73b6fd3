// Tokens: their standards, states and on-chain values.
import type { FailureCode, Reason } from './failure.ts';

export type TokenStandard = 'sip-009' | 'sip-010' | 'sip-013';

/**
 * `queued`: no answer yet; `complete`: values and document; `partial`: values alone; `error`: no value could be read.
 */
export type TokenState = 'queued' | 'complete' | 'partial' | 'error';

/** The SIP-010 getters that are read, in the order of the answer. */
export const TOKEN_GETTERS = ['get-name', 'get-symbol', 'get-decimals', 'get-total-supply', 'get-token-uri'] as const;
export type TokenGetter = (typeof TOKEN_GETTERS)[number];
const WATCHED_GETTERS = TOKEN_GETTERS.filter((getter) => getter !== 'get-total-supply');

/** What is read of each token of a collection; the getters take its number. */
const NUMBER_GETTERS = {
  'sip-009': ['get-token-uri'],
  'sip-013': ['get-decimals', 'get-total-supply', 'get-token-uri'],
} as const satisfies Record<string, readonly TokenGetter[]>;

/** A standard whose contracts have many tokens, each with a number. */
export type CollectionStandard = keyof typeof NUMBER_GETTERS;

/** What paths call a standard of collections. */
export function kindOf(standard: CollectionStandard): 'nft' | 'sft' {
  return standard === 'sip-009' ? 'nft' : 'sft';
}

export const COLLECTION_STANDARDS = Object.keys(NUMBER_GETTERS) as CollectionStandard[];
export const TOKEN_STANDARDS: readonly TokenStandard[] = ['sip-010', ...COLLECTION_STANDARDS];

export function isCollectionStandard(standard: TokenStandard | null | undefined): standard is CollectionStandard {
  return standard === 'sip-009' || standard === 'sip-013';
}

/** What is read of a token of a standard. */
export function gettersOf(standard: TokenStandard | undefined): readonly TokenGetter[] {
  return isCollectionStandard(standard) ? NUMBER_GETTERS[standard] : TOKEN_GETTERS;
}

/** Those whose values the VM follows through calls: a fungible token's supply is the sum of events where it can be. */
export function watchedGettersOf(standard: TokenStandard): readonly TokenGetter[] {
  return isCollectionStandard(standard) ? NUMBER_GETTERS[standard] : WATCHED_GETTERS;
}

/**
 * On-chain values; an absent one was `none` or could not be read. `totalSupply` is decimal text, in the smallest unit.
 */
export interface OnChainValues {
  readonly name?: string;
  readonly symbol?: string;
  readonly decimals?: number;
  readonly totalSupply?: string;
  readonly tokenUri?: string;
}

/** Where a value comes from: a getter called at a node's tip, an API's list of tokens, or the source run in the VM. */
export const VALUE_SOURCES = ['node', 'token-list', 'vm'] as const;
export type ValueSource = (typeof VALUE_SOURCES)[number];

/** What a getter answers: a value, `none`, or why it gives neither. */
export interface GetterAnswer {
  readonly getter: TokenGetter;
  /** With which it was called, in a collection. */
  readonly tokenNumber?: string;
  /** As decimal text where it is a number; undefined for `none` and for a failure. */
  readonly value?: string;
  readonly failure?: Reason;
}

/** A getter's answer, and where it was read. */
export interface Reading extends GetterAnswer {
  readonly source: ValueSource;
  /**
   * Block height of the node's tip, where it told; of a value from the VM, that of the last call that may have changed
   * it, or else of the deploy.
   */
  readonly height?: number;
  /** How many calls that may have changed it the VM replayed. */
  readonly calls?: number;
  /** Whether the contract ran only in part, in the VM. */
  readonly partial?: boolean;
}

const RANKS: Readonly<Record<ValueSource, number>> = { vm: 1, 'token-list': 2, node: 3 };

/** A reading replaces one of the same or a lower rank: the better source wins, then the later reading. */
export function rankOf({ source, failure }: Pick<Reading, 'source' | 'failure'>): number {
  return failure === undefined ? RANKS[source] : 0;
}

const UNPROVEN: ReadonlySet<string> = new Set([
  'replay-diverged',
  'replay-limit',
  'calls-not-recorded',
  'state-not-replayed',
  'height-not-known',
  'supply-of-deploy',
] satisfies FailureCode[]);

/** Whether a reading with this failure has a value all the same, which may be older than the tip. */
export function isUnproven({ code }: Reason): boolean {
  return UNPROVEN.has(code);
}

export function valuesOf(answers: readonly GetterAnswer[]): OnChainValues {
  const value = (getter: TokenGetter) => answers.find((answer) => answer.getter === getter)?.value;
  const [name, symbol, decimals] = [value('get-name'), value('get-symbol'), value('get-decimals')];
  const [totalSupply, tokenUri] = [value('get-total-supply'), value('get-token-uri')];
  return {
    ...(name === undefined ? {} : { name }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(decimals === undefined ? {} : { decimals: Number(decimals) }),
    ...(totalSupply === undefined ? {} : { totalSupply }),
    ...(tokenUri === undefined ? {} : { tokenUri }),
  };
}

/** About how much memory answers hold: a value has up to a megabyte. */
export function bytesOfAnswers(answers: readonly GetterAnswer[]): number {
  return answers.reduce((bytes, { value }) => bytes + (value?.length ?? 0), 0);
}

/** Whether a sum of mints and burns can be a supply. It is below 0 where an archive begins after the mints. */
export function isSupply(amount: bigint): boolean {
  return amount >= 0n && amount < 1n << 128n;
}

/** What stands for the number of a fungible token, which has none, in the template of a URI. */
export const FUNGIBLE_TOKEN_NUMBER = '1';
/** How far a run goes with the tokens of collections. */
export const NFT_MODES = ['none', 'uris', 'documents', 'images'] as const;
export type NftMode = (typeof NFT_MODES)[number];

/** What is stored as the number of a contract's own token: a fungible token or a collection. */
export const NO_NUMBER = '';

/** What a getter of a collection is called with that does not use its argument. */
export const ANY_NUMBER = '1';

const [FIRST_DIGIT = '', ...OTHER_DIGITS] = String(2n ** 128n - 1n);

/** Decimal, without leading zeros, up to 2^128 - 1. */
export const TOKEN_NUMBER_PATTERN = new RegExp(
  `^(?:0|[1-9]\\d{0,37}|[1-${Number(FIRST_DIGIT) - 1}]\\d{38}|${FIRST_DIGIT}${patternUpTo(OTHER_DIGITS)})$`,
);

/** Source of a pattern of the numbers with as many digits as one has, up to it. */
function patternUpTo([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return `[0-${first}]`;
  const rest = `${first}${patternUpTo(others)}`;
  return first === '0' ? rest : `(?:[0-${Number(first) - 1}]\\d{${others.length}}|${rest})`;
}
