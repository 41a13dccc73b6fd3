// Lists the members of a payload that are read, and reads those that identify its block and its chain.
import { MalformedError } from './malformed-error.ts';

type Json = Readonly<Record<string, unknown>>;

/** Relevant top-level members, except the lists. */
export const MEMBERS: ReadonlySet<string> = new Set([
  'block_height',
  'burn_block_height',
  'burn_block_time',
  'index_block_hash',
  'parent_index_block_hash',
  'tenure_height',
  // Members that only seeds have, in place of items that they leave out.
  'transaction_count',
  'sees_own_burn_block',
]);
export const TRANSACTIONS = 'transactions';
export const EVENTS = 'events';
export const LISTS: ReadonlySet<string> = new Set([TRANSACTIONS, EVENTS]);

/**
 * The maximum accepted height, which real blocks reach after thousands of years. A block with a false larger height
 * would remain the tip forever.
 */
export const MAX_HEIGHT = 0xffff_ffff;
/** The end of the year 9999, the maximum of dates in feeds and lists. */
const MAX_TIME_SECONDS = 253_402_300_799;
const HASH_PATTERN = /^0x[0-9a-f]{64}$/;

export function readHash(members: Json, key: string): string {
  const value = members[key];
  if (typeof value !== 'string' || !HASH_PATTERN.test(value)) throw new MalformedError(`${key} is not a 32 byte hash`);
  return value;
}

export function readHeight(members: Json, key: string): number {
  const value = members[key];
  if (!isWholeNumber(value) || value > MAX_HEIGHT) throw new MalformedError(`${key} is not a height`);
  return value;
}

/** Returns the time, which is only displayed. Omits an invalid time, such as 0 on a test chain. */
export function readBurnBlockTime({ burn_block_time: time }: Json): { burnBlockTime?: number } {
  return isWholeNumber(time) && time > 0 && time <= MAX_TIME_SECONDS ? { burnBlockTime: time } : {};
}

/** Returns the tenure height. Omits an invalid one; nodes before 3.0 do not send it. */
export function readTenureHeight({ tenure_height: height }: Json): { tenureHeight?: number } {
  return isWholeNumber(height) && height <= MAX_HEIGHT ? { tenureHeight: height } : {};
}

/** The maximum number of transactions in a block. A block has at most 2 MB, and a transaction at least 180 bytes. */
const MAX_TRANSACTIONS = 100_000;

/** Returns the number of transactions that a seed states, or else `count`, the number of transactions in the payload. */
export function readTransactionCount({ transaction_count: stated }: Json, count: number): number {
  return isWholeNumber(stated) && stated >= count && stated <= MAX_TRANSACTIONS ? stated : count;
}

/** Returns the fact if the value is a boolean. Only seeds state it; it is read from a transaction otherwise. */
export function readSees(sees: unknown): { seesOwnBurnBlock?: boolean } {
  return typeof sees === 'boolean' ? { seesOwnBurnBlock: sees } : {};
}

/**
 * Reads the chain id of a transaction, even if it is invalid or failed. Every transaction begins with its version (u8)
 * and chain id (u32). Returns undefined for burnchain operations and boot deploys, which lack a chain id.
 */
export function readChainId(rawTx: string | Uint8Array): number | undefined {
  const chainId = typeof rawTx === 'string' ? rawTx.slice(4, 12) : Buffer.from(rawTx.subarray(1, 5)).toString('hex');
  return Number.parseInt(chainId, 16) || undefined;
}

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
