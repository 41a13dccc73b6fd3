// Reads big-endian fields from bytes. Throws DecodeError at the end of the bytes; decoders return it as a Failure.
import { isUtf8 } from 'node:buffer';

export class DecodeError extends Error {}

export class ByteReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  u8(): number {
    return this.#bytes[this.#advance(1)] as number;
  }

  u32(): number {
    return this.#bytes.readUInt32BE(this.#advance(4));
  }

  u128(): bigint {
    const at = this.#advance(16);
    return (this.#bytes.readBigUInt64BE(at) << 64n) | this.#bytes.readBigUInt64BE(at + 8);
  }

  i128(): bigint {
    return BigInt.asIntN(128, this.u128());
  }

  /** Returns a view of the next bytes without copying. */
  bytes(length: number): Buffer {
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** Returns a view of all remaining bytes without consuming them. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#offset);
  }

  hex(length: number): string {
    const at = this.#advance(length);
    return this.#bytes.toString('hex', at, at + length);
  }

  skip(length: number): void {
    this.#advance(length);
  }

  utf8(length: number): string {
    return this.utf8Bytes(length).toString('utf8');
  }

  /** Returns a view of the next bytes. Throws DecodeError if they are not UTF-8 text. */
  utf8Bytes(length: number): Buffer {
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

/** Decodes hex text with or without a 0x prefix. Throws DecodeError on anything else. */
export function bytesFromHex(hex: string): Buffer {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex;
  const bytes = Buffer.from(digits, 'hex');
  // `Buffer.from` stops at the first character that is not a hex digit, without an error.
  if (bytes.length * 2 !== digits.length) throw new DecodeError('not hex text');
  return bytes;
}
