// Tokens: their standards, states and on-chain values.
import type { FailureCode, Reason } from './failure.ts';

export type TokenStandard = 'sip-009' | 'sip-010' | 'sip-013';

/** `queued`: no answer yet; `complete`: values and document; `partial`: only values; `error`: no value. */
export type TokenState = 'queued' | 'complete' | 'partial' | 'error';

/** SIP-010 getters that are read, in answer order. */
export const TOKEN_GETTERS = ['get-name', 'get-symbol', 'get-decimals', 'get-total-supply', 'get-token-uri'] as const;
export type TokenGetter = (typeof TOKEN_GETTERS)[number];
const TRACKED_GETTERS = TOKEN_GETTERS.filter((getter) => getter !== 'get-total-supply');

/** Getters of each token of a collection, which take its id. */
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

/** Values of the option that restricts a build. */
export const ONLY = ['tokens', 'ft', 'nft', 'sft'] as const;
export type Only = (typeof ONLY)[number];

export function isCollectionStandard(standard: TokenStandard | null | undefined): standard is CollectionStandard {
  return standard === 'sip-009' || standard === 'sip-013';
}

export function gettersOf(standard: TokenStandard | undefined): readonly TokenGetter[] {
  return isCollectionStandard(standard) ? NUMBER_GETTERS[standard] : TOKEN_GETTERS;
}

/** Getters whose values the VM follows through calls. A fungible token's supply is a sum of events if possible. */
export function trackedGettersOf(standard: TokenStandard): readonly TokenGetter[] {
  return isCollectionStandard(standard) ? NUMBER_GETTERS[standard] : TRACKED_GETTERS;
}

/** One that is undefined was `none` or could not be read. `totalSupply`: decimal text, in the smallest unit. */
export type OnChainValues = ReturnType<typeof valuesOf>;

/** Sources of values: a getter called at a node's tip, an API's token list, or the source run in the VM. */
export type ValueSource = 'node' | 'token-list' | 'vm';

/** A getter's answer: a value, `none`, or why it returned neither. */
export interface GetterAnswer {
  readonly getter: TokenGetter;
  /** The token id passed to the getter, in a collection. */
  readonly tokenNumber?: string;
  /** Numbers as decimal text; undefined for `none` and for a failure. */
  readonly value?: string;
  readonly failure?: Reason;
}

export interface Reading extends GetterAnswer {
  readonly source: ValueSource;
  /** Of the node's tip; from the VM, of the last call that may have changed it, or else of the deploy. */
  readonly height?: number;
  /** Number of calls that may have changed it and that the VM replayed. */
  readonly calls?: number;
  /** True if only part of the contract ran in the VM. */
  readonly partial?: boolean;
}

const RANKS: Readonly<Record<ValueSource, number>> = { vm: 1, 'token-list': 2, node: 3 };

/** A reading replaces another of the same or a lower rank: the better source wins, then the later reading. */
export function rankOf({ source, failure }: Pick<Reading, 'source' | 'failure'>): number {
  return failure === undefined ? RANKS[source] : 0;
}

const UNPROVEN: ReadonlySet<string> = new Set([
  'replay-diverged',
  'replay-limit',
  'calls-not-recorded',
  'ownership-not-followed',
  'state-not-replayed',
  'height-not-known',
  'epoch-unknown',
  'vm-outdated',
  'supply-of-deploy',
  'evaluation-pending',
] satisfies FailureCode[]);

/** True if a reading with this failure still has a value, which may be older than the tip. */
export function isUnproven({ code }: Reason): boolean {
  return UNPROVEN.has(code);
}

export function valuesOf(answers: readonly GetterAnswer[]) {
  const value = (getter: TokenGetter) => answers.find((answer) => answer.getter === getter)?.value;
  const decimals = value('get-decimals');
  return {
    name: value('get-name'),
    symbol: value('get-symbol'),
    decimals: decimals === undefined ? undefined : Number(decimals),
    totalSupply: value('get-total-supply'),
    tokenUri: value('get-token-uri'),
  };
}

/** Approximate memory that answers hold: a value may have up to a megabyte. */
export function bytesOfAnswers(answers: readonly GetterAnswer[]): number {
  return answers.reduce((bytes, { value }) => bytes + (value?.length ?? 0), 0);
}

/** True if a sum of mints and burns can be a supply. It is negative if an archive begins after the mints. */
export function isSupply(amount: bigint): boolean {
  return amount >= 0n && amount < 1n << 128n;
}

/** The token id used for a fungible token, which has none, in a URI template. */
export const FUNGIBLE_TOKEN_NUMBER = '1';
/** How much of collections a run indexes. */
export const NFT_MODES = ['none', 'uris', 'documents', 'images'] as const;
export type NftMode = (typeof NFT_MODES)[number];

/** The stored token id of a contract's own token: a fungible token or a collection. */
export const NO_NUMBER = '';

/** Argument for a collection's getter that does not use it. */
export const ANY_NUMBER = '1';

const [FIRST_DIGIT = '', ...OTHER_DIGITS] = String(2n ** 128n - 1n);

/** Decimal, without leading zeros, up to 2^128 - 1. */
export const TOKEN_NUMBER_PATTERN = new RegExp(
  `^(?:0|[1-9]\\d{0,37}|[1-${Number(FIRST_DIGIT) - 1}]\\d{38}|${FIRST_DIGIT}${patternUpTo(OTHER_DIGITS)})$`,
);

/** Pattern source for numbers with the same number of digits as the given one, up to it. */
function patternUpTo([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return `[0-${first}]`;
  const rest = `${first}${patternUpTo(others)}`;
  return first === '0' ? rest : `(?:[0-${Number(first) - 1}]\\d{${others.length}}|${rest})`;
}
