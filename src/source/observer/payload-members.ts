// Reads the members of a payload that identify its block and its chain.
import { areOtherChains, joinChains, MAINNET_CHAIN_ID, UNNAMED_TEST_CHAIN } from '#model/chain.ts';
import { MalformedError } from './malformed-error.ts';
import type { Json } from './parse-payload.ts';

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

const HEAD_BYTES = 5;
/** The bit of a version that all test chains set. */
const TEST_VERSION = 0x80;

/**
 * Returns the chain of a transaction, even if it is invalid or failed. Every transaction begins with its version (u8)
 * and chain id (u32). The version tells mainnet from test chains, also for boot deploys, whose chain id is 0. Returns
 * undefined for burnchain operations, which have only a version.
 */
export function readChainId(rawTx: string | Uint8Array): number | undefined {
  const bytes =
    typeof rawTx === 'string' ? Buffer.from(rawTx.replace(/^0x/, '').slice(0, 2 * HEAD_BYTES), 'hex') : rawTx;
  if (bytes.length < HEAD_BYTES) return undefined;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, HEAD_BYTES);
  if ((head.readUInt8() & TEST_VERSION) === 0) return MAINNET_CHAIN_ID;
  const chainId = head.readUInt32BE(1);
  return chainId === MAINNET_CHAIN_ID ? UNNAMED_TEST_CHAIN : chainId;
}

/** Returns the chain of a payload that continues with this transaction. Throws MalformedError for another chain. */
export function joinChain(chainId: number | undefined, rawTx: string | Uint8Array): number | undefined {
  const next = readChainId(rawTx);
  if (areOtherChains(chainId, next)) throw new MalformedError('its transactions belong to two chains');
  return joinChains(chainId, next);
}

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
