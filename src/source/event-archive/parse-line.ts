// Parses a line of an archive, `id \t timestamp \t path \t JSON`, in one or several pieces.
import { MalformedError } from '../observer/malformed-error.ts';

/** The form of an archive. `copy`: text of Postgres COPY, with doubled backslashes. `raw`: plain JSON. */
export type ArchiveForm = 'copy' | 'raw';

/** Reads the JSON of a line, in one or several pieces. Both functions throw MalformedError. */
export interface JsonReader<Result> {
  push(bytes: Buffer): void;
  /** Adds the last bytes and returns the result. */
  finish(bytes: Buffer): Result;
}

/**
 * Returns a reader for the JSON of lines with this path; undefined if such lines are not needed. `line`: the line, or the
 * first piece of a long line.
 */
export type OpenReader<Result> = (path: string, line: Buffer) => JsonReader<Result> | undefined;

const TAB = 0x09;
const BACKSLASH = 0x5c;
/** The one-letter escapes of COPY. Any other escaped character stands for itself. */
const COPY_ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 }).map(([letter, byte]) => [letter.charCodeAt(0), byte]),
);

/**
 * Returns the result, or the path of a line without relevant data. `line` excludes the newline. Throws MalformedError.
 */
export function parseLine<Result>(line: Buffer, form: ArchiveForm, open: OpenReader<Result>): Result | string {
  const { path, json } = splitColumns(line);
  const reader = open(path, line);
  return reader === undefined ? path : reader.finish(form === 'copy' ? unescapeCopy(json) : json);
}

/** Parses a line in pieces, if it is too long to hold in memory. */
export class LongLineParser<Result> {
  readonly #form: ArchiveForm;
  readonly #open: OpenReader<Result>;
  #path: string | undefined;
  #reader: JsonReader<Result> | undefined;
  /** The backslash at the end of a piece, if the escaped character is in the next piece; otherwise empty. */
  #halfEscape = Buffer.alloc(0);
  #malformed: MalformedError | undefined;

  constructor(form: ArchiveForm, open: OpenReader<Result>) {
    this.#form = form;
    this.#open = open;
  }

  /**
   * Adds a piece. The first piece must contain the columns before the JSON. After an error, further pieces are ignored.
   */
  push(piece: Buffer): void {
    if (this.#malformed !== undefined) return;
    try {
      let json = piece;
      if (this.#path === undefined) {
        ({ path: this.#path, json } = splitColumns(piece));
        this.#reader = this.#open(this.#path, piece);
      }
      this.#reader?.push(this.#form === 'copy' ? this.#unescape(json) : json);
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error;
      this.#malformed = error;
    }
  }

  /** Returns the result of {@link parseLine}, or throws its error. */
  finish(): Result | string {
    if (this.#malformed !== undefined) throw this.#malformed;
    return this.#reader === undefined ? (this.#path ?? '') : this.#reader.finish(this.#halfEscape);
  }

  #unescape(piece: Buffer): Buffer {
    const bytes = Buffer.concat([this.#halfEscape, piece]);
    let backslashes = 0;
    while (bytes.at(-1 - backslashes) === BACKSLASH) backslashes++;
    const escapes = backslashes % 2;
    this.#halfEscape = Buffer.from(bytes.subarray(bytes.length - escapes));
    return unescapeCopy(bytes.subarray(0, bytes.length - escapes));
  }
}

/** Splits a line into its columns. Throws MalformedError. */
export function splitColumns(line: Buffer) {
  const first = line.indexOf(TAB);
  const second = first === -1 ? -1 : line.indexOf(TAB, first + 1);
  const third = second === -1 ? -1 : line.indexOf(TAB, second + 1);
  if (third === -1) throw new MalformedError('four columns are expected: id, timestamp, path, JSON, separated by tabs');
  return {
    timestamp: line.toString('latin1', first + 1, second),
    path: line.toString('latin1', second + 1, third),
    json: line.subarray(third + 1),
  };
}

/** Returns an unescaped copy of COPY text. A backslash at the very end is kept. */
export function unescapeCopy(bytes: Buffer): Buffer {
  let from = bytes.indexOf(BACKSLASH);
  if (from === -1) return bytes;
  // Allocates a separate buffer, since threads transfer the results.
  const out = Buffer.allocUnsafeSlow(bytes.length);
  let length = bytes.copy(out, 0, 0, from);
  while (from < bytes.length - 1) {
    const escaped = bytes[from + 1] as number;
    out[length++] = COPY_ESCAPES.get(escaped) ?? escaped;
    const next = bytes.indexOf(BACKSLASH, from + 2);
    const end = next === -1 ? bytes.length : next;
    length += bytes.copy(out, length, from + 2, end);
    from = end;
  }
  if (from === bytes.length - 1) out[length++] = BACKSLASH;
  return out.subarray(0, length);
}
