// Parses an archive line that is too long to hold: pieces in, the same ChainEvent out as `parseLine` gives for a whole line.
import type { ChainEvent } from '#model/chain-event.ts';
import { type ArchiveForm, kindOf, LineError, splitColumns, unescapeCopy } from './parse-line.ts';
import { BlockReducer } from './reduce-block.ts';
import { JsonSplitter } from './split-json.ts';

const BACKSLASH = 0x5c;

export class LongLineParser {
  readonly #form: ArchiveForm;
  /** Path of the line, once its columns are known. */
  #path: string | undefined;
  #reducer: BlockReducer | undefined;
  #splitter: JsonSplitter | undefined;
  /** A backslash whose other half comes with the next piece. */
  #halfEscape = Buffer.alloc(0);

  constructor(form: ArchiveForm) {
    this.#form = form;
  }

  /** Takes the next piece; the first must hold the columns before the JSON. Throws LineError, SyntaxError and PayloadError. */
  push(piece: Buffer): void {
    const json = this.#path === undefined ? this.#begin(piece) : piece;
    if (this.#splitter === undefined) return;
    this.#splitter.push(this.#form === 'copy' ? this.#unescape(json) : json);
  }

  /** Throws as {@link push} does. */
  finish(): { path: string; event?: ChainEvent } {
    if (this.#path === undefined) throw new LineError('the line has no columns');
    if (this.#reducer === undefined) return { path: this.#path };
    if (this.#splitter?.complete !== true) throw new LineError('the JSON is broken or cut off');
    return { path: this.#path, event: this.#reducer.finish() };
  }

  #begin(piece: Buffer): Buffer {
    const { path, json } = splitColumns(piece);
    this.#path = path;
    const kind = kindOf(path);
    if (kind === undefined) return json;
    const reducer = new BlockReducer(kind);
    this.#reducer = reducer;
    this.#splitter = new JsonSplitter({
      member: (key, text) => reducer.member(key, JSON.parse(text)),
      item: (key, text) => reducer.item(key, JSON.parse(text)),
    });
    return json;
  }

  #unescape(piece: Buffer): Buffer {
    const whole = Buffer.concat([this.#halfEscape, piece]);
    let backslashes = 0;
    while (whole.at(-1 - backslashes) === BACKSLASH) backslashes++;
    const halves = backslashes % 2;
    this.#halfEscape = Buffer.from(whole.subarray(whole.length - halves));
    return unescapeCopy(whole.subarray(0, whole.length - halves));
  }
}
