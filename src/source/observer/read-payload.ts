// Reads the JSON of an observer's payload, in one or several pieces, and passes its parts to a reducer.
import { isUtf8 } from 'node:buffer';
import { broken, CLOSE_LIST, CLOSE_OBJECT, COMMA, CUT_OFF, OPEN_LIST, OPEN_OBJECT, scanner } from './json-scanner.ts';
import { type ItemReducer, readListItem } from './list-items.ts';
import { MalformedError } from './malformed-error.ts';
import { LISTS, MEMBERS } from './payload-members.ts';

/** The element that must come next: the object, a member of it, an item of a member that is a list, or nothing. */
type Expected =
  | 'object'
  | 'first member'
  | 'member'
  | 'after member'
  | 'first item'
  | 'item'
  | 'after item'
  | 'nothing';

/** The maximum length of an item or a member. The largest transaction has about 2 MB. */
const MAX_PART_BYTES = 64_000_000;
/**
 * The number of bytes that the scanner loads at once, unless a part is longer. The memory of the scanner never shrinks.
 */
const WINDOW_BYTES = 4_000_000;

const FIRST_OF_NULL = 'n'.charCodeAt(0);

/** Reduces a payload to a result. Receives the items of its lists one at a time. */
export interface Reducer<Result> extends ItemReducer {
  /** Returns the result. `members` has the values of {@link MEMBERS}. Throws MalformedError. */
  finish(members: Readonly<Record<string, unknown>>): Result;
}

export class PayloadReader<Result> {
  readonly #reducer: Reducer<Result>;
  readonly #members: Record<string, unknown> = {};
  #expected: Expected = 'object';
  /** The key of the list whose items are being read. `#lists` has the keys of all lists so far. */
  #list = '';
  readonly #lists = new Set<string>();
  /** The bytes of an incomplete member or item. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /**
   * The number of waiting bytes at which they are scanned again. It doubles each time, so that a long part is scanned
   * only a few times.
   */
  #enoughBytes = 0;

  constructor(reducer: Reducer<Result>) {
    this.#reducer = reducer;
  }

  /** Adds bytes, which the caller may overwrite afterwards. Throws MalformedError. */
  push(bytes: Buffer): void {
    this.#waiting.push(Buffer.from(bytes));
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes < this.#enoughBytes) return;
    const all = Buffer.concat(this.#waiting);
    const read = this.#readAll(all);
    checkUtf8(all.subarray(0, read));
    const rest = all.subarray(read);
    if (rest.length > MAX_PART_BYTES) throw new MalformedError('a part of the JSON is too long');
    this.#waiting = [rest];
    this.#waitingBytes = rest.length;
    this.#enoughBytes = Math.min(2 * rest.length, MAX_PART_BYTES + 1);
  }

  /** Adds the last bytes, or the complete input, and returns the result. Throws MalformedError. */
  finish(bytes: Buffer): Result {
    const all = this.#waiting.length === 0 ? bytes : Buffer.concat([...this.#waiting, bytes]);
    checkUtf8(all);
    if (this.#readAll(all) < all.length || this.#expected !== 'nothing') throw broken();
    return this.#reducer.finish(this.#members);
  }

  /** Reads all complete parts. Returns the number of bytes read, without an incomplete part at the end. */
  #readAll(bytes: Buffer): number {
    let window = WINDOW_BYTES;
    for (let start = 0; ; ) {
      const end = start + window;
      const read = this.#read(bytes.subarray(start, end));
      start += read;
      if (end >= bytes.length) return start;
      window = read === 0 ? 2 * window : WINDOW_BYTES;
    }
  }

  #read(bytes: Buffer): number {
    scanner.load(bytes);
    for (let at = scanner.start; ; ) {
      const start = scanner.skipSpace(at);
      if (start === scanner.end) return bytes.length;
      at = this.#readPart(start);
      if (at === CUT_OFF) return start - scanner.start;
    }
  }

  #readPart(at: number): number {
    const byte = scanner.bytes[at];
    const expected = this.#expected;
    if (expected === 'object') {
      if (byte !== OPEN_OBJECT) throw new MalformedError('the JSON is not an object');
      return this.#expect('first member', at + 1);
    }
    if (expected === 'after member' || expected === 'first member') {
      if (byte === CLOSE_OBJECT) return this.#expect('nothing', at + 1);
    }
    if (expected === 'after item' || expected === 'first item') {
      if (byte === CLOSE_LIST) return this.#expect('after member', at + 1);
    }
    if (expected === 'member' || expected === 'first member') return this.#readMember(at);
    if (expected === 'item' || expected === 'first item')
      return this.#expect('after item', readListItem(this.#list, at, this.#reducer));
    if (byte !== COMMA || expected === 'nothing') throw broken();
    return this.#expect(expected === 'after item' ? 'item' : 'member', at + 1);
  }

  /** Sets the next expected element and returns `at`. Sets nothing if the current element is incomplete. */
  #expect(next: Expected, at: number): number {
    if (at !== CUT_OFF) this.#expected = next;
    return at;
  }

  #readMember(at: number): number {
    const keyEnd = scanner.endOfKey(at);
    const start = keyEnd === CUT_OFF ? CUT_OFF : scanner.startOfValue(keyEnd);
    if (start === CUT_OFF) return CUT_OFF;
    const isList = scanner.bytes[start] === OPEN_LIST;
    const key = isList ? (scanner.parse(at, keyEnd) as string) : keyOf(at, keyEnd);
    // A second list of the same key would be ambiguous.
    if (key !== undefined && this.#lists.has(key))
      throw new MalformedError(`${JSON.stringify(key.slice(0, 40))} occurs twice`);
    if (isList && key !== undefined) {
      const end = LISTS.has(key) ? CUT_OFF : endOfList(start);
      this.#lists.add(key);
      if (end !== CUT_OFF) return this.#expect('after member', end);
      this.#list = key;
      return this.#expect('first item', start + 1);
    }
    if (key !== undefined && LISTS.has(key) && scanner.bytes[start] !== FIRST_OF_NULL)
      throw new MalformedError(`${key} is not a list`);
    const end = scanner.endOfValue(start);
    if (end !== CUT_OFF && key !== undefined && MEMBERS.has(key)) this.#members[key] = scanner.parse(start, end);
    return this.#expect('after member', end);
  }
}

/** Returns the offset after a list that is not needed, or CUT_OFF. Throws MalformedError. */
function endOfList(start: number): number {
  let at = scanner.skipSpace(start + 1);
  if (at < scanner.end && scanner.bytes[at] === CLOSE_LIST) return at + 1;
  while (at < scanner.end) {
    const end = scanner.endOfValue(at);
    if (end === CUT_OFF) return CUT_OFF;
    at = scanner.skipSpace(end);
    if (at === scanner.end) return CUT_OFF;
    if (scanner.bytes[at] === CLOSE_LIST) return at + 1;
    if (scanner.bytes[at] !== COMMA) throw broken();
    at = scanner.skipSpace(at + 1);
  }
  return CUT_OFF;
}

const BACKSLASH = 0x5c;
/** The lengths of relevant keys. Most irrelevant keys have other lengths, and are recognized by them. */
const KEY_LENGTHS: ReadonlySet<number> = new Set([...MEMBERS, ...LISTS].map(({ length }) => length));

/** Returns the key in a range that includes its quotes; undefined for most irrelevant keys. */
function keyOf(start: number, end: number): string | undefined {
  const { bytes } = scanner;
  for (let at = start + 1; at < end; at++) if (bytes[at] === BACKSLASH) return scanner.parse(start, end) as string;
  return KEY_LENGTHS.has(end - start - 2) ? bytes.toString('latin1', start + 1, end - 1) : undefined;
}

function checkUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new MalformedError('the JSON is not UTF-8');
}
