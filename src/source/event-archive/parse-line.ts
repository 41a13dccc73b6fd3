// Parses a line of an archive: `id \t timestamp \t path \t JSON`.
import { MalformedError } from '../observer/malformed-error.ts';

/** The form of an archive. `copy`: text of Postgres COPY, with doubled backslashes. `raw`: plain JSON. */
export type ArchiveForm = 'copy' | 'raw';

/**
 * Returns a function that reads the JSON of lines with this path to items; undefined if such lines are not needed. Both
 * throw MalformedError.
 */
export type OpenReader<Item> = (path: string, line: Buffer) => ((json: Buffer) => readonly Item[]) | undefined;

const TAB = 0x09;
const BACKSLASH = 0x5c;
/** The one-letter escapes of COPY. Any other escaped character stands for itself. */
const COPY_ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 }).map(([letter, byte]) => [letter.charCodeAt(0), byte]),
);

/** Returns the items; undefined for a line without relevant data. `line` excludes the newline. Throws MalformedError. */
export function parseLine<Item>(line: Buffer, form: ArchiveForm, open: OpenReader<Item>): readonly Item[] | undefined {
  const { path, json } = splitColumns(line);
  return open(path, line)?.(form === 'copy' ? unescapeCopy(json) : json);
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

/** The memory for unescaped text, which the next line overwrites. */
let memory = Buffer.alloc(0);
/** The memory that is kept for the next line. */
const MAX_KEPT_BYTES = 4_000_000;

function reserve(length: number): Buffer {
  if (length > MAX_KEPT_BYTES) return Buffer.allocUnsafe(length);
  if (length > memory.length) memory = Buffer.allocUnsafeSlow(Math.min(2 * length, MAX_KEPT_BYTES));
  return memory;
}

/** Returns COPY text without escapes, valid until the next call. A backslash at the very end is kept. */
export function unescapeCopy(bytes: Buffer): Buffer {
  let from = bytes.indexOf(BACKSLASH);
  if (from === -1) return bytes;
  const out = reserve(bytes.length);
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
