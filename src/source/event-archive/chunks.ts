// Reads streams of bytes, chunk by chunk.

/** Returns the next chunk; undefined at the end. */
export async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  const next = await chunks.next();
  return next.done === true ? undefined : next.value;
}

/** Yields `first` unless it is empty, and then the chunks of `rest`. */
export async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* rest;
}

/**
 * Reads at least `minBytes` bytes, unless the stream is shorter. Returns these bytes, and a stream that begins with
 * them. If the stream fails, the new stream yields the bytes read before it throws.
 */
export async function readBeginning(chunks: AsyncGenerator<Buffer>, minBytes: number) {
  const parts: Buffer[] = [];
  let length = 0;
  let streamError: { readonly error: unknown } | undefined;
  try {
    while (length < minBytes) {
      const chunk = await nextChunk(chunks);
      if (chunk === undefined) break;
      parts.push(chunk);
      length += chunk.length;
    }
  } catch (error) {
    if (length === 0) throw error;
    streamError = { error };
  }
  async function* rest(): AsyncGenerator<Buffer> {
    if (streamError !== undefined) throw streamError.error;
    yield* chunks;
  }
  const bytes = Buffer.concat(parts);
  return { bytes, chunks: startingWith(bytes, rest()) };
}
