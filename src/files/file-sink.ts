// Writes a new file piece by piece, and says how many bytes it has and which hash.
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';

export interface WrittenFile {
  readonly at: string;
  /** SHA-256, hex. */
  readonly hash: string;
  readonly bytes: number;
}

export function openFileSink(at: string) {
  let descriptor: number | undefined = openSync(at, 'wx');
  const hash = createHash('sha256');
  let bytes = 0;
  /** May be called again. */
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
      // Not `writeSync`, which may write a part.
      writeFileSync(descriptor, piece);
    },
    end(): WrittenFile {
      close();
      return { at, hash: hash.digest('hex'), bytes };
    },
  };
}
