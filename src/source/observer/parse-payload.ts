// Parses the JSON of a payload that a node sends to observers, and reads members of its items.
import { isUtf8 } from 'node:buffer';
import { MalformedError } from './malformed-error.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Payload {
  readonly members: Json;
  readonly transactions: readonly Json[];
  readonly events: readonly unknown[];
}

/** Throws MalformedError for anything but a JSON object whose transactions are objects. */
export function parsePayload(bytes: Buffer): Payload {
  if (!isUtf8(bytes)) throw new MalformedError('the JSON is not UTF-8');
  const members = parseObject(bytes.toString());
  const transactions = listOf(members, 'transactions');
  if (!transactions.every(isObject)) throw new MalformedError('a transaction is not an object');
  return { members, transactions, events: listOf(members, 'events') };
}

function parseObject(text: string): Json {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new MalformedError(`the JSON is invalid or truncated (${(error as Error).message})`);
  }
  if (!isObject(json) || Array.isArray(json)) throw new MalformedError('the JSON is not an object');
  return json;
}

function listOf(members: Json, key: string): readonly unknown[] {
  const list = members[key] ?? [];
  if (!Array.isArray(list)) throw new MalformedError(`${key} is not a list`);
  return list;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** Returns the bytes of hex with a 0x prefix; undefined for any other value. */
export function bytesOfHex(value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || !value.startsWith('0x')) return undefined;
  const bytes = Buffer.from(value.slice(2), 'hex');
  return 2 * bytes.length === value.length - 2 ? bytes : undefined;
}

/** Returns a string, or any other value as JSON. Throws MalformedError for a value that is nested too deeply. */
export function textOrJson(value: unknown): string | undefined {
  if (typeof value === 'string' || value === undefined) return value;
  try {
    return JSON.stringify(value);
  } catch {
    throw new MalformedError('the JSON is nested too deeply');
  }
}

/** The raw transaction of a burnchain operation, which is a transfer or stacking made on Bitcoin. */
const BURNCHAIN_OPERATION = '0x00';

/**
 * Returns the id and the bytes of a transaction: text if they are not hex. The bytes are undefined for a burnchain
 * operation. Throws MalformedError.
 */
export function readRawTransaction({ txid: txId, raw_tx: raw }: Json) {
  if (typeof txId !== 'string' || typeof raw !== 'string')
    throw new MalformedError('a transaction lacks txid or raw_tx');
  return { txId, rawTx: raw === BURNCHAIN_OPERATION ? undefined : (bytesOfHex(raw) ?? raw) };
}
