// Writes a new file piece by piece, and returns its size and hash.
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';

export interface WrittenFile {
  readonly at: string;
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly bytes: number;
}

/** Creates a file for writing. Throws if the file exists. */
export function openFileSink(at: string) {
  let descriptor: number | undefined = openSync(at, 'wx');
  const hash = createHash('sha256');
  let bytes = 0;
  /** Closes the file. Later calls have no effect. */
  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  return {
    close,
    write(piece: Uint8Array): void {
      if (descriptor === undefined) throw new Error(`${at} is closed`);
      hash.update(piece);
      bytes += piece.length;
      // Writes all bytes of the piece. `writeSync` could write only a part of them.
      writeFileSync(descriptor, piece);
    },
    end(): WrittenFile {
      close();
      return { at, hash: hash.digest('hex'), bytes };
    },
  };
}
