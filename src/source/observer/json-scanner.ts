// Says where values of JSON end, in bytes that may be cut off: the memory of json-scanner.wasm, and what it exports.
import { readFileSync } from 'node:fs';
import { MalformedError } from './malformed-error.ts';

/** What json-scanner.as exports; all arguments are offsets in the memory. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): void };
  skipSpace(from: number, end: number): number;
  endOfValue(start: number, end: number): number;
  startOfValue(keyEnd: number, end: number): number;
  readObject(start: number, end: number, keys: number, slots: number): number;
  decodeHex(start: number, end: number, to: number): number;
  contains(start: number, end: number, searched: number, length: number): number;
}

/** The types of Node have none of it, and those of browsers bring all of a browser. */
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
/** A value, or what is behind it, is not in the bytes. */
export const CUT_OFF = -1;

const WASM = new URL('./json-scanner.wasm', import.meta.url);
const PAGE_BYTES = 1 << 16;
/** What stays in the memory is below this. */
const BYTES_AT = 4_096;
/** So many bytes are read, or written, behind the end of others. */
const SLACK_BYTES = 64;
/** Both 32-bit numbers and SIMD like even places. */
const ALIGNMENT = 16;

/** One for a thread, since it reads one JSON after the other. */
class JsonScanner {
  readonly #wasm: Exports;
  #kept = ALIGNMENT;
  #free = BYTES_AT;
  /** All of the memory; it is another when that grows. */
  bytes: Buffer;
  numbers: Int32Array;
  /** Behind the JSON that was loaded last, which begins at {@link start}. */
  end = BYTES_AT;
  readonly start = BYTES_AT;

  constructor() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(WASM)));
    this.#wasm = exports as Exports;
    this.bytes = Buffer.from(this.#wasm.memory.buffer);
    this.numbers = new Int32Array(this.#wasm.memory.buffer);
  }

  /** Puts bytes, which are few, where they stay, and returns their place. */
  keep(bytes: Uint8Array): number {
    const at = this.#kept;
    this.#kept = align(at + bytes.length);
    if (this.#kept > BYTES_AT) throw new Error('too much is kept in the memory of the scanner');
    this.#need(BYTES_AT);
    this.bytes.set(bytes, at);
    return at;
  }

  /** Puts JSON, or a part of it, in the place of what was loaded before. */
  load(json: Uint8Array): void {
    this.#free = BYTES_AT;
    this.add(json);
    this.end = this.start + json.length;
  }

  /** Puts more JSON behind it, for a while: see {@link forget}. Returns where it begins. */
  add(json: Uint8Array): number {
    // Brackets that are open are noted behind it, a bit each.
    const at = this.reserve(json.length + SLACK_BYTES + Math.ceil(json.length / 8));
    this.bytes.set(json, at);
    return at;
  }

  /** Room for so many bytes behind what is there. */
  reserve(length: number): number {
    const at = this.#free;
    this.#need(at + length);
    this.#free = align(at + length);
    return at;
  }

  /** What is taken after this is freed when its result is given to {@link forget}. */
  mark(): number {
    return this.#free;
  }

  forget(mark: number): void {
    this.#free = mark;
  }

  skipSpace(from: number): number {
    const byte = this.bytes[from] as number;
    return byte > 0x20 || from === this.end ? from : this.#wasm.skipSpace(from, this.end);
  }

  /** Behind the value that begins at `start`, or CUT_OFF: a number, too, ends where something comes behind it. */
  endOfValue(start: number): number {
    return checked(this.#wasm.endOfValue(start, this.end));
  }

  /** Behind the key that begins at `start`, or CUT_OFF. */
  endOfKey(start: number): number {
    if (start === this.end) return CUT_OFF;
    if (this.bytes[start] !== QUOTE) throw broken();
    return this.endOfValue(start);
  }

  /** Where the value of a key begins that ends at `keyEnd`, or CUT_OFF. */
  startOfValue(keyEnd: number): number {
    return checked(this.#wasm.startOfValue(keyEnd, this.end));
  }

  /** See json-scanner.as. */
  readObject(start: number, end: number, keys: number, slots: number): number {
    return checked(this.#wasm.readObject(start, end, keys, slots));
  }

  /** The bytes of hex digits, until they are forgotten; undefined for anything else. */
  decodeHex(start: number, end: number): Buffer | undefined {
    const length = (end - start) / 2;
    if (!Number.isInteger(length)) return undefined;
    const at = this.reserve(length + ALIGNMENT);
    return this.#wasm.decodeHex(start, end, at) === 1 ? this.bytes.subarray(at, at + length) : undefined;
  }

  /** Whether a text that is kept, of `length` bytes, is in a part. */
  contains(start: number, end: number, searched: number, length: number): boolean {
    return this.#wasm.contains(start, end, searched, length) === 1;
  }

  /** The value of a part. Throws MalformedError. */
  parse(start: number, end: number): unknown {
    return parseJson(this.bytes.toString('utf8', start, end));
  }

  /** A quarter more, and what is read behind the end. */
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

/** Any other negative number says that it is broken. */
function checked(at: number): number {
  if (at < CUT_OFF) throw broken();
  return at;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw broken((error as Error).message);
  }
}

export function broken(how?: string): MalformedError {
  return new MalformedError(`the JSON is broken or cut off${how === undefined ? '' : ` (${how})`}`);
}
