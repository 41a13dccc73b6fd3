// The spool: what a node has sent, as an event archive that index runs replay. A line counts once it is on the disk.

import {
  closeSync,
  createReadStream,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { syncNames, writeWhole } from '#files/write-whole.ts';

/** The body of a request: in memory, or in a file where it is long. It has no newline. */
export type Body = Buffer | { readonly file: string };

interface SpoolOptions {
  readonly folder: string;
  /** A file that has more is closed, and another begun. */
  readonly maxFileBytes: number;
  readonly now?: () => Date;
}

const NAME = /^events-(\d{8})\.tsv(\.zst)?$/;
const NEWLINE = 0x0a;
const PIECE_BYTES = 1 << 20;

type Waiting = { readonly path: string; readonly body: Body } & PromiseWithResolvers<void>;

/** Names of the files of a spool, the oldest first. */
export function spoolFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .toSorted();
}

export class Spool {
  readonly #options: SpoolOptions;
  /** Begun with its first line: an archive is never empty. */
  #file: FileHandle | undefined;
  #number: number;
  /** Bytes of the file, up to the last line that counts. */
  #size: number;
  #lastId: number;
  readonly #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  readonly folder: string;
  /** Bytes of all lines since it was opened. */
  written = 0;

  private constructor(options: SpoolOptions, number: number, { size, lastId }: { size: number; lastId: number }) {
    this.#options = options;
    this.folder = options.folder;
    this.#number = number;
    this.#size = size;
    this.#lastId = lastId;
  }

  /** Goes on where it was left: what is behind the last whole line was never acknowledged. */
  static async open(options: SpoolOptions): Promise<Spool> {
    const { folder } = options;
    await mkdir(folder, { recursive: true });
    removeHalf(folder);
    const last = spoolFiles(folder).at(-1);
    const isPlain = last !== undefined && !last.endsWith('.zst');
    const end = isPlain ? cutToLines(join(folder, last)) : { size: 0, lastId: 0 };
    if (isPlain && end.size === 0) rmSync(join(folder, last));
    const number = Number(NAME.exec(last ?? '')?.[1] ?? 0);
    return new Spool(options, number + (isPlain ? 0 : 1), end);
  }

  /** Resolves when it is on the disk. What throws is not in the spool. */
  append(path: string, body: Body): Promise<void> {
    const line = { path, body, ...Promise.withResolvers<void>() };
    this.#waiting.push(line);
    this.#writing ??= this.#write();
    return line.promise;
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file?.close();
  }

  /** Payloads that came while the last ones were written are brought to the disk together. */
  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.splice(0);
      let file: FileHandle | undefined;
      try {
        file = await this.#openFile();
        for (const { path, body } of lines) await this.#writeLine(file, path, body);
        await file.datasync();
        const { size } = await file.stat();
        this.written += size - this.#size;
        this.#size = size;
        for (const { resolve } of lines) resolve();
      } catch (error) {
        // Half a line goes now, to make room, or when the file is opened again.
        await file?.truncate(this.#size).catch(() => {});
        await this.#file?.close().catch(() => {});
        this.#file = undefined;
        for (const { reject } of lines) reject(error);
      }
    }
    // At once: whoever comes next begins anew.
    this.#writing = undefined;
  }

  async #writeLine(file: FileHandle, path: string, body: Body): Promise<void> {
    const time = (this.#options.now?.() ?? new Date()).toISOString();
    const head = Buffer.from(`${++this.#lastId}\t${time}\t${path}\t`);
    if (Buffer.isBuffer(body)) return file.writeFile(Buffer.concat([head, body, Buffer.of(NEWLINE)]));
    await file.writeFile(head);
    await file.writeFile(createReadStream(body.file, { highWaterMark: PIECE_BYTES }));
    await file.writeFile('\n');
  }

  /** The file for the next lines: another one once it is full. */
  async #openFile(): Promise<FileHandle> {
    if (this.#size >= this.#options.maxFileBytes) {
      await this.#file?.close();
      this.#file = undefined;
      this.#number++;
      this.#size = 0;
    }
    if (this.#file === undefined) {
      this.#file = await open(join(this.folder, `events-${String(this.#number).padStart(8, '0')}.tsv`), 'a');
      await this.#file.truncate(this.#size);
      // A new file is there after a power cut, too.
      await syncNames(this.folder);
    }
    return this.#file;
  }
}

/** Compressing was cut short: before the compressed file was whole, or before the other one was removed. */
function removeHalf(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.zst.part')) rmSync(join(folder, name));
    else if (name.endsWith('.zst')) rmSync(join(folder, name.slice(0, -'.zst'.length)), { force: true });
  }
}

function cutToLines(path: string): { size: number; lastId: number } {
  const file = openSync(path, 'r+');
  try {
    const all = statSync(path).size;
    const size = lastNewlineBefore(file, all) + 1;
    if (size < all) {
      ftruncateSync(file, size);
      fdatasyncSync(file);
    }
    const start = lastNewlineBefore(file, size - 1) + 1;
    const head = Buffer.alloc(32);
    const read = size === 0 ? 0 : readSync(file, head, 0, head.length, start);
    return { size, lastId: Number(/^\d+/.exec(head.toString('latin1', 0, read))?.[0] ?? 0) };
  } finally {
    closeSync(file);
  }
}

/** -1 if there is none. */
function lastNewlineBefore(file: number, end: number): number {
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let to = end; to > 0; ) {
    const from = Math.max(0, to - piece.length);
    const read = readSync(file, piece, 0, to - from, from);
    const at = piece.subarray(0, read).lastIndexOf(NEWLINE);
    if (at !== -1) return from + at;
    to = from;
  }
  return -1;
}

export async function compressFile(path: string, signal: AbortSignal): Promise<void> {
  const write = (compressed: AsyncIterable<Uint8Array>) =>
    writeWhole(`${path}.zst`, compressed, { beside: `${path}.zst.part`, isDurable: true });
  await pipeline(createReadStream(path), createZstdCompress(), write, { signal });
  rmSync(path);
}
