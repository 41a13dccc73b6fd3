// Reads big-endian fields from bytes. Reading past the end throws DecodeError, which the decoders turn into a Failure.
import { isUtf8 } from 'node:buffer';

export class DecodeError extends Error {}

export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2));
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4));
  }

  u128(): bigint {
    const at = this.#advance(16);
    return (this.#view.getBigUint64(at) << 64n) | this.#view.getBigUint64(at + 8);
  }

  i128(): bigint {
    return BigInt.asIntN(128, this.u128());
  }

  /** A view of the next bytes, not a copy. */
  bytes(length: number): Uint8Array {
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  hex(length: number): string {
    return Buffer.from(this.bytes(length)).toString('hex');
  }

  skip(length: number): void {
    this.#advance(length);
  }

  utf8(length: number): string {
    return Buffer.from(this.utf8Bytes(length)).toString('utf8');
  }

  /** A view of the next bytes, which are UTF-8 text. */
  utf8Bytes(length: number): Uint8Array {
    const bytes = this.bytes(length);
    if (!isUtf8(bytes)) throw new DecodeError('a text is not UTF-8');
    return bytes;
  }

  #advance(length: number): number {
    if (length > this.remaining) {
      throw new DecodeError(`byte ${this.#offset}: ${length} bytes expected, ${this.remaining} left`);
    }
    const at = this.#offset;
    this.#offset += length;
    return at;
  }
}

/** Bytes of hex text with or without a 0x prefix. Throws DecodeError on anything else. */
export function bytesFromHex(hex: string): Uint8Array {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex;
  const bytes = Buffer.from(digits, 'hex');
  // Buffer stops silently at the first character that is no hex digit.
  if (bytes.length * 2 !== digits.length) throw new DecodeError('not hex text');
  return bytes;
}
