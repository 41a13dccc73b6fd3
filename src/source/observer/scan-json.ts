// Finds where values of JSON end, in bytes that may be cut off, without building them. Of strings and brackets it says
// what is valid; of all else only JSON.parse does.
import { MalformedError } from './malformed-error.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
export const COMMA = 0x2c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
/** Both kinds of brackets are closed by the character that is second behind the one that opens them. */
const CLOSED_BY = 2;
/** A value, or what is behind it, is not in the bytes. */
export const CUT_OFF = -1;
/** Most strings are shorter than what the search by a native function costs. */
const NEAR_BYTES = 72;

/** In a value: all but quotes and brackets. */
const IS_PLAIN = tableOf((character) => !'"[]{}'.includes(character));
const IS_SPACE = tableOf((character) => ' \t\n\r'.includes(character));
/** Of numbers, true, false and null. */
const IS_SCALAR = tableOf((character) => /[-+.\da-zA-Z]/.test(character));

function tableOf(has: (character: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (has(String.fromCharCode(byte)) ? 1 : 0));
}

/** What closes the brackets that are open. It grows with the deepest value. */
let closers = new Uint8Array(64);

/** The first byte that is no space, or the end. */
export function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && IS_SPACE[bytes[at] as number] === 1) at++;
  return at;
}

/** Behind the value that begins at `start`, or CUT_OFF: a number, too, ends where something comes behind it. */
export function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return endOfString(bytes, start);
  if (first === OPEN_LIST || first === OPEN_OBJECT) return endOfNested(bytes, start);
  let at = start;
  while (at < bytes.length && IS_SCALAR[bytes[at] as number] === 1) at++;
  if (at === bytes.length) return CUT_OFF;
  if (at === start) throw broken();
  return at;
}

function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (;;) {
    const near = Math.min(at + NEAR_BYTES, bytes.length);
    while (at < near && bytes[at] !== QUOTE) at++;
    if (at === near) at = bytes.indexOf(QUOTE, at);
    if (at === -1) return CUT_OFF;
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
    at++;
    if (backslashes % 2 === 0) return at;
  }
}

function endOfNested(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; ; ) {
    while (at < bytes.length && IS_PLAIN[bytes[at] as number] === 1) at++;
    if (at === bytes.length) return CUT_OFF;
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (at === CUT_OFF) return CUT_OFF;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (depth === closers.length) closers = Buffer.concat([closers], 2 * depth);
      closers[depth++] = byte + CLOSED_BY;
      at++;
    } else {
      if (closers[--depth] !== byte) throw broken();
      at++;
      if (depth === 0) return at;
    }
  }
}

/** Behind the key that begins at `start`, or CUT_OFF. */
export function endOfKey(bytes: Buffer, start: number): number {
  if (start === bytes.length) return CUT_OFF;
  if (bytes[start] !== QUOTE) throw broken();
  return endOfString(bytes, start);
}

/** Where the value of a key begins that ends at `keyEnd`, or CUT_OFF. */
export function startOfValue(bytes: Buffer, keyEnd: number): number {
  const colon = skipSpace(bytes, keyEnd);
  if (colon === bytes.length) return CUT_OFF;
  if (bytes[colon] !== COLON) throw broken();
  const value = skipSpace(bytes, colon + 1);
  return value === bytes.length ? CUT_OFF : value;
}

/** The value of a part. Throws MalformedError. */
export function parseJson(bytes: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end));
  } catch (error) {
    throw broken((error as Error).message);
  }
}

export function broken(how?: string): MalformedError {
  return new MalformedError(`the JSON is broken or cut off${how === undefined ? '' : ` (${how})`}`);
}
