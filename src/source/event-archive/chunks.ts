// Streams of bytes, chunk by chunk.

/** Undefined at the end. */
export async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  const next = await chunks.next();
  return next.done === true ? undefined : next.value;
}

export async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* rest;
}

/** At least so many bytes, unless there are fewer, and chunks of all. Read errors come after the bytes before them. */
export async function readBeginning(chunks: AsyncGenerator<Buffer>, least: number) {
  const parts: Buffer[] = [];
  let length = 0;
  let trouble: { readonly error: unknown } | undefined;
  try {
    while (length < least) {
      const chunk = await nextChunk(chunks);
      if (chunk === undefined) break;
      parts.push(chunk);
      length += chunk.length;
    }
  } catch (error) {
    if (length === 0) throw error;
    trouble = { error };
  }
  async function* rest(): AsyncGenerator<Buffer> {
    if (trouble !== undefined) throw trouble.error;
    yield* chunks;
  }
  const bytes = Buffer.concat(parts);
  return { bytes, chunks: startingWith(bytes, rest()) };
}
