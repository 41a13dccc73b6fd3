// Gathers the lines of an archive in blocks, each of which a thread parses at once.
import { type Line, LineReader } from './read-lines.ts';

/** Whole lines without their newlines, or one line that is too long to hold. */
export interface LineBlock {
  readonly lines: readonly BlockLine[];
  /** The lines, one behind the other, and where each ends in them. */
  readonly bytes: Buffer<ArrayBuffer>;
  readonly ends: readonly number[];
  /** A line in pieces, to be consumed before the next block is asked for: the only one of its block. */
  readonly pieces?: AsyncGenerator<Buffer>;
}

export interface BlockLine {
  /** Where the line begins, and the next one does, in bytes from the beginning of the archive. */
  readonly offset: number;
  readonly nextOffset: number;
  /** Line number, counted from 1. */
  readonly number: number;
  /** Whether it ends with a newline. If not, it is the end of the archive, and more of it may come later. */
  readonly isWhole: boolean;
}

/** Small, so that what several threads hold is little. */
const BLOCK_BYTES = 1_000_000;
const BLOCK_LINES = 1_000;

export async function* readBlocks(
  chunks: AsyncIterator<Buffer>,
  start: { offset: number; number: number },
  maxHeldLineBytes?: number,
): AsyncGenerator<LineBlock> {
  const reader = new LineReader(chunks, start, maxHeldLineBytes);
  let gathered: Line[] = [];
  let length = 0;
  const finish = (): LineBlock => {
    const lines = gathered.map((line) => placeOf(line, reader));
    const bytes = gathered.map((line) => line.bytes as Buffer);
    let end = 0;
    const ends = bytes.map(({ length }) => (end += length));
    const block = { lines, bytes: concat(bytes, end), ends };
    gathered = [];
    length = 0;
    return block;
  };
  try {
    for (;;) {
      const line = reader.buffered() ?? (await reader.next());
      if (line === undefined) break;
      if (line.bytes === undefined) {
        if (gathered.length > 0) yield finish();
        yield longBlock(line, reader);
        continue;
      }
      // Half a line may count for nothing: apart, it does not take others with it.
      if (!reader.lastLineWasWhole && gathered.length > 0) yield finish();
      gathered.push(line);
      length += line.bytes.length;
      if (length >= BLOCK_BYTES || gathered.length >= BLOCK_LINES) yield finish();
    }
  } catch (error) {
    if (gathered.length > 0) yield finish();
    throw error;
  }
  if (gathered.length > 0) yield finish();
}

/** With a memory of its own, which can be handed to another thread. */
function concat(parts: readonly Buffer[], length: number): Buffer<ArrayBuffer> {
  const whole = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (const part of parts) end += part.copy(whole, end);
  return whole;
}

function placeOf({ offset, number, bytes }: Line, reader: LineReader): BlockLine {
  const end = offset + (bytes?.length ?? 0);
  const isWhole = end < reader.offset;
  return { offset, number, isWhole, nextOffset: isWhole ? end + 1 : end };
}

/** Where a long line ends is known when its pieces are consumed. */
function longBlock({ offset, number, pieces }: Line, reader: LineReader): LineBlock {
  const line = { offset, number, nextOffset: offset, isWhole: true };
  async function* watched(): AsyncGenerator<Buffer> {
    if (pieces !== undefined) yield* pieces;
    line.nextOffset = reader.offset;
    line.isWhole = reader.lastLineWasWhole;
  }
  return { lines: [line], bytes: Buffer.alloc(0), ends: [], pieces: watched() };
}
