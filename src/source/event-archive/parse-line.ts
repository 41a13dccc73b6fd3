// Parses one archive line, `id \t timestamp \t path \t JSON`, into its path and, for the paths that are used, a ChainEvent.
import { isUtf8 } from 'node:buffer';
import type { ChainEvent } from '#model/chain-event.ts';
import { cutTransactions } from './cut-transactions.ts';
import { BlockReducer, PayloadError } from './reduce-block.ts';

/** `copy`: Postgres COPY text, backslashes doubled. `raw`: JSON as it is. */
export type ArchiveForm = 'copy' | 'raw';

export interface ParsedLine {
  readonly path: string;
  /** Undefined for a path that is passed over. */
  readonly event?: ChainEvent;
}

/** The line is broken; the message completes "line 7: …". */
export class LineError extends Error {}

const TAB = 0x09;
const BACKSLASH = 0x5c;
const KINDS: ReadonlyMap<string, ChainEvent['kind']> = new Map([
  ['/new_block', 'block'],
  ['/new_microblocks', 'microblocks'],
]);
/** One-letter escapes of COPY; every other character stands for itself. */
const COPY_ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 }).map(([letter, byte]) => [letter.charCodeAt(0), byte]),
);

export interface LineColumns {
  readonly timestamp: string;
  readonly path: string;
  readonly json: Buffer;
}

/** The columns of a line. Throws LineError. */
export function splitColumns(line: Buffer): LineColumns {
  const first = line.indexOf(TAB);
  const second = first === -1 ? -1 : line.indexOf(TAB, first + 1);
  const third = second === -1 ? -1 : line.indexOf(TAB, second + 1);
  if (third === -1) throw new LineError('four columns are expected: id, timestamp, path, JSON, separated by tabs');
  return {
    timestamp: line.toString('latin1', first + 1, second),
    path: line.toString('latin1', second + 1, third),
    json: line.subarray(third + 1),
  };
}

/** Timestamps of the raw form have the ISO `T`; Postgres writes a space. */
export function formOf(columns: LineColumns): ArchiveForm {
  return columns.timestamp.includes('T') ? 'raw' : 'copy';
}

export function kindOf(path: string): ChainEvent['kind'] | undefined {
  return KINDS.get(path);
}

/** Parses a whole line. Throws LineError. */
export function parseLine(line: Buffer, form: ArchiveForm): ParsedLine {
  const { path, json } = splitColumns(line);
  const kind = kindOf(path);
  if (kind === undefined) return { path };
  const unescaped = form === 'copy' ? unescapeCopy(json) : json;
  if (!isUtf8(unescaped)) throw new LineError('the JSON is not UTF-8');
  const { text, cut } = cutTransactions(unescaped);
  return asLineErrors(() => ({ path, event: BlockReducer.reduce(kind, JSON.parse(text), cut) }));
}

/** Runs a parser of a payload and turns what it throws about the payload into LineError. */
export function asLineErrors<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxError) throw new LineError(`the JSON is broken or cut off (${error.message})`);
    if (error instanceof PayloadError) throw new LineError(error.message);
    throw error;
  }
}

/** Undoes the escapes of COPY, in a copy. A backslash at the very end stays: its other half may follow in the next piece. */
export function unescapeCopy(bytes: Buffer): Buffer {
  let from = bytes.indexOf(BACKSLASH);
  if (from === -1) return bytes;
  const out = Buffer.allocUnsafe(bytes.length);
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
