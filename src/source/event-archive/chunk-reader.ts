// Reads a stream of chunks, whose next bytes can be read ahead and put back.

const NO_BYTES = Buffer.alloc(0);

export class ChunkReader implements AsyncIterableIterator<Buffer> {
  readonly #chunks: AsyncGenerator<Buffer>;
  /** The bytes that were read ahead or put back. */
  #ahead: Buffer = NO_BYTES;
  /** The error of the stream after these bytes. */
  #failure: { readonly error: unknown } | undefined;
  /** The position of the next byte. */
  offset: number;

  constructor(chunks: AsyncGenerator<Buffer>, offset = 0) {
    this.#chunks = chunks;
    this.offset = offset;
  }

  /**
   * Returns the next bytes, at least `minBytes` unless the stream is shorter, without taking them. If the stream fails
   * after some of these bytes, returns them, and the next read after them throws the error.
   */
  async peek(minBytes: number): Promise<Buffer> {
    const parts = [this.#ahead];
    let { length } = this.#ahead;
    try {
      while (length < minBytes && this.#failure === undefined) {
        const chunk = await nextChunk(this.#chunks);
        if (chunk === undefined) break;
        parts.push(chunk);
        length += chunk.length;
      }
    } catch (error) {
      if (length === 0) throw error;
      this.#failure = { error };
    }
    if (parts.length > 1) this.#ahead = Buffer.concat(parts);
    return this.#ahead;
  }

  async next(): Promise<IteratorResult<Buffer>> {
    if (this.#ahead.length === 0) {
      if (this.#failure !== undefined) throw this.#failure.error;
      const next = await this.#chunks.next();
      if (next.done !== true) this.offset += next.value.length;
      return next;
    }
    const value = this.#ahead;
    this.#ahead = NO_BYTES;
    this.offset += value.length;
    return { value, done: false };
  }

  /** Takes this number of bytes, or fewer at the end of the stream. */
  async take(bytes: number): Promise<Buffer> {
    const taken = (await this.peek(bytes)).subarray(0, bytes);
    this.#ahead = this.#ahead.subarray(taken.length);
    this.offset += taken.length;
    return taken;
  }

  /** Puts back the last bytes of the chunk that was taken last. */
  putBack(bytes: Buffer): void {
    this.#ahead = bytes;
    this.offset -= bytes.length;
  }

  /** Ends the stream. */
  return(): Promise<IteratorResult<Buffer>> {
    return this.#chunks.return(undefined);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** Returns the next chunk; undefined at the end. */
export async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  const next = await chunks.next();
  return next.done === true ? undefined : next.value;
}
