// Writes lines to the parts of a seed: compressed files whose names have their hashes.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib';
import { seedPartName } from '#layout/seed-files.ts';
import type { SeedPart } from '#layout/seed-manifest.ts';
import type { Line } from './range-lines.ts';

/**
 * Fast compression, with a window of 32 MB for long repetitions: many contracts are copies. With a window of 128 MB,
 * mainnet's contracts have 4% fewer bytes, and a reader needs 100 MB more memory. With level 3, they have 4% more bytes.
 */
const COMPRESSION = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: 25,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  [constants.ZSTD_c_checksumFlag]: 1,
};
const BUFFER_BYTES = 1 << 20;
/**
 * A part ends if it has this many compressed bytes. They are counted after each {@link CHECK_TEXT_BYTES} of text, which
 * adds at most 8 MB, since hex compresses to half. A part then stays below 25 MiB, the limit of a host.
 */
const MAX_BYTES = 16_000_000;
const CHECK_TEXT_BYTES = 16_000_000;
/** Half of the text that readers accept. */
const MAX_TEXT_BYTES = 2_000_000_000;

export type WrittenPart = Pick<SeedPart, 'file' | 'first' | 'last' | 'orphans' | 'bytes' | 'text_bytes' | 'sha256'>;

/** Writes the parts of a range that begins at the height `first`. */
export class PartWriter {
  readonly #folder: string;
  readonly parts: WrittenPart[] = [];
  #first: number;
  /** The highest height of the last line. */
  #height: number;
  #open: OpenPart | undefined;

  constructor(folder: string, first: number) {
    this.#folder = folder;
    this.#first = first;
    this.#height = first;
  }

  /** Writes a line. If the part is large enough, ends it below the height of the line. */
  async write({ first, last, pieces, orphans }: Line): Promise<void> {
    if (first > this.#height && (await this.#open?.isFull()) === true) await this.end(first - 1);
    this.#height = last;
    this.#open ??= await OpenPart.create(join(this.#folder, '.part.tmp'));
    await this.#open.write(pieces, orphans);
  }

  /** Ends the part at the height `last`. */
  async end(last: number): Promise<void> {
    const part = this.#open ?? (await OpenPart.create(join(this.#folder, '.part.tmp')));
    this.#open = undefined;
    const ended = await part.end();
    const file = seedPartName(this.#first, last, ended.sha256);
    await rename(join(this.#folder, '.part.tmp'), join(this.#folder, file));
    this.parts.push({ file, first: this.#first, last, ...ended });
    this.#first = last + 1;
  }

  /** Removes an unfinished part. */
  async discard(): Promise<void> {
    await this.#open?.discard();
    await rm(join(this.#folder, '.part.tmp'), { force: true });
  }
}

class OpenPart {
  readonly #file: FileHandle;
  readonly #compressor: ZstdCompress = createZstdCompress({ params: COMPRESSION, chunkSize: 1 << 17 });
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #textBytes = 0;
  #checkedAt = 0;
  #orphans = 0;
  /** Text that is not compressed yet, at the beginning of a buffer that is used again. */
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #buffered = 0;
  #writing: Promise<unknown> = Promise.resolve();

  static async create(path: string): Promise<OpenPart> {
    return new OpenPart(await open(path, 'w'));
  }

  private constructor(file: FileHandle) {
    this.#file = file;
    this.#compressor.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      this.#hash.update(chunk);
      this.#writing = this.#writing.then(() => file.writeFile(chunk));
      // The error is thrown where the part ends.
      this.#writing.catch(() => {});
    });
  }

  async write(pieces: readonly Buffer[], orphans: number): Promise<void> {
    this.#orphans += orphans;
    for (const piece of pieces) {
      this.#textBytes += piece.length;
      for (let at = 0; at < piece.length; ) {
        const copied = piece.copy(this.#buffer, this.#buffered, at);
        at += copied;
        this.#buffered += copied;
        if (this.#buffered === BUFFER_BYTES) await this.#compress();
      }
    }
  }

  async isFull(): Promise<boolean> {
    if (this.#textBytes - this.#checkedAt < CHECK_TEXT_BYTES) return false;
    this.#checkedAt = this.#textBytes;
    await this.#compress();
    await new Promise<void>((resolve) => this.#compressor.flush(resolve));
    return this.#bytes >= MAX_BYTES || this.#textBytes >= MAX_TEXT_BYTES;
  }

  async end(): Promise<Pick<WrittenPart, 'orphans' | 'bytes' | 'text_bytes' | 'sha256'>> {
    try {
      await this.#compress();
      this.#compressor.end();
      await once(this.#compressor, 'end');
      await this.#writing;
      await this.#file.sync();
    } finally {
      await this.#file.close();
    }
    const sha256 = this.#hash.digest('hex');
    return { orphans: this.#orphans, bytes: this.#bytes, text_bytes: this.#textBytes, sha256 };
  }

  async discard(): Promise<void> {
    this.#compressor.destroy();
    await this.#writing.catch(() => {});
    await this.#file.close();
  }

  async #compress(): Promise<void> {
    const text = this.#buffer.subarray(0, this.#buffered);
    this.#buffered = 0;
    // Waits for the disk, so that compressed bytes do not accumulate in memory.
    await this.#writing;
    await new Promise<void>((resolve, reject) => {
      this.#compressor.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }
}
