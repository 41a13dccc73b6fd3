// Packs contract calls into bytes, and reads these bytes. Threads exchange thousands of calls, but examine few of them.
import { encodeAddress, HASH160_BYTES, type StandardPrincipal } from './address.ts';
import { OUTCOME_BYTES } from './event-digest.ts';

/**
 * The fields of a call before it is packed. `txIndex` is the index in its block, and `payload` begins after its type
 * byte (SIP-005).
 */
interface CallParts {
  readonly txIndex: number;
  readonly txId: Buffer;
  readonly origin: StandardPrincipal;
  readonly payload: Buffer;
}

/**
 * The offset of the payload's length in a packed call. Before it is the transaction index, and at the end is the
 * payload.
 */
const PAYLOAD_LENGTH_AT = 8;
const TX_ID_AT = 12;
const ORIGIN_AT = TX_ID_AT + 32;
const PRINCIPAL_BYTES = 1 + HASH160_BYTES;
const OUTCOME_AT = ORIGIN_AT + PRINCIPAL_BYTES;
const PAYLOAD_AT = OUTCOME_AT + OUTCOME_BYTES;
/** The offset of the contract's name in the payload. */
const NAME_AT = 1 + HASH160_BYTES;

/** Packs a call. Its outcome is missing until {@link setOutcome} is called. */
export function packCall({ txIndex, txId, origin, payload }: CallParts): Buffer {
  const packed = Buffer.allocUnsafe(PAYLOAD_AT + payload.length);
  packed.writeDoubleBE(txIndex, 0);
  packed.writeUInt32BE(payload.length, PAYLOAD_LENGTH_AT);
  txId.copy(packed, TX_ID_AT);
  packed[ORIGIN_AT] = origin.version;
  packed.write(origin.hash160, ORIGIN_AT + 1, 'hex');
  payload.copy(packed, PAYLOAD_AT);
  return packed;
}

/** Sets the outcome of a packed call (event-digest.ts). */
export function setOutcome(packed: Buffer, outcome: Buffer): void {
  outcome.copy(packed, OUTCOME_AT);
}

/** Increases the transaction index of a packed call by a number of places. */
export function delayCall(packed: Buffer, places: number): void {
  packed.writeDoubleBE(packed.readDoubleBE(0) + places, 0);
}

/** Returns the contract and the function of a call's payload, in bytes ({@link PackedCall.callee}). */
export function calleeOf(payload: Buffer): string {
  const functionAt = endOfText(payload, NAME_AT);
  return payload.toString('latin1', 0, endOfText(payload, functionAt));
}

/** Returns the names in a callee. */
export function namesOfCallee(callee: string): { readonly contractId: string; readonly functionName: string } {
  const call = Buffer.from(callee, 'latin1');
  const functionAt = endOfText(call, NAME_AT);
  const address = encodeAddress({ version: call[0] as number, hash160: call.toString('hex', 1, NAME_AT) });
  return {
    contractId: `${address}.${call.toString('utf8', NAME_AT + 1, functionAt)}`,
    functionName: call.toString('utf8', functionAt + 1),
  };
}

function endOfText(bytes: Buffer, at: number): number {
  return at + 1 + (bytes[at] as number);
}

/** Yields the calls in concatenated packed calls. */
export function* readCalls(packed: Uint8Array): Generator<PackedCall> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let start = 0; start < bytes.length; ) {
    const call = new PackedCall(bytes, start);
    yield call;
    start = call.end;
  }
}

/**
 * Frees the memory of packed calls. Otherwise the garbage collector would run completely for every 64 MB, which takes
 * 0.6 s per GB of an archive with many calls.
 */
export function freeCalls({ buffer, byteLength }: Uint8Array): void {
  if (byteLength > 0 && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

/** A view of a packed call that decodes fields on access. */
export class PackedCall {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #nameAt: number;
  readonly #functionAt: number;
  readonly #argsAt: number;
  /** The offset after the last byte of the call. */
  readonly end: number;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#nameAt = start + PAYLOAD_AT + NAME_AT;
    this.#functionAt = endOfText(bytes, this.#nameAt);
    this.#argsAt = endOfText(bytes, this.#functionAt);
    this.end = start + PAYLOAD_AT + bytes.readUInt32BE(start + PAYLOAD_LENGTH_AT);
  }

  get txIndex(): number {
    return this.#bytes.readDoubleBE(this.#start);
  }

  /** The contract and the function in bytes; equal for all calls of the same function. */
  get callee(): string {
    return this.#bytes.toString('latin1', this.#start + PAYLOAD_AT, this.#argsAt);
  }

  get contractId(): string {
    const name = this.#bytes.toString('utf8', this.#nameAt + 1, this.#functionAt);
    return `${encodeAddress(this.#principal(PAYLOAD_AT))}.${name}`;
  }

  get functionName(): string {
    return this.#bytes.toString('utf8', this.#functionAt + 1, this.#argsAt);
  }

  /** The number of arguments (u32), then each argument as a serialized Clarity value that was not validated. */
  get args(): Buffer {
    return this.#bytes.subarray(this.#argsAt, this.end);
  }

  get txId(): Buffer {
    return this.#bytes.subarray(this.#start + TX_ID_AT, this.#start + ORIGIN_AT);
  }

  /** The origin's address in bytes: its version, then its hash160. */
  get origin(): Buffer {
    return this.#bytes.subarray(this.#start + ORIGIN_AT, this.#start + OUTCOME_AT);
  }

  /** Digest of the call's result and events (event-digest.ts). */
  get outcome(): Buffer {
    return this.#bytes.subarray(this.#start + OUTCOME_AT, this.#start + PAYLOAD_AT);
  }

  #principal(at: number): StandardPrincipal {
    const start = this.#start + at;
    const hash160 = this.#bytes.toString('hex', start + 1, start + 1 + HASH160_BYTES);
    return { version: this.#bytes[start] as number, hash160 };
  }
}
