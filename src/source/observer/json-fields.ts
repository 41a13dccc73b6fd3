// Reads some members of a JSON object in the scanner's memory. Each member is parsed on access.
import { CUT_OFF, OPEN_OBJECT, QUOTE, scanner } from './json-scanner.ts';

const ZERO = 0x30;
const X = 0x78;
const SLOT_BYTES = 8;
/** The room that a decoded member may need in addition to its bytes. */
const SLACK_OF_MEMBER = 64;

/** Reads the members of one object after another. If a key occurs twice, the last member counts, as in JSON.parse. */
export class JsonFields<Key extends string> {
  readonly #slots: ReadonlyMap<Key, number>;
  readonly #keysAt: number;
  /**
   * Offset of the output of `readObject` (json-scanner.as): a flag for backslashes, then the start and end of each
   * value. Both are 0 for a missing member.
   */
  readonly #slotsAt: number;
  #mark = 0;
  /** The end of the JSON that contains the object. The scanner uses the memory after this end. */
  #end = 0;
  #hasEscapes = false;

  constructor(keys: readonly Key[]) {
    this.#slots = new Map(keys.map((key, slot) => [key, 2 * (1 + slot)]));
    this.#keysAt = scanner.keep(Buffer.from(`${keys.map((key) => String.fromCharCode(key.length) + key).join('')}\0`));
    this.#slotsAt = scanner.keep(Buffer.alloc(SLOT_BYTES * (1 + keys.length)));
  }

  /**
   * Reads the object at `start`. Returns the offset after it, or CUT_OFF. Its members are available until {@link done}.
   * Throws MalformedError.
   */
  read(start: number, end: number): number {
    this.#mark = scanner.free;
    this.#hasEscapes = false;
    this.#end = end;
    const after = scanner.readObject(start, end, this.#keysAt, this.#slotsAt);
    if (after === CUT_OFF) return after;
    if (this.#sawBackslash) this.#readWithoutEscapes(start, after);
    // Decoded members must not let the memory grow: that would detach the bytes of members that were decoded before.
    scanner.makeRoom(after - start + this.#slots.size * SLACK_OF_MEMBER);
    return after;
  }

  /** Replaces the object by the output of JSON.stringify, which has no unnecessary escapes. */
  #readWithoutEscapes(start: number, end: number): void {
    const json = Buffer.from(JSON.stringify(scanner.parse(start, end)));
    const at = scanner.add(json);
    this.#end = at + json.length;
    scanner.readObject(at, this.#end, this.#keysAt, this.#slotsAt);
    this.#hasEscapes = this.#sawBackslash;
  }

  /** Reads an object that is a member of another object. Returns false if the member is not an object. */
  readMember<Other extends string>(other: JsonFields<Other>, key: Other): boolean {
    const start = other.#startOf(key);
    if (start === 0 || scanner.bytes[start] !== OPEN_OBJECT) return false;
    this.read(start, other.#end);
    return true;
  }

  /** Frees the memory of the object. Must be called after the last access to its members. */
  done(): void {
    scanner.free = this.#mark;
  }

  /** Returns the value of a member; undefined if it is missing. Throws MalformedError. */
  value(key: Key): unknown {
    const start = this.#startOf(key);
    return start === 0 ? undefined : scanner.parse(start, this.#endOf(key));
  }

  /** Returns the value of a string member; undefined for any other member. */
  text(key: Key): string | undefined {
    const start = this.#startOf(key);
    if (start === 0 || scanner.bytes[start] !== QUOTE) return undefined;
    return this.#hasEscapes
      ? (this.value(key) as string)
      : scanner.bytes.toString('utf8', start + 1, this.#endOf(key) - 1);
  }

  /** Returns the value of a string member, or another value as JSON; undefined if the member is missing. */
  textOrJson(key: Key): string | undefined {
    const start = this.#startOf(key);
    if (start === 0) return undefined;
    return scanner.bytes[start] === QUOTE ? this.text(key) : this.bytes(key).toString();
  }

  /** Returns the bytes of a member as JSON, valid until {@link done}; empty if it is missing. */
  bytes(key: Key): Buffer {
    const start = this.#startOf(key);
    return scanner.bytes.subarray(start, start === 0 ? 0 : this.#endOf(key));
  }

  /** True if the value of a member, as JSON, equals the text `json`. */
  is(key: Key, json: string): boolean {
    const start = this.#startOf(key);
    if (start === 0 || this.#endOf(key) - start !== json.length) return false;
    for (let at = json.length - 1; at >= 0; at--) {
      if (scanner.bytes[start + at] !== json.charCodeAt(at)) return false;
    }
    return true;
  }

  /**
   * Decodes a member that is hex with a 0x prefix; undefined for any other member. The bytes are valid until {@link
   * done}.
   */
  hexBytes(key: Key): Buffer | undefined {
    const start = this.#startOf(key);
    const { bytes } = scanner;
    if (start === 0 || bytes[start] !== QUOTE || bytes[start + 1] !== ZERO || bytes[start + 2] !== X) return undefined;
    return scanner.decodeHex(start + 3, this.#endOf(key) - 1);
  }

  /** True if a member contains the text of `length` bytes that is stored at the offset `searched`. */
  contains(key: Key, searched: number, length: number): boolean {
    const start = this.#startOf(key);
    return start !== 0 && scanner.contains(start, this.#endOf(key), searched, length);
  }

  get #sawBackslash(): boolean {
    return scanner.numbers[this.#slotsAt / 4] === 1;
  }

  #startOf(key: Key): number {
    return scanner.numbers[this.#slotsAt / 4 + (this.#slots.get(key) as number)] as number;
  }

  #endOf(key: Key): number {
    return scanner.numbers[this.#slotsAt / 4 + (this.#slots.get(key) as number) + 1] as number;
  }
}
