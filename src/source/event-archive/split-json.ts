// Parses one JSON object that is too long to hold, fed in pieces: the items of its lists one by one, and what is left.
// JSON.parse says what is valid. This finds only where the items begin and end, which needs strings and depth alone.
import { isUtf8 } from 'node:buffer';
import { MalformedError } from '../observer/malformed-error.ts';
import { parseJson } from '../observer/parse-payload.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Depth of the members of the object, and of the items of its lists. */
const MEMBER_DEPTH = 1;
const ITEM_DEPTH = 2;
/** The largest transaction has about 2 MB; an item, or what is left of the object, beyond this is made to be long. */
const MAX_PART_BYTES = 64_000_000;

export class JsonSplitter {
  readonly #onItem: (key: string, item: unknown) => void;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The members before the one that is being read, their lists empty. */
  #members = '';
  /** What has come of a member or an item. */
  #part: Buffer[] = [];
  /** The list whose items are being read. */
  #list: { readonly key: string; items: number } | undefined;
  readonly #lists = new Set<string>();

  constructor(onItem: (key: string, item: unknown) => void) {
    this.#onItem = onItem;
  }

  /** Takes the next bytes. Throws MalformedError. */
  push(bytes: Buffer): void {
    let start = 0;
    const endPart = (end: number, next = end): string => {
      this.#part.push(bytes.subarray(start, end));
      start = next;
      return this.#takePart();
    };
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInString = false;
      } else if (byte === QUOTE) {
        this.#isInString = true;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.#depth++;
        if (this.#depth === ITEM_DEPTH && byte === OPEN_LIST) this.#openList(endPart(at + 1));
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (this.#depth === ITEM_DEPTH && this.#list !== undefined) this.#endItem(endPart(at), true);
        this.#depth--;
      } else if (byte === COMMA) {
        if (this.#depth === MEMBER_DEPTH) this.#members += endPart(at + 1);
        else if (this.#depth === ITEM_DEPTH && this.#list !== undefined) this.#endItem(endPart(at, at + 1), false);
      }
    }
    // In a copy, which outlives the caller's buffer.
    this.#part.push(Buffer.from(bytes.subarray(start)));
    const length = this.#part.reduce((sum, part) => sum + part.length, this.#members.length);
    if (length > MAX_PART_BYTES) throw new MalformedError('a part of the JSON is too long');
  }

  /** The object, its lists empty: their items have been given. Throws MalformedError. */
  finish(): unknown {
    const root = parseJson(this.#members + this.#takePart()) as Record<string, unknown>;
    for (const key of this.#lists) if (!Array.isArray(root[key])) throw isThereTwice(key);
    return root;
  }

  #openList(member: string): void {
    // What comes before the first member opens the object.
    const [key = ''] = Object.keys(parseJson(`${this.#members === '' ? '' : '{'}${member}]}`) as object);
    if (this.#lists.has(key)) throw isThereTwice(key);
    this.#members += member;
    this.#lists.add(key);
    this.#list = { key, items: 0 };
  }

  #endItem(item: string, isLast: boolean): void {
    const { key, items } = this.#list as { key: string; items: number };
    const isEmptyList = isLast && items === 0 && /^[ \t\n\r]*$/.test(item);
    if (!isEmptyList) this.#onItem(key, parseJson(item));
    this.#list = isLast ? undefined : { key, items: items + 1 };
  }

  #takePart(): string {
    const bytes = Buffer.concat(this.#part);
    this.#part = [];
    if (!isUtf8(bytes)) throw new MalformedError('the JSON is not UTF-8');
    return bytes.toString('utf8');
  }
}

/** It would mean one list or the other. */
function isThereTwice(key: string): MalformedError {
  return new MalformedError(`${JSON.stringify(key.slice(0, 40))} is there twice`);
}
