// Holds lines until they can be written: in memory, or in a temporary file if many lines are held.
import { hash } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { freeCalls } from '#clarity/packed-calls.ts';

/** The bytes that all ranges of a run hold in memory. */
export interface Budget {
  heldBytes: number;
}

/** A line in memory, or its place in the file. */
export interface HeldLine {
  readonly bytes: number;
  readonly pieces: readonly Buffer[] | undefined;
  /** The buffer that contains the pieces. */
  readonly memory: Uint8Array | undefined;
  readonly at: number;
}

/** The number of bytes that all ranges together hold in memory. */
const MAX_HELD_BYTES = 64_000_000;

export class HeldLines {
  readonly #path: string;
  readonly #budget: Budget;
  #file: number | undefined;
  #fileBytes = 0;

  constructor(path: string, budget: Budget) {
    this.#path = path;
    this.#budget = budget;
  }

  /** Holds a line, whose pieces are parts of `memory`. */
  hold(pieces: readonly Buffer[], memory: Uint8Array): HeldLine {
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (this.#budget.heldBytes + bytes > MAX_HELD_BYTES) {
      const at = this.#write(pieces, bytes);
      freeCalls(memory);
      return { bytes, pieces: undefined, memory: undefined, at };
    }
    this.#budget.heldBytes += bytes;
    if (2 * bytes > memory.byteLength) return { bytes, pieces, memory, at: -1 };
    // Copies the line, so that its large buffer can be freed.
    const copy = [Buffer.concat(pieces)];
    freeCalls(memory);
    return { bytes, pieces: copy, memory: undefined, at: -1 };
  }

  /** Returns the pieces of a line. */
  piecesOf({ pieces, at, bytes }: HeldLine): readonly Buffer[] {
    if (pieces !== undefined) return pieces;
    const line = Buffer.alloc(bytes);
    for (let end = 0; end < bytes; ) {
      const read = readSync(this.#file as number, line, end, bytes - end, at + end);
      if (read === 0) throw new Error(`${this.#path} is truncated`);
      end += read;
    }
    return [line];
  }

  hashOf(line: HeldLine): string {
    return hash('sha256', Buffer.concat(this.piecesOf(line)), 'hex');
  }

  /** Ends the holding of a line. Its pieces stay valid. */
  release({ pieces, bytes }: HeldLine): void {
    if (pieces !== undefined) this.#budget.heldBytes -= bytes;
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    rmSync(this.#path, { force: true });
  }

  /** Appends bytes to the file, and returns their place. */
  #write(pieces: readonly Buffer[], length: number): number {
    this.#file ??= openSync(this.#path, 'w+');
    const [at, bytes] = [this.#fileBytes, Buffer.concat(pieces)];
    for (let end = 0; end < length; ) end += writeSync(this.#file, bytes, end, length - end, at + end);
    this.#fileBytes += length;
    return at;
  }
}
