// Cuts a stream of bytes into blocks of whole lines, each parsed by one thread.
import { nextChunk } from './chunks.ts';

/** Small, so that several threads hold little. */
const BLOCK_BYTES = 1_000_000;
/** Lines up to this many bytes are held whole: genesis has about 80 MB, and 500 MB occur. */
const MAX_HELD_LINE_BYTES = 64_000_000;
const NEWLINE = 0x0a;

/**
 * Yields blocks that end with a newline, except perhaps the last of the archive. A line too long to hold is passed to
 * `readLongLine` in pieces, the first with its columns and beginning; its block is the result. Stream errors are thrown
 * after the whole lines before them.
 */
export async function* readBlocks<LongLine>(
  chunks: AsyncIterator<Buffer>,
  readLongLine: (pieces: AsyncGenerator<Buffer>) => Promise<LongLine>,
  maxHeldLineBytes = MAX_HELD_LINE_BYTES,
): AsyncGenerator<Buffer<ArrayBuffer> | LongLine> {
  let whole: Buffer[] = [];
  /** A line whose end has not been read yet. */
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
      if (end > 0) {
        for (const part of begun.splice(0)) whole.push(part);
        whole.push(chunk.subarray(0, end));
      }
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

/** Uses a buffer of its own, which can be transferred to another thread. */
function concat(parts: readonly Buffer[]): Buffer<ArrayBuffer> {
  const whole = Buffer.allocUnsafeSlow(bytesOf(parts));
  let end = 0;
  for (const part of parts) end += part.copy(whole, end);
  return whole;
}
