// Finds the ends of JSON values in bytes that may be truncated. Wraps the memory and exports of json-scanner.wasm.
import { readFileSync } from 'node:fs';
import { MalformedError } from './malformed-error.ts';

/** The exports of json-scanner.as. All arguments are offsets in memory. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): void };
  skipSpace(from: number, end: number): number;
  endOfValue(start: number, end: number): number;
  startOfValue(keyEnd: number, end: number): number;
  readObject(start: number, end: number, keys: number, slots: number): number;
  decodeHex(start: number, end: number, to: number): number;
  contains(start: number, end: number, searched: number, length: number): number;
}

/** Declared here, because Node's types lack it and the types for browsers would add many other names. */
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
/** Returned if the bytes do not contain the complete value, or the character after it. */
export const CUT_OFF = -1;

const WASM = new URL('./json-scanner.wasm', import.meta.url);
const PAGE_BYTES = 1 << 16;
/** Offset of the temporary data; permanent data is stored before it. */
const BYTES_AT = 4_096;
/** The number of bytes after the end of data that the scanner may read or write. */
const SLACK_BYTES = 64;
/** The alignment of offsets, for 32-bit numbers and SIMD. */
const ALIGNMENT = 16;

/** The scanner of a thread, which reads one JSON text after another. */
class JsonScanner {
  readonly #wasm: Exports;
  #storedEnd = ALIGNMENT;
  /** Offset of the next reservation. Setting it back to an earlier offset frees the memory after that offset. */
  free = BYTES_AT;
  /** A view of the entire memory. It is replaced when the memory grows. */
  bytes: Buffer;
  numbers: Int32Array;
  /** The end of the loaded JSON, which begins at {@link start}. */
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
    const at = this.#storedEnd;
    this.#storedEnd = align(at + bytes.length);
    if (this.#storedEnd > BYTES_AT) throw new Error('the permanent memory of the scanner is full');
    this.#need(BYTES_AT);
    this.bytes.set(bytes, at);
    return at;
  }

  /** Loads JSON, or a part of it. Replaces the JSON that was loaded before. */
  load(json: Uint8Array): void {
    this.free = BYTES_AT;
    this.add(json);
    this.end = this.start + json.length;
  }

  /** Adds temporary JSON after the loaded JSON, until {@link free} is reset. Returns its offset. */
  add(json: Uint8Array): number {
    // The scanner records open brackets after the JSON, with one bit each.
    const at = this.reserve(json.length + SLACK_BYTES + Math.ceil(json.length / 8));
    this.bytes.set(json, at);
    return at;
  }

  /** Reserves memory until {@link free} is reset. Returns its offset. */
  reserve(length: number): number {
    const at = this.free;
    this.#need(at + length);
    this.free = align(at + length);
    return at;
  }

  /** Ensures that {@link reserve} does not grow the memory for this number of bytes, which includes alignment. */
  makeRoom(length: number): void {
    this.#need(this.free + length);
  }

  skipSpace(from: number): number {
    const byte = this.bytes[from] as number;
    return byte > 0x20 || from === this.end ? from : this.#wasm.skipSpace(from, this.end);
  }

  /**
   * Returns the offset after the value that begins at `start`, or CUT_OFF. A number also counts as cut off if no
   * character follows it.
   */
  endOfValue(start: number): number {
    return checked(this.#wasm.endOfValue(start, this.end));
  }

  /** Returns the offset after the key that begins at `start`, or CUT_OFF. */
  endOfKey(start: number): number {
    if (start === this.end) return CUT_OFF;
    if (this.bytes[start] !== QUOTE) throw broken();
    return this.endOfValue(start);
  }

  /** Returns the offset of the value whose key ends at `keyEnd`, or CUT_OFF. */
  startOfValue(keyEnd: number): number {
    return checked(this.#wasm.startOfValue(keyEnd, this.end));
  }

  readObject(start: number, end: number, keys: number, slots: number): number {
    return checked(this.#wasm.readObject(start, end, keys, slots));
  }

  /** Returns the bytes of hex digits, valid until {@link free} is reset; undefined for any other text. */
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

  /** Grows the memory, if necessary, so that it reaches `end` and the slack after it, with a quarter in reserve. */
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

/** Returns an offset or CUT_OFF. Throws MalformedError for other negative numbers, which mean invalid JSON. */
function checked(at: number): number {
  if (at < CUT_OFF) throw broken();
  return at;
}

export function broken(detail?: string): MalformedError {
  return new MalformedError(`the JSON is invalid or truncated${detail === undefined ? '' : ` (${detail})`}`);
}
