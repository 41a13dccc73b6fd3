// Parses the JSON of a payload that a node sends to observers, and reads members of its items.
import { isUtf8 } from 'node:buffer';
import { type DecodedTransaction, decodeTransaction, transactionId } from '#clarity/decode-transaction.ts';
import type { Failure } from '#model/failure.ts';
import { MalformedError } from './malformed-error.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Payload {
  /** The JSON text. */
  readonly text: string;
  readonly members: Json;
  readonly transactions: readonly Json[];
  readonly events: readonly unknown[];
  /** Returns the transactions with their bytes, in the order of the payload. Throws MalformedError. */
  readonly observed: () => readonly ObservedTransaction[];
}

/** A transaction of a payload. It is decoded once, on access. */
export class ObservedTransaction {
  readonly json: Json;
  readonly txId: string;
  /** The bytes, or the text if it is not hex. Undefined for a burnchain operation. */
  readonly rawTx: string | Uint8Array | undefined;
  #decoded: DecodedTransaction | Failure | undefined;
  #hasOwnId: boolean | undefined;

  /** Throws MalformedError. */
  constructor(json: Json) {
    const { txid, raw_tx: raw } = json;
    if (typeof txid !== 'string' || typeof raw !== 'string')
      throw new MalformedError('a transaction lacks txid or raw_tx');
    this.json = json;
    this.txId = txid;
    this.rawTx = raw === BURNCHAIN_OPERATION ? undefined : (bytesOfHex(raw) ?? raw);
  }

  get decoded(): DecodedTransaction | Failure {
    this.#decoded ??= decodeTransaction(this.rawTx ?? '');
    return this.#decoded;
  }

  /** True if the id is the hash of the bytes. */
  get hasOwnId(): boolean {
    this.#hasOwnId ??= this.rawTx instanceof Uint8Array && transactionId(this.rawTx) === this.txId;
    return this.#hasOwnId;
  }
}

/** Throws MalformedError for anything but a JSON object whose transactions are objects. */
export function parsePayload(bytes: Buffer): Payload {
  if (!isUtf8(bytes)) throw new MalformedError('the JSON is not UTF-8');
  const text = bytes.toString();
  const members = parseObject(text);
  const transactions = listOf(members, 'transactions');
  if (!transactions.every(isObject)) throw new MalformedError('a transaction is not an object');
  let observed: ObservedTransaction[] | undefined;
  return {
    text,
    members,
    transactions,
    events: listOf(members, 'events'),
    observed: () => {
      observed ??= transactions.map((json) => new ObservedTransaction(json));
      return observed;
    },
  };
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
