// Writes lines to the parts of a seed: compressed files whose names have their hashes.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib';
import { seedPartName } from '#layout/data-files.ts';
import type { SeedPart } from '#layout/seed-manifest.ts';
import { type BlockHead, MAX_RUN } from '#source/observer/block-run.ts';
import { formatRun } from '#source/seed/seed-line.ts';

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

/** A part without its hash, which depends on the parts before it. */
export type WrittenPart = Omit<SeedPart, 'hash'>;

/** A block without content, or the line of another block or of microblocks. */
export interface SeedLine {
  readonly head: BlockHead;
  /** The line with its newline; undefined for a block without content. */
  readonly text: Buffer | undefined;
}

/** Writes the parts of a seed one after another. Consecutive blocks without content share a line. */
export class PartWriter {
  readonly #folder: string;
  readonly #temporary: string;
  readonly #isFinal: boolean;
  readonly parts: WrittenPart[] = [];
  /** The blocks of the current part. */
  blocks = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = 0;
  #lastHash = '';
  /** Blocks without content, which the next block continues or ends. */
  #run: BlockHead[] = [];
  #open: OpenPart | undefined;

  /** `name`: the name of the file until its part ends. */
  constructor(folder: string, name: string, isFinal: boolean) {
    this.#folder = folder;
    this.#temporary = join(folder, name);
    this.#isFinal = isFinal;
  }

  async write({ head, text }: SeedLine): Promise<void> {
    const { height, indexBlockHash, parentIndexBlockHash } = head;
    const before = this.#run.at(-1);
    const isNext = before?.indexBlockHash === parentIndexBlockHash && before.height + 1 === height;
    if (text !== undefined || !isNext || this.#run.length === MAX_RUN) await this.#endRun();
    if (text === undefined) this.#run.push(head);
    else await this.#writeText(text);
    // Microblocks have no height.
    if (height < 0) return;
    this.blocks++;
    this.#first = Math.min(this.#first, height);
    this.#last = Math.max(this.#last, height);
    this.#lastHash = indexBlockHash;
  }

  /** Ends the current part if it is large enough. */
  async endIfFull(): Promise<void> {
    if ((await this.#open?.isFull()) === true) await this.end();
  }

  /** Ends the current part. Does nothing without a block. */
  async end(): Promise<void> {
    if (this.blocks === 0) return;
    await this.#endRun();
    const ended = await (this.#open as OpenPart).end();
    const [first, last, blocks] = [this.#first, this.#last, this.blocks];
    const file = seedPartName(first, last, ended.sha256);
    await rename(this.#temporary, join(this.#folder, file));
    this.parts.push({ file, first, last, index_block_hash: this.#lastHash, is_final: this.#isFinal, blocks, ...ended });
    this.#open = undefined;
    [this.blocks, this.#first, this.#last] = [0, Number.POSITIVE_INFINITY, 0];
  }

  /** Removes an unfinished part. */
  async discard(): Promise<void> {
    await this.#open?.discard();
    await rm(this.#temporary, { force: true });
  }

  async #endRun(): Promise<void> {
    const [first, ...rest] = this.#run;
    this.#run = [];
    if (first !== undefined) await this.#writeText(formatRun([first, ...rest]));
  }

  async #writeText(text: Buffer): Promise<void> {
    this.#open ??= await OpenPart.create(this.#temporary);
    await this.#open.write(text);
  }
}

class OpenPart {
  readonly #file: FileHandle;
  readonly #compressor: ZstdCompress = createZstdCompress({ params: COMPRESSION, chunkSize: 1 << 17 });
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #textBytes = 0;
  #checkedAt = 0;
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

  async write(text: Buffer): Promise<void> {
    this.#textBytes += text.length;
    for (let at = 0; at < text.length; ) {
      const copied = text.copy(this.#buffer, this.#buffered, at);
      at += copied;
      this.#buffered += copied;
      if (this.#buffered === BUFFER_BYTES) await this.#compress();
    }
  }

  async isFull(): Promise<boolean> {
    if (this.#textBytes - this.#checkedAt < CHECK_TEXT_BYTES) return false;
    this.#checkedAt = this.#textBytes;
    await this.#compress();
    await new Promise<void>((resolve) => this.#compressor.flush(resolve));
    return this.#bytes >= MAX_BYTES || this.#textBytes >= MAX_TEXT_BYTES;
  }

  async end(): Promise<Pick<WrittenPart, 'bytes' | 'text_bytes' | 'sha256'>> {
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
    return { bytes: this.#bytes, text_bytes: this.#textBytes, sha256 };
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
