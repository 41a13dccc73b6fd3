// Tokens: their standards, states and on-chain values.
import type { FailureCode, Reason } from './failure.ts';

export type TokenStandard = 'sip-009' | 'sip-010' | 'sip-013';

/**
 * The state of a token. `queued`: not read yet. `complete`: has on-chain values and a document. `partial`: has values,
 * but no document. `error`: has no values.
 */
export type TokenState = 'queued' | 'complete' | 'partial' | 'error';

/** The getters of SIP-010 that are read, in the order in which a response lists their values. */
export const TOKEN_GETTERS = ['get-name', 'get-symbol', 'get-decimals', 'get-total-supply', 'get-token-uri'] as const;
export type TokenGetter = (typeof TOKEN_GETTERS)[number];
const TRACKED_GETTERS = TOKEN_GETTERS.filter((getter) => getter !== 'get-total-supply');

/** The getters of a collection that take a token id, for each standard. */
const NUMBER_GETTERS = {
  'sip-009': ['get-token-uri'],
  'sip-013': ['get-decimals', 'get-total-supply', 'get-token-uri'],
} as const satisfies Record<string, readonly TokenGetter[]>;

/** A standard whose contracts have many tokens, each with an id. */
export type CollectionStandard = keyof typeof NUMBER_GETTERS;

export function kindOf(standard: CollectionStandard): 'nft' | 'sft' {
  return standard === 'sip-009' ? 'nft' : 'sft';
}

export const COLLECTION_STANDARDS = Object.keys(NUMBER_GETTERS) as CollectionStandard[];
export const TOKEN_STANDARDS: readonly TokenStandard[] = ['sip-010', ...COLLECTION_STANDARDS];

/** The values of the option `--only`, which limits a build to some of the routes. */
export const ONLY = ['tokens', 'ft', 'nft', 'sft'] as const;
export type Only = (typeof ONLY)[number];

export function isCollectionStandard(standard: TokenStandard | null | undefined): standard is CollectionStandard {
  return standard === 'sip-009' || standard === 'sip-013';
}

export function gettersOf(standard: TokenStandard | undefined): readonly TokenGetter[] {
  return isCollectionStandard(standard) ? NUMBER_GETTERS[standard] : TOKEN_GETTERS;
}

/**
 * Returns the getters whose values the VM tracks by replaying calls. A fungible token's supply is excluded, since it is
 * usually a sum of events.
 */
export function trackedGettersOf(standard: TokenStandard): readonly TokenGetter[] {
  return isCollectionStandard(standard) ? NUMBER_GETTERS[standard] : TRACKED_GETTERS;
}

/**
 * The on-chain values of a token. A value is undefined if its getter returned `none` or could not be read.
 * `totalSupply` is decimal text in the smallest unit.
 */
export type OnChainValues = ReturnType<typeof valuesOf>;

/**
 * The source of a value: a getter that a node ran at its tip, a token list of an API, or the contract in the Clarity
 * VM.
 */
export type ValueSource = 'node' | 'token-list' | 'vm';

/** The result of a getter: a value, or `none`, or the reason why the result is unknown. */
export interface GetterResult {
  readonly getter: TokenGetter;
  /** The token id passed to the getter of a collection. */
  readonly tokenNumber?: string;
  /** The value, with numbers as decimal text. Undefined for `none` and for a failure. */
  readonly value?: string;
  readonly failure?: Reason;
}

/** A value with its source, as stored. */
export interface Reading extends GetterResult {
  readonly source: ValueSource;
  /**
   * The block height for which the value was read. For a node, its tip. For the VM, the block of the last call that may
   * have changed the value, or of the deploy. Undefined for a token list.
   */
  readonly height?: number;
  /** The number of calls that the VM replayed because they may have changed the value. */
  readonly calls?: number;
  /** True if the VM ran only part of the contract. */
  readonly partial?: boolean;
}

/** A token list ranks lowest, since it may be older than the chain's tip by any time. */
const RANKS: Readonly<Record<ValueSource, number>> = { 'token-list': 1, vm: 2, node: 3 };

/** Returns the rank of a reading. A new reading replaces a stored reading of the same rank or a lower one. */
export function rankOf({ source, failure }: Pick<Reading, 'source' | 'failure'>): number {
  return failure === undefined ? RANKS[source] : 0;
}

const UNPROVEN: ReadonlySet<string> = new Set([
  'replay-diverged',
  'replay-limit',
  'calls-not-recorded',
  'ownership-not-followed',
  'height-not-known',
  'epoch-unknown',
  'vm-outdated',
  'supply-of-deploy',
  'evaluation-pending',
] satisfies FailureCode[]);

/** True if a reading with this failure has a value. The value is unproven: it may be older than the tip. */
export function isUnproven({ code }: Reason): boolean {
  return UNPROVEN.has(code);
}

export function valuesOf(results: readonly GetterResult[]) {
  const value = (getter: TokenGetter) => results.find((result) => result.getter === getter)?.value;
  const decimals = value('get-decimals');
  return {
    name: value('get-name'),
    symbol: value('get-symbol'),
    decimals: decimals === undefined ? undefined : Number(decimals),
    totalSupply: value('get-total-supply'),
    tokenUri: value('get-token-uri'),
  };
}

/**
 * The maximum length of texts, in UTF-16 code units. Names and symbols of SIP-010 have 32 characters, and the longest
 * URI on mainnet has 1,563.
 */
const MAX_LENGTHS: Partial<Record<TokenGetter, number>> = {
  'get-name': 256,
  'get-symbol': 256,
  'get-token-uri': 4_096,
};

/** Returns the maximum length of a value if the value is longer; otherwise undefined. */
export function exceededLength(getter: TokenGetter, value: string): number | undefined {
  const maxLength = MAX_LENGTHS[getter];
  return maxLength !== undefined && value.length > maxLength ? maxLength : undefined;
}

/** Returns the approximate memory that results take, in bytes. A URI may have some kilobytes. */
export function resultBytes(results: readonly GetterResult[]): number {
  return results.reduce((bytes, { value }) => bytes + (value?.length ?? 0), 0);
}

/** True if mints minus burns can be a supply. The sum is negative if an archive begins after the mints. */
export function isSupply(amount: bigint): boolean {
  return amount >= 0n && amount < 1n << 128n;
}

/** The token id that fills placeholders in the URI of a fungible token, which has no token id. */
export const FUNGIBLE_TOKEN_NUMBER = '1';
/** The values of the option `--nft`: how far the tokens of collections are indexed. */
export const NFT_MODES = ['none', 'uris', 'documents', 'images'] as const;
export type NftMode = (typeof NFT_MODES)[number];

/** The token id that is stored for a fungible token, and for the collection itself. */
export const NO_NUMBER = '';

/** A token id to call a collection's getter with if the getter ignores its argument. */
export const ANY_NUMBER = '1';

const [FIRST_DIGIT = '', ...OTHER_DIGITS] = String(2n ** 128n - 1n);

/** Matches a decimal token id: no leading zeros, and 2^128 - 1 at most. */
export const TOKEN_NUMBER_PATTERN = new RegExp(
  `^(?:0|[1-9]\\d{0,37}|[1-${Number(FIRST_DIGIT) - 1}]\\d{38}|${FIRST_DIGIT}${patternUpTo(OTHER_DIGITS)})$`,
);

/** Returns a pattern for numbers from 0 to a maximum, written with as many digits as the maximum. */
function patternUpTo([first = '', ...digits]: readonly string[]): string {
  if (digits.length === 0) return `[0-${first}]`;
  const rest = `${first}${patternUpTo(digits)}`;
  return first === '0' ? rest : `(?:[0-${Number(first) - 1}]\\d{${digits.length}}|${rest})`;
}
