// Cuts a stream of bytes into blocks of whole lines, each of which a thread parses at once.
import { nextChunk } from './chunks.ts';

/** Small, so that what several threads hold is little. */
const BLOCK_BYTES = 1_000_000;
/** Lines up to this many bytes are held whole: genesis has about 80 MB, and 500 MB occur. */
const MAX_HELD_LINE_BYTES = 64_000_000;
const NEWLINE = 0x0a;

/**
 * Blocks end with a newline; only the last may lack it, where the archive does. A line that is too long to hold is
 * given to `readLongLine` in pieces, columns and beginning in the first, and its block is what that makes of it.
 * What the stream throws comes behind the whole lines before it.
 */
export async function* readBlocks<LongLine>(
  chunks: AsyncIterator<Buffer>,
  readLongLine: (pieces: AsyncGenerator<Buffer>) => Promise<LongLine>,
  maxHeldLineBytes = MAX_HELD_LINE_BYTES,
): AsyncGenerator<Buffer<ArrayBuffer> | LongLine> {
  let whole: Buffer[] = [];
  /** A line whose end is still to come. */
  const begun: Buffer[] = [];
  let chunk: Buffer | undefined;

  const block = (parts: readonly Buffer[]) => {
    whole = [];
    return concat(parts);
  };
  async function* longLine(): AsyncGenerator<Buffer> {
    yield Buffer.concat(begun.splice(0));
    for (let end = 0; end === 0; ) {
      const next = await nextChunk(chunks);
      end = (next?.indexOf(NEWLINE) ?? -1) + 1;
      chunk = next?.subarray(end);
      if (next === undefined) return;
      yield end === 0 ? next : next.subarray(0, end);
    }
  }

  try {
    chunk = await nextChunk(chunks);
    while (chunk !== undefined) {
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0) whole.push(...begun.splice(0), chunk.subarray(0, end));
      begun.push(chunk.subarray(end));
      if (bytesOf(whole) >= BLOCK_BYTES) yield block(whole);
      if (bytesOf(begun) > maxHeldLineBytes) {
        if (whole.length > 0) yield block(whole);
        yield await readLongLine(longLine());
      } else {
        chunk = await nextChunk(chunks);
      }
    }
  } catch (error) {
    if (whole.length > 0) yield block(whole);
    throw error;
  }
  if (bytesOf(whole) + bytesOf(begun) > 0) yield block([...whole, ...begun]);
}

function bytesOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** With a memory of its own, which can be handed to another thread. */
function concat(parts: readonly Buffer[]): Buffer<ArrayBuffer> {
  const whole = Buffer.allocUnsafeSlow(bytesOf(parts));
  let end = 0;
  for (const part of parts) end += part.copy(whole, end);
  return whole;
}
