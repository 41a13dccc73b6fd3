// Splits one JSON object that is too long to hold, fed in pieces, into its scalar members and the items of its lists, each small enough to parse.

import { isUtf8 } from 'node:buffer';

export interface SplitHandler {
  /** A member of the object that is not a list, as JSON text. */
  member(key: string, json: string): void;
  /** One item of a list member, as JSON text. */
  item(key: string, json: string): void;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The largest transaction has about 2 MB; a member or item beyond this is made to be long. */
const MAX_PART_BYTES = 64_000_000;

/** Depth of the members of the object, and of the items of its lists. */
const MEMBER_DEPTH = 1;
const ITEM_DEPTH = 2;

export class JsonSplitter {
  readonly #handler: SplitHandler;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #key: string | undefined;
  /** Keys of the object so far: a member that comes twice means one thing or another. */
  readonly #keys = new Set<string>();
  /** Whether anything of the member's value has come. */
  #hasBegun = false;
  #inList = false;
  /** A list member has just been closed: nothing may follow before the next comma. */
  #afterList = false;
  #closed = false;
  /** Members of the object, and items of the list, that are behind a comma. */
  #members = 0;
  #items = 0;
  /** Pieces of the text that is being collected: a key, a member or an item. */
  #pieces: Buffer[] = [];

  constructor(handler: SplitHandler) {
    this.#handler = handler;
  }

  /** Takes the next bytes. They are not kept beyond the member or item that they belong to. */
  push(bytes: Buffer): void {
    let start = 0;
    const flush = (end: number) => {
      if (end > start) this.#pieces.push(bytes.subarray(start, end));
      start = end + 1; // the separator itself belongs to nothing
    };
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
        continue;
      }
      switch (byte) {
        case QUOTE:
          this.#inString = true;
          break;
        case OPEN_OBJECT:
        case OPEN_LIST:
          this.#depth++;
          if (this.#depth === MEMBER_DEPTH) {
            flush(at);
            if (this.#closed || byte !== OPEN_OBJECT || this.#take() !== '') throw broken(byte);
          } else if (this.#depth === ITEM_DEPTH && byte === OPEN_LIST && this.#key !== undefined && !this.#hasBegun) {
            this.#inList = true;
            this.#items = 0;
            flush(at);
            this.#pieces = [];
          }
          break;
        case CLOSE_OBJECT:
        case CLOSE_LIST:
          if (this.#depth === ITEM_DEPTH && this.#inList) {
            flush(at);
            if (byte !== CLOSE_LIST) throw broken(byte);
            this.#endItem(this.#items === 0);
            this.#inList = false;
            this.#afterList = true;
            this.#key = undefined;
          } else if (this.#depth === MEMBER_DEPTH) {
            flush(at);
            if (byte !== CLOSE_OBJECT) throw broken(byte);
            this.#endMember(this.#members === 0);
            this.#closed = true;
          }
          this.#depth--;
          break;
        case COLON:
          if (this.#depth === MEMBER_DEPTH) {
            flush(at);
            const key: unknown = JSON.parse(this.#take());
            if (typeof key !== 'string' || this.#key !== undefined || this.#afterList) throw broken(byte);
            if (this.#keys.has(key)) throw new SyntaxError(`${JSON.stringify(key.slice(0, 40))} is there twice`);
            this.#keys.add(key);
            this.#key = key;
            this.#hasBegun = false;
          }
          break;
        case COMMA:
          if (this.#depth === MEMBER_DEPTH) {
            flush(at);
            this.#endMember(false);
            this.#members++;
          } else if (this.#depth === ITEM_DEPTH && this.#inList) {
            flush(at);
            this.#endItem(false);
            this.#items++;
          }
          break;
      }
      if (byte !== COLON && !BLANKS.has(byte)) this.#hasBegun = true;
    }
    // What is collected outlives the caller's buffer.
    if (start < bytes.length) this.#pieces.push(Buffer.from(bytes.subarray(start)));
    if (this.#pieces.reduce((sum, piece) => sum + piece.length, 0) > MAX_PART_BYTES)
      throw new SyntaxError('a part of it is too long');
  }

  /** Whether the object is closed. */
  get complete(): boolean {
    return this.#closed && this.#depth === 0 && !this.#inString && this.#take() === '';
  }

  /** A member that is a list has been delivered item by item. Before the first comma, `{}` has none. */
  #endMember(mayBeEmpty: boolean): void {
    const json = this.#take();
    const key = this.#key;
    const wasList = this.#afterList;
    this.#key = undefined;
    this.#afterList = false;
    const isComplete = wasList ? json === '' : key !== undefined && json !== '';
    const isNothing = key === undefined && json === '' && mayBeEmpty;
    if (!isComplete && !isNothing)
      throw new SyntaxError(`a member is expected before ${JSON.stringify(json.slice(0, 20))}`);
    if (!wasList && key !== undefined) this.#handler.member(key, json);
  }

  #endItem(mayBeEmpty: boolean): void {
    const json = this.#take();
    if (json === '' && !mayBeEmpty) throw new SyntaxError('an item is expected');
    if (this.#key !== undefined && json !== '') this.#handler.item(this.#key, json);
  }

  #take(): string {
    const bytes = Buffer.concat(this.#pieces);
    if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8');
    const text = withoutBlanks(bytes).toString('utf8');
    this.#pieces = [];
    return text;
  }
}

function broken(byte: number): SyntaxError {
  return new SyntaxError(`unexpected ${String.fromCharCode(byte)}`);
}

/** Without what JSON takes for white space around it, which is less than a trim takes. */
function withoutBlanks(bytes: Buffer): Buffer {
  let [start, end] = [0, bytes.length];
  while (start < end && BLANKS.has(bytes[start])) start++;
  while (start < end && BLANKS.has(bytes[end - 1])) end--;
  return bytes.subarray(start, end);
}

const BLANKS: ReadonlySet<number | undefined> = new Set([SPACE, 0x09, 0x0a, 0x0d]);
