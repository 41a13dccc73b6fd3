// Parses the lines of a block, in whatever thread: bytes in, plain data out.
import { createHash } from 'node:crypto';
import type { ChainEvent } from '#model/chain-event.ts';
import { type ArchiveForm, asLineErrors, LineError, parseLine } from './parse-line.ts';
import { LongLineParser } from './parse-long-line.ts';

export interface LinesToParse {
  /** Lines without their newlines, one behind the other. */
  readonly bytes: Uint8Array;
  /** Where each line ends in them. */
  readonly ends: readonly number[];
  readonly form: ArchiveForm;
  /** Pass over broken lines instead of stopping at the first. */
  readonly skipBroken: boolean;
}

export interface ParsedLines {
  /** What is in each line, in their order; a broken one is the last unless broken ones are passed over. */
  readonly lines: readonly LineContent[];
  /** SHA-256 of the last line that is not followed by others or broken, with and without a newline behind it. */
  readonly lastHash: LineHash | undefined;
}

export interface LineHash {
  readonly bare: string;
  readonly withNewline: string;
}

/** Nothing of all that for an empty line and the end of a COPY. */
export interface LineContent {
  readonly path?: string;
  /** Undefined for a path that is passed over. */
  readonly event?: ChainEvent;
  /** Why the line is broken. */
  readonly error?: string;
}

/** What Postgres writes behind the rows of a COPY. */
const COPY_END = Buffer.from('\\.');

export function parseLines({ bytes, ends, form, skipBroken }: LinesToParse): ParsedLines {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: LineContent[] = [];
  let start = 0;
  let last: Buffer | undefined;
  for (const end of ends) {
    const line = whole.subarray(start, end);
    start = end;
    const content = contentOf(line, form);
    lines.push(content);
    if (content.error !== undefined && !skipBroken) break;
    last = line;
  }
  return { lines, lastHash: last === undefined ? undefined : hashesOf(createHash('sha256').update(last)) };
}

function contentOf(line: Buffer, form: ArchiveForm): LineContent {
  if (line.length === 0 || line.equals(COPY_END)) return {};
  try {
    return parseLine(line, form);
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** A line in pieces: its members and items are parsed one by one, so memory holds one of them. It is read to its end, broken or not. */
export async function parsePieces(pieces: AsyncIterable<Buffer>, form: ArchiveForm): Promise<ParsedLines> {
  const hash = createHash('sha256');
  const parser = new LongLineParser(form);
  let error: string | undefined;
  for await (const piece of pieces) {
    hash.update(piece);
    if (error === undefined) error = errorOf(() => parser.push(piece));
  }
  let content: LineContent = {};
  error ??= errorOf(() => {
    content = parser.finish();
  });
  return { lines: [error === undefined ? content : { error }], lastHash: hashesOf(hash) };
}

function errorOf(parse: () => void): string | undefined {
  try {
    asLineErrors(parse);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  if (error instanceof LineError) return error.message;
  throw error;
}

function hashesOf(hash: ReturnType<typeof createHash>): LineHash {
  return { bare: hash.copy().digest('hex'), withNewline: hash.update('\n').digest('hex') };
}
