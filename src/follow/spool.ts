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
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { makeFolder, syncNames, writeAtomically } from '#files/write-atomically.ts';

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

export type Spool = Awaited<ReturnType<typeof openSpool>>;

/** Goes on where it was left: what is behind the last whole line was never acknowledged. */
export async function openSpool({ folder, maxFileBytes, now = () => new Date() }: SpoolOptions) {
  await makeFolder(folder);
  removeHalf(folder);
  const last = spoolFiles(folder).at(-1);
  const isPlain = last !== undefined && !last.endsWith('.zst');
  /** `size`: bytes of the file, up to the last line that counts. */
  let { size, lastId } = isPlain ? cutToLines(join(folder, last)) : { size: 0, lastId: 0 };
  if (isPlain && size === 0) rmSync(join(folder, last));
  let number = Number(NAME.exec(last ?? '')?.[1] ?? 0) + (isPlain ? 0 : 1);
  /** Begun with its first line: an archive is never empty. */
  let file: FileHandle | undefined;
  let written = 0;
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  return {
    folder,
    /** Bytes of all lines since it was opened. */
    get written() {
      return written;
    },
    /** Resolves when it is on the disk. What throws is not in the spool. */
    append(path: string, body: Body): Promise<void> {
      const line = { path, body, ...Promise.withResolvers<void>() };
      waiting.push(line);
      writing ??= write();
      return line.promise;
    },
    async close(): Promise<void> {
      await writing;
      await file?.close();
    },
  };

  /** Payloads that came while the last ones were written are brought to the disk together. */
  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting.splice(0);
      let opened: FileHandle | undefined;
      try {
        opened = await openFile();
        for (const { path, body } of lines) await writeLine(opened, path, body);
        await opened.datasync();
        const { size: whole } = await opened.stat();
        written += whole - size;
        size = whole;
        for (const { resolve } of lines) resolve();
      } catch (error) {
        // Half a line goes now, to make room, or when the file is opened again.
        await opened?.truncate(size).catch(() => {});
        await file?.close().catch(() => {});
        file = undefined;
        for (const { reject } of lines) reject(error);
      }
    }
    // At once: whoever comes next begins anew.
    writing = undefined;
  }

  async function writeLine(to: FileHandle, path: string, body: Body): Promise<void> {
    const head = Buffer.from(`${++lastId}\t${now().toISOString()}\t${path}\t`);
    if (Buffer.isBuffer(body)) return to.writeFile(Buffer.concat([head, body, Buffer.of(NEWLINE)]));
    await to.writeFile(head);
    await to.writeFile(createReadStream(body.file, { highWaterMark: PIECE_BYTES }));
    await to.writeFile('\n');
  }

  /** The file for the next lines: another one once it is full. */
  async function openFile(): Promise<FileHandle> {
    if (size >= maxFileBytes) {
      await file?.close();
      file = undefined;
      number++;
      size = 0;
    }
    if (file === undefined) {
      file = await open(join(folder, `events-${String(number).padStart(8, '0')}.tsv`), 'a');
      await file.truncate(size);
      // A new file is there after a power cut, too.
      await syncNames(folder);
    }
    return file;
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
    writeAtomically(`${path}.zst`, compressed, { temporaryPath: `${path}.zst.part`, isDurable: true });
  await pipeline(createReadStream(path), createZstdCompress(), write, { signal });
  // After a power cut, the original or the compressed file exists.
  await syncNames(dirname(path));
  rmSync(path);
}
