// The members that are wanted of a JSON object: bytes in, each member parsed when it is asked for.
import { Occurrences } from './occurrences.ts';
import {
  broken,
  CLOSE_OBJECT,
  COMMA,
  CUT_OFF,
  endOfKey,
  endOfValue,
  parseJson,
  skipSpace,
  startOfValue,
} from './scan-json.ts';

const QUOTE = 0x22;
const ZERO = 0x30;
const X = 0x78;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const LAST_ASCII = 0x7f;
const HEX_START = '"0x';
/** The values of hex digits; negative for what is none. */
const HEX_VALUES = Int8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? -1 : value;
});
const NO_BYTES = Buffer.alloc(0);
const BACKSLASHES = new Occurrences('\\');

/** Of one object after the other. As JSON.parse has it, the last member of a name counts. */
export class JsonFields<Key extends string> {
  readonly #slots: ReadonlyMap<string, number>;
  /** By the lengths of the keys. */
  readonly #byLength: readonly (readonly { readonly key: string; readonly slot: number }[])[];
  /** Where values begin and end; 0 of a member that is not there, since no member begins there. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #bytes: Buffer = NO_BYTES;
  /** Where hex text of the object is decoded. */
  #decoded = Buffer.allocUnsafeSlow(1 << 12);
  #decodedBytes = 0;

  constructor(keys: readonly Key[]) {
    this.#slots = new Map(keys.map((key, slot) => [key, slot]));
    const longest = Math.max(...keys.map((key) => key.length));
    const all = keys.map((key, slot) => ({ key, slot }));
    this.#byLength = Array.from({ length: longest + 1 }, (_, length) => all.filter(({ key }) => key.length === length));
    this.#starts = new Int32Array(keys.length);
    this.#ends = new Int32Array(keys.length);
  }

  /** Reads the object that begins at `start`. Returns what is behind it, or CUT_OFF. Throws MalformedError. */
  read(bytes: Buffer, start: number): number {
    this.#bytes = bytes;
    this.#starts.fill(0);
    this.#decodedBytes = 0;
    let at = skipSpace(bytes, start + 1);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    for (;;) {
      const keyEnd = endOfKey(bytes, at);
      if (keyEnd === CUT_OFF) return CUT_OFF;
      const value = startOfValue(bytes, keyEnd);
      if (value === CUT_OFF) return CUT_OFF;
      const end = endOfValue(bytes, value);
      if (end === CUT_OFF) return CUT_OFF;
      const slot = this.#slotOf(at, keyEnd);
      if (slot !== undefined) {
        this.#starts[slot] = value;
        this.#ends[slot] = end;
      }
      at = skipSpace(bytes, end);
      if (at === bytes.length) return CUT_OFF;
      if (bytes[at] === CLOSE_OBJECT) return at + 1;
      if (bytes[at] !== COMMA) throw broken();
      at = skipSpace(bytes, at + 1);
    }
  }

  /** Undefined for a member that is not there. Throws MalformedError. */
  value(key: Key): unknown {
    const slot = this.#slots.get(key) as number;
    const start = this.#starts[slot] as number;
    return start === 0 ? undefined : parseJson(this.#bytes, start, this.#ends[slot] as number);
  }

  /** The value of a member that is text; undefined for anything else. */
  text(key: Key): string | undefined {
    const slot = this.#slots.get(key) as number;
    const start = this.#starts[slot] as number;
    const end = this.#ends[slot] as number;
    if (start === 0 || this.#bytes[start] !== QUOTE) return undefined;
    return isPlainText(this.#bytes, start + 1, end - 1)
      ? this.#bytes.toString('latin1', start + 1, end - 1)
      : (this.value(key) as string);
  }

  /** Whether a member is this, given as JSON. */
  is(key: Key, json: string): boolean {
    const slot = this.#slots.get(key) as number;
    const start = this.#starts[slot] as number;
    const end = this.#ends[slot] as number;
    if (start === 0) return false;
    if (end - start === json.length) return this.#isAt(start, json);
    // It may be written with escapes.
    const isEscaped = end - start > json.length && BACKSLASHES.areIn(this.#bytes, start, end);
    return isEscaped && JSON.stringify(this.value(key)) === json;
  }

  /** The bytes of hex text behind 0x, until the next object is read; undefined for anything else. */
  hexBytes(key: Key): Buffer | undefined {
    const slot = this.#slots.get(key) as number;
    const start = this.#starts[slot] as number;
    const end = this.#ends[slot] as number;
    if (start === 0 || this.#bytes[start] !== QUOTE) return undefined;
    if (!BACKSLASHES.areIn(this.#bytes, start, end)) return this.#decode(this.#bytes, start, end);
    const text = Buffer.from(JSON.stringify(this.value(key)));
    return this.#decode(text, 0, text.length);
  }

  /** Of hex text in quotes. */
  #decode(bytes: Buffer, start: number, end: number): Buffer | undefined {
    const digits = start + HEX_START.length;
    const length = (end - 1 - digits) / 2;
    if (!Number.isInteger(length) || length < 0 || bytes[start + 1] !== ZERO || bytes[start + 2] !== X)
      return undefined;
    const from = this.#decodedBytes;
    const to = from + length;
    if (to > this.#decoded.length) this.#decoded = Buffer.concat([this.#decoded], 2 * to);
    const decoded = this.#decoded;
    for (let at = digits, next = from; next < to; at += 2, next++) {
      const high = HEX_VALUES[bytes[at] as number] as number;
      const low = HEX_VALUES[bytes[at + 1] as number] as number;
      if ((high | low) < 0) return undefined;
      decoded[next] = (high << 4) | low;
    }
    this.#decodedBytes = to;
    return decoded.subarray(from, to);
  }

  #slotOf(start: number, end: number): number | undefined {
    const candidates = this.#byLength[end - start - 2];
    if (candidates !== undefined) {
      for (const { key, slot } of candidates) if (this.#isAt(start + 1, key)) return slot;
    }
    if (!BACKSLASHES.areIn(this.#bytes, start, end)) return undefined;
    return this.#slots.get(parseJson(this.#bytes, start, end) as string);
  }

  #isAt(start: number, key: string): boolean {
    for (let at = key.length - 1; at >= 0; at--) if (this.#bytes[start + at] !== key.charCodeAt(at)) return false;
    return true;
  }
}

/** ASCII that JSON writes as it is. */
function isPlainText(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < SPACE || byte > LAST_ASCII || byte === BACKSLASH) return false;
  }
  return true;
}
