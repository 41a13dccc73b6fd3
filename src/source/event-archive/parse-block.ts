// Parses the lines of a block of an archive. Takes bytes and returns plain data, so it can run in any thread.
import { hash } from 'node:crypto';
import { areOtherChains, formatChainId, joinChains } from '#model/chain.ts';
import { MalformedError } from '../observer/malformed-error.ts';
import { type ArchiveForm, LongLineParser, type OpenReader, parseLine } from './parse-line.ts';

export interface ParseOptions {
  readonly form: ArchiveForm;
  /** True to skip invalid lines instead of stopping at the first. */
  readonly skipBroken: boolean;
  /**
   * The chain of the archive; a payload of another chain counts as an invalid line. Undefined to use the chain of the
   * first payload that has a chain id.
   */
  readonly chainId?: number | undefined;
  /** True for a part of a seed: each line must be a line that a seed has. */
  readonly isSeed?: boolean;
}

/** The content of a line. `chainId` is undefined unless a transaction has a chain. */
export interface Parsed {
  chainId?: number | undefined;
}

/** The bytes of complete lines. Only the last line of an archive may lack its newline. */
export interface ParseTask extends ParseOptions {
  readonly bytes: Uint8Array;
}

/** The content of a block, up to its end or to the line at which reading stopped. */
export interface ParsedBlock<Item extends Parsed> {
  readonly events: Item[];
  /** The number of lines without relevant data, by path. */
  readonly skipped: Map<string, number>;
  readonly broken: BrokenLine[];
  stoppedAt?: BrokenLine;
  /** The chain of the payloads. Undefined if none has a transaction with a chain. */
  chainId?: number | undefined;
  /** The numbers of bytes and of newlines that were read. */
  bytes: number;
  lines: number;
  /** The offset and SHA-256 of the last line read with its newline, or only of the end of a long line. */
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
export function parseBlock<Item extends Parsed>(
  { bytes, ...options }: ParseTask,
  open: OpenReader<Item | readonly Item[]>,
): ParsedBlock<Item> {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parsed = nothingParsed<Item>();
  let lastOffset = 0;
  for (let start = 0; start < block.length; start = parsed.bytes) {
    const newline = block.indexOf(NEWLINE, start);
    const isComplete = newline !== -1;
    const line = block.subarray(start, isComplete ? newline : undefined);
    const isBlank = options.isSeed !== true && (line.length === 0 || line.equals(COPY_END));
    const read = () => (isBlank ? undefined : parseLine(line, options.form, open));
    if (!consume(parsed, read, line.length, isComplete, options)) break;
    lastOffset = start;
  }
  const last = block.subarray(lastOffset, parsed.bytes);
  if (last.length > 0) parsed.last = lastLine(last, parsed.bytes);
  return parsed;
}

/**
 * Parses a line from its pieces. The last piece ends with the newline. Reads all pieces even if the line is invalid.
 */
export async function parseLongLine<Item extends Parsed>(
  pieces: AsyncIterable<Buffer>,
  options: ParseOptions,
  open: OpenReader<Item | readonly Item[]>,
): Promise<ParsedBlock<Item>> {
  const parsed = nothingParsed<Item>();
  let end = Buffer.alloc(0);
  const parser = new LongLineParser(options.form, open);
  let length = 0;
  let isComplete = false;
  for await (const piece of pieces) {
    end = Buffer.concat([end, piece.subarray(-MAX_HASHED_BYTES)]).subarray(-MAX_HASHED_BYTES);
    isComplete = piece.at(-1) === NEWLINE;
    const text = isComplete ? piece.subarray(0, -1) : piece;
    length += text.length;
    parser.push(text);
    // A seed has no long lines. Reading on could take long, since such a line may have gigabytes.
    if (options.isSeed === true) break;
  }
  if (consume(parsed, () => parser.finish(), length, isComplete, options)) parsed.last = lastLine(end, parsed.bytes);
  return parsed;
}

function lastLine(bytes: Buffer, end: number): NonNullable<ParsedBlock<Parsed>['last']> {
  const hashed = bytes.subarray(-MAX_HASHED_BYTES);
  return { offset: end - hashed.length, hash: hash('sha256', hashed, 'hex') };
}

function nothingParsed<Item extends Parsed>(): ParsedBlock<Item> {
  return { events: [], skipped: new Map(), broken: [], bytes: 0, lines: 0 };
}

/** Adds a line and returns true. Returns false if reading stops at this line, because it is incomplete or invalid. */
function consume<Item extends Parsed>(
  parsed: ParsedBlock<Item>,
  read: () => Item | readonly Item[] | string | undefined,
  length: number,
  isComplete: boolean,
  { skipBroken, chainId }: ParseOptions,
): boolean {
  try {
    const content = read();
    if (typeof content === 'string') {
      if (!isComplete) return false;
      parsed.skipped.set(content, (parsed.skipped.get(content) ?? 0) + 1);
    } else if (content !== undefined) {
      for (const item of Array.isArray(content) ? (content as readonly Item[]) : [content as Item]) {
        const other = [chainId, parsed.chainId].find((known) => areOtherChains(known, item.chainId));
        if (other !== undefined && item.chainId !== undefined)
          throw new MalformedError(describeOtherChain(item.chainId, other));
        parsed.chainId = joinChains(parsed.chainId, item.chainId);
        parsed.events.push(item);
      }
    }
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    const broken = { line: parsed.lines, offset: parsed.bytes, reason: error.message, isCutOff: !isComplete };
    if (!skipBroken || !isComplete) {
      parsed.stoppedAt = broken;
      return false;
    }
    parsed.broken.push(broken);
  }
  parsed.bytes += length + (isComplete ? 1 : 0);
  if (isComplete) parsed.lines++;
  return true;
}

function describeOtherChain(chainId: number, known: number): string {
  return `the payload belongs to chain ${formatChainId(chainId)}, but the archive belongs to chain ${formatChainId(known)}`;
}
