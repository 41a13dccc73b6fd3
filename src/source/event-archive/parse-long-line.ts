// Parses an archive line that is too long to hold: pieces in, what `parseLine` gives for a whole line out.
import type { ChainEvent } from '#model/chain-event.ts';
import { MalformedError } from '../observer/malformed-error.ts';
import { kindOfPayload, PayloadReducer } from '../observer/reduce-payload.ts';
import { type ArchiveForm, splitColumns, unescapeCopy } from './parse-line.ts';
import { JsonSplitter } from './split-json.ts';

const BACKSLASH = 0x5c;

export class LongLineParser {
  readonly #form: ArchiveForm;
  #path: string | undefined;
  #reducer: PayloadReducer | undefined;
  readonly #splitter = new JsonSplitter((key, item) => this.#reducer?.addItem(key, item));
  /** A backslash whose other half comes with the next piece. */
  #halfEscape = Buffer.alloc(0);
  #malformed: MalformedError | undefined;

  constructor(form: ArchiveForm) {
    this.#form = form;
  }

  /** Takes the next piece; the first must hold the columns before the JSON. Once malformed, the rest is ignored. */
  push(piece: Buffer): void {
    if (this.#malformed !== undefined) return;
    try {
      const json = this.#path === undefined ? this.#begin(piece) : piece;
      if (this.#reducer !== undefined) this.#splitter.push(this.#form === 'copy' ? this.#unescape(json) : json);
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error;
      this.#malformed = error;
    }
  }

  /** The event, or the path where nothing of the line is needed. Throws MalformedError. */
  finish(): ChainEvent | string {
    if (this.#malformed !== undefined) throw this.#malformed;
    if (this.#reducer === undefined) return this.#path ?? '';
    this.#splitter.push(this.#halfEscape);
    return this.#reducer.finish(this.#splitter.finish());
  }

  #begin(piece: Buffer): Buffer {
    const { path, json } = splitColumns(piece);
    this.#path = path;
    const kind = kindOfPayload(path);
    if (kind !== undefined) this.#reducer = new PayloadReducer(kind);
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
