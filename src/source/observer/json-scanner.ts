// Finds where JSON values end, in bytes that may be cut off: wraps the memory and exports of json-scanner.wasm.
import { readFileSync } from 'node:fs';
import { MalformedError } from './malformed-error.ts';

/** Exports of json-scanner.as; all arguments are memory offsets. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): void };
  skipSpace(from: number, end: number): number;
  endOfValue(start: number, end: number): number;
  startOfValue(keyEnd: number, end: number): number;
  readObject(start: number, end: number, keys: number, slots: number): number;
  decodeHex(start: number, end: number, to: number): number;
  contains(start: number, end: number, searched: number, length: number): number;
}

/** Declared here because Node's types lack it, and those of browsers bring everything else. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
/** The value, or what follows it, is not in the bytes. */
export const CUT_OFF = -1;

const WASM = new URL('./json-scanner.wasm', import.meta.url);
const PAGE_BYTES = 1 << 16;
/** Permanent data is below this offset. */
const BYTES_AT = 4_096;
/** Number of bytes that may be read or written after the end of others. */
const SLACK_BYTES = 64;
/** Both 32-bit numbers and SIMD prefer aligned offsets. */
const ALIGNMENT = 16;

/** A scanner per thread, which reads one JSON after the other. */
class JsonScanner {
  readonly #wasm: Exports;
  #kept = ALIGNMENT;
  /** Where what is reserved next begins: setting it back frees what was reserved since. */
  free = BYTES_AT;
  /** The whole memory; replaced when it grows. */
  bytes: Buffer;
  numbers: Int32Array;
  /** End of the JSON that was loaded last, which begins at {@link start}. */
  end = BYTES_AT;
  readonly start = BYTES_AT;

  constructor() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(WASM)));
    this.#wasm = exports as Exports;
    this.bytes = Buffer.from(this.#wasm.memory.buffer);
    this.numbers = new Int32Array(this.#wasm.memory.buffer);
  }

  /** Stores a few bytes permanently, and returns their offset. */
  keep(bytes: Uint8Array): number {
    const at = this.#kept;
    this.#kept = align(at + bytes.length);
    if (this.#kept > BYTES_AT) throw new Error('too much is kept in the memory of the scanner');
    this.#need(BYTES_AT);
    this.bytes.set(bytes, at);
    return at;
  }

  /** Loads JSON, or a part of it, in place of what was loaded before. */
  load(json: Uint8Array): void {
    this.free = BYTES_AT;
    this.add(json);
    this.end = this.start + json.length;
  }

  /** Adds temporary JSON after it: see {@link free}. Returns its offset. */
  add(json: Uint8Array): number {
    // Open brackets are recorded after it, one bit each.
    const at = this.reserve(json.length + SLACK_BYTES + Math.ceil(json.length / 8));
    this.bytes.set(json, at);
    return at;
  }

  reserve(length: number): number {
    const at = this.free;
    this.#need(at + length);
    this.free = align(at + length);
    return at;
  }

  skipSpace(from: number): number {
    const byte = this.bytes[from] as number;
    return byte > 0x20 || from === this.end ? from : this.#wasm.skipSpace(from, this.end);
  }

  /** Offset after the value that begins at `start`, or CUT_OFF: a number, too, ends only if something follows. */
  endOfValue(start: number): number {
    return checked(this.#wasm.endOfValue(start, this.end));
  }

  /** Offset after the key that begins at `start`, or CUT_OFF. */
  endOfKey(start: number): number {
    if (start === this.end) return CUT_OFF;
    if (this.bytes[start] !== QUOTE) throw broken();
    return this.endOfValue(start);
  }

  /** Offset of the value whose key ends at `keyEnd`, or CUT_OFF. */
  startOfValue(keyEnd: number): number {
    return checked(this.#wasm.startOfValue(keyEnd, this.end));
  }

  readObject(start: number, end: number, keys: number, slots: number): number {
    return checked(this.#wasm.readObject(start, end, keys, slots));
  }

  /** Bytes of hex digits, valid until they are forgotten; undefined for anything else. */
  decodeHex(start: number, end: number): Buffer | undefined {
    const length = (end - start) / 2;
    if (!Number.isInteger(length)) return undefined;
    const at = this.reserve(length + ALIGNMENT);
    return this.#wasm.decodeHex(start, end, at) === 1 ? this.bytes.subarray(at, at + length) : undefined;
  }

  contains(start: number, end: number, searched: number, length: number): boolean {
    return this.#wasm.contains(start, end, searched, length) === 1;
  }

  /** Parses the value in a range. Throws MalformedError. */
  parse(start: number, end: number): unknown {
    try {
      return JSON.parse(this.bytes.toString('utf8', start, end));
    } catch (error) {
      throw broken((error as Error).message);
    }
  }

  /** Grows the memory by an extra quarter, and by the slack read after the end. */
  #need(end: number): void {
    if (end + SLACK_BYTES <= this.bytes.length) return;
    const { memory } = this.#wasm;
    memory.grow(Math.ceil((end * 1.25 + SLACK_BYTES - this.bytes.length) / PAGE_BYTES));
    this.bytes = Buffer.from(memory.buffer);
    this.numbers = new Int32Array(memory.buffer);
  }
}

export const scanner = new JsonScanner();

function align(at: number): number {
  return Math.ceil(at / ALIGNMENT) * ALIGNMENT;
}

/** Any other negative number means that the JSON is broken. */
function checked(at: number): number {
  if (at < CUT_OFF) throw broken();
  return at;
}

export function broken(how?: string): MalformedError {
  return new MalformedError(`the JSON is broken or cut off${how === undefined ? '' : ` (${how})`}`);
}
