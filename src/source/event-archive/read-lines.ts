// Cuts a stream of bytes into lines; a line too long to hold comes in pieces instead.

/** Lines up to this many bytes are held whole: genesis has about 80 MB, and 500 MB occur. */
const MAX_HELD_LINE_BYTES = 64_000_000;

const NEWLINE = 0x0a;

export interface Line {
  /** Where the line begins, in bytes from the beginning of the stream. */
  readonly offset: number;
  /** Line number, counted from 1. */
  readonly number: number;
  /** The line without its newline; undefined for a line in pieces. */
  readonly bytes: Buffer | undefined;
  /** A line in pieces: to be consumed before the next line is asked for. */
  readonly pieces?: AsyncGenerator<Buffer>;
}

export class LineReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #maxHeldBytes: number;
  #chunk: Buffer = Buffer.alloc(0);
  #ended = false;
  #offset: number;
  #number: number;
  #lastLineWasWhole = true;

  constructor(
    chunks: AsyncIterator<Buffer>,
    start: { offset: number; number: number },
    maxHeldBytes = MAX_HELD_LINE_BYTES,
  ) {
    this.#chunks = chunks;
    this.#offset = start.offset;
    this.#number = start.number;
    this.#maxHeldBytes = maxHeldBytes;
  }

  /** Where the next line begins. */
  get offset(): number {
    return this.#offset;
  }

  get nextNumber(): number {
    return this.#number;
  }

  /** Whether the last line ended with a newline. If not, it is the end of the stream, and more of the line may come later. */
  get lastLineWasWhole(): boolean {
    return this.#lastLineWasWhole;
  }

  /** The next line if it is whole in memory already; undefined if {@link next} has to be awaited. */
  buffered(): Line | undefined {
    const end = this.#chunk.indexOf(NEWLINE);
    return end === -1 ? undefined : this.#take(end);
  }

  /** The next line, or undefined at the end. */
  async next(): Promise<Line | undefined> {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const end = this.#chunk.indexOf(NEWLINE);
      if (end !== -1) {
        if (parts.length === 0) return this.#take(end);
        parts.push(this.#chunk.subarray(0, end));
        this.#chunk = this.#chunk.subarray(end + 1);
        return this.#line(Buffer.concat(parts), 1);
      }
      parts.push(this.#chunk);
      length += this.#chunk.length;
      if (length > this.#maxHeldBytes) return this.#longLine(parts);
      if (!(await this.#fill())) {
        if (length === 0) return undefined;
        this.#lastLineWasWhole = false;
        return this.#line(Buffer.concat(parts), 0);
      }
    }
  }

  #take(end: number): Line {
    const bytes = this.#chunk.subarray(0, end);
    this.#chunk = this.#chunk.subarray(end + 1);
    return this.#line(bytes, 1);
  }

  #line(bytes: Buffer, newlineBytes: number): Line {
    const line = { offset: this.#offset, number: this.#number, bytes };
    this.#offset += bytes.length + newlineBytes;
    this.#number++;
    return line;
  }

  #longLine(parts: Buffer[]): Line {
    const line = { offset: this.#offset, number: this.#number, bytes: undefined, pieces: this.#pieces(parts) };
    this.#number++;
    return line;
  }

  async *#pieces(held: Buffer[]): AsyncGenerator<Buffer> {
    // As one piece: it begins with the columns, which may lie across chunks.
    const beginning = Buffer.concat(held.splice(0));
    this.#offset += beginning.length;
    yield beginning;
    for (;;) {
      if (!(await this.#fill())) {
        this.#lastLineWasWhole = false;
        return;
      }
      const end = this.#chunk.indexOf(NEWLINE);
      const piece = end === -1 ? this.#chunk : this.#chunk.subarray(0, end);
      this.#offset += piece.length + (end === -1 ? 0 : 1);
      this.#chunk = end === -1 ? Buffer.alloc(0) : this.#chunk.subarray(end + 1);
      yield piece;
      if (end !== -1) return;
    }
  }

  async #fill(): Promise<boolean> {
    this.#chunk = Buffer.alloc(0);
    if (this.#ended) return false;
    const next = await this.#chunks.next();
    this.#ended = next.done === true;
    if (!next.done) this.#chunk = next.value;
    return !this.#ended;
  }
}
