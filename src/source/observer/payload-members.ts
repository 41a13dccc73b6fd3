// Reads the members of a payload that identify its block and its chain.
import { MalformedError } from './malformed-error.ts';

type Json = Record<string, unknown>;

/** Thousands of years of blocks; a block that claims more would remain the tip for ever. */
const MAX_HEIGHT = 0xffff_ffff;
/** The end of the year 9999, the last that dates of feeds and lists can have. */
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

/** Left out if it is not a time, such as the 0 of a test chain: it is only shown. */
export function readBurnBlockTime({ burn_block_time: time }: Json): { burnBlockTime?: number } {
  return isWholeNumber(time) && time > 0 && time <= MAX_TIME_SECONDS ? { burnBlockTime: time } : {};
}

/** Left out if it is not a height: nodes before 3.0 send none. */
export function readTenureHeight({ tenure_height: height }: Json): { tenureHeight?: number } {
  return isWholeNumber(height) && height <= MAX_HEIGHT ? { tenureHeight: height } : {};
}

/**
 * Of a transaction: each begins with version u8 and chain id u32, so no decoding or success is needed. Undefined for a
 * burnchain operation and for a boot deploy, which have none.
 */
export function readChainId(rawTx: string | Uint8Array): number | undefined {
  const chainId = typeof rawTx === 'string' ? rawTx.slice(4, 12) : Buffer.from(rawTx.subarray(1, 5)).toString('hex');
  return Number.parseInt(chainId, 16) || undefined;
}

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
