// Parses the lines of a block of an archive. Takes bytes and returns plain data, so it can run in any thread.
import { hash } from 'node:crypto';
import { MalformedError } from '../observer/malformed-error.ts';
import { type ArchiveForm, type OpenReader, parseLine } from './parse-line.ts';

export interface ParseOptions {
  readonly form: ArchiveForm;
  /** True to skip invalid lines instead of stopping at the first. */
  readonly skipBroken: boolean;
  /** True for a part of a seed: each line must be a line that a seed has. */
  readonly isSeed?: boolean;
}

/** The bytes of complete lines. Only the last line of an archive may lack its newline. */
export interface ParseTask extends ParseOptions {
  readonly bytes: Uint8Array;
}

/** The content of a block, up to its end or to the line at which reading stopped. */
export interface ParsedBlock<Item> {
  readonly events: Item[];
  /** The number of lines without relevant data. */
  skipped: number;
  readonly broken: BrokenLine[];
  stoppedAt?: BrokenLine;
  /** The numbers of bytes and of newlines that were read. */
  bytes: number;
  lines: number;
  /** The offset and SHA-256 of the last line read with its newline, or only of its end. */
  last?: { readonly offset: number; readonly hash: string };
}

/** An invalid line. Its positions are relative to the beginning of the block, from 0. */
export interface BrokenLine {
  readonly line: number;
  readonly offset: number;
  readonly reason: string;
  /** True for a last line without a newline. */
  readonly isCutOff: boolean;
}

const NEWLINE = 0x0a;
/**
 * The maximum number of bytes to hash, from the end of the last line of a block. In large blocks this line has a third
 * of all bytes; hashing all of it would take 5% of the parsing time.
 */
const MAX_HASHED_BYTES = 64_000;
/** The marker that Postgres writes after the rows of a COPY. */
const COPY_END = Buffer.from('\\.');

/** Parses a block. Takes and returns plain objects, since it runs in other threads. */
export function parseBlock<Item>({ bytes, ...options }: ParseTask, open: OpenReader<Item>): ParsedBlock<Item> {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parsed: ParsedBlock<Item> = { events: [], skipped: 0, broken: [], bytes: 0, lines: 0 };
  let lastOffset = 0;
  for (let start = 0; start < block.length; start = parsed.bytes) {
    const newline = block.indexOf(NEWLINE, start);
    const isComplete = newline !== -1;
    const line = block.subarray(start, isComplete ? newline : undefined);
    if (!addLine(parsed, line, isComplete, options, open)) break;
    parsed.bytes += line.length + Number(isComplete);
    parsed.lines += Number(isComplete);
    lastOffset = start;
  }
  const last = block.subarray(lastOffset, parsed.bytes).subarray(-MAX_HASHED_BYTES);
  if (last.length > 0) parsed.last = { offset: parsed.bytes - last.length, hash: hash('sha256', last, 'hex') };
  return parsed;
}

/** Adds a line and returns true. Returns false if reading stops at this line, because it is incomplete or invalid. */
function addLine<Item>(
  parsed: ParsedBlock<Item>,
  line: Buffer,
  isComplete: boolean,
  { form, skipBroken, isSeed = false }: ParseOptions,
  open: OpenReader<Item>,
): boolean {
  if (!isSeed && (line.length === 0 || line.equals(COPY_END))) return true;
  try {
    const items = parseLine(line, form, open);
    if (items === undefined && !isComplete) return false;
    if (items === undefined) parsed.skipped++;
    else for (const item of items) parsed.events.push(item);
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    const broken = { line: parsed.lines, offset: parsed.bytes, reason: error.message, isCutOff: !isComplete };
    if (!skipBroken || !isComplete) {
      parsed.stoppedAt = broken;
      return false;
    }
    parsed.broken.push(broken);
  }
  return true;
}
