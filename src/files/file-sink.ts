// Writes a new file piece by piece, and says how many bytes it has and which hash.
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';

export interface WrittenFile {
  readonly at: string;
  /** SHA-256, hex. */
  readonly hash: string;
  readonly bytes: number;
}

export class FileSink {
  readonly #path: string;
  readonly #hash = createHash('sha256');
  #descriptor: number | undefined;
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'wx');
  }

  write(bytes: Uint8Array): void {
    if (this.#descriptor === undefined) throw new Error(`${this.#path} is closed`);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    // Not `writeSync`, which may write a part.
    writeFileSync(this.#descriptor, bytes);
  }

  end(): WrittenFile {
    this.close();
    return { at: this.#path, hash: this.#hash.digest('hex'), bytes: this.#bytes };
  }

  /** May be called again. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
