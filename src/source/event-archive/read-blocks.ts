// Splits a stream of bytes into blocks of complete lines. Each block is parsed by one thread.
import { MalformedError } from '../observer/malformed-error.ts';
import { nextChunk } from './chunk-reader.ts';

/** The default number of bytes of complete lines that form a block. */
const BLOCK_BYTES = 1_000_000;
/** The longest line in bytes. Genesis has about 80 MB, and a text in memory 512 MB at most. */
const MAX_LINE_BYTES = 500_000_000;
const NEWLINE = 0x0a;

/**
 * Yields blocks that end with a newline, except perhaps the last block of the archive. If the stream fails, yields the
 * complete lines before the failure, then throws its error. Throws MalformedError at a line of more than `maxLineBytes`.
 */
export async function* readBlocks(
  chunks: AsyncIterator<Buffer>,
  blockBytes = BLOCK_BYTES,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<Buffer<ArrayBuffer>> {
  let complete: Buffer[] = [];
  /** The parts of a line whose end has not been read yet. */
  const incomplete: Buffer[] = [];
  /** The sizes of both in bytes. They are counted, since a slow writer sends many small chunks. */
  let [completeBytes, incompleteBytes] = [0, 0];
  /**
   * The memory of chunks that fill it. It is freed once it was copied. Otherwise the garbage collector would run
   * completely for every 64 MB.
   */
  const owned = new WeakSet<object>();

  const block = (parts: readonly Buffer[]) => {
    complete = [];
    completeBytes = 0;
    const joined = concat(parts);
    // The last chunk may continue with the next line.
    const next = incomplete[0];
    if (next !== undefined && next.buffer === parts.at(-1)?.buffer) incomplete[0] = Buffer.from(next);
    for (const { buffer } of parts) if (owned.delete(buffer)) (buffer as ArrayBuffer).transfer(0);
    return joined;
  };
  try {
    for (let chunk = await nextChunk(chunks); chunk !== undefined; chunk = await nextChunk(chunks)) {
      if (chunk.length > 0 && chunk.length === chunk.buffer.byteLength) owned.add(chunk.buffer);
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0) {
        for (const part of incomplete.splice(0)) complete.push(part);
        complete.push(chunk.subarray(0, end));
        completeBytes += incompleteBytes + end;
        incompleteBytes = 0;
      }
      incomplete.push(chunk.subarray(end));
      incompleteBytes += chunk.length - end;
      if (completeBytes >= blockBytes) yield block(complete);
      if (incompleteBytes > maxLineBytes) throw new MalformedError(`the line has more than ${maxLineBytes / 1e6} MB`);
    }
  } catch (error) {
    if (complete.length > 0) yield block(complete);
    throw error;
  }
  if (completeBytes + incompleteBytes > 0) yield block([...complete, ...incomplete]);
}

/** Copies parts into a new buffer, which can be transferred to another thread. */
function concat(parts: readonly Buffer[]): Buffer<ArrayBuffer> {
  const joined = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) end += part.copy(joined, end);
  return joined;
}
