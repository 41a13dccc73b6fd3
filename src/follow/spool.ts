// Writes the spool: the payloads of a node as an event archive for index runs. A line is acknowledged once it is on disk.

import {
  closeSync,
  createReadStream,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { makeFolder, syncNames, writeAtomically } from '#files/write-atomically.ts';
import { FailureError } from '#model/failure.ts';
import { openArchive } from '#source/event-archive/open-archive.ts';

interface SpoolOptions {
  readonly folder: string;
  /** The size after which a file is closed and a new one begins. */
  readonly maxFileBytes: number;
  readonly now?: () => Date;
}

const NAME = /^events-(\d{8})\.tsv(\.zst)?$/;
const PART_NAME = /^events-\d{8}\.tsv\.zst\.part$/;
const NEWLINE = 0x0a;
const CHUNK_BYTES = 1 << 20;

type Waiting = { readonly path: string; readonly body: Buffer } & PromiseWithResolvers<void>;

/** Returns the names of the files of a spool, the oldest first. */
export function spoolFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .toSorted();
}

export type Spool = Awaited<ReturnType<typeof openSpool>>;

/** Opens a spool to continue it. Cuts off an incomplete last line, which was never acknowledged. */
export async function openSpool({ folder, maxFileBytes, now = () => new Date() }: SpoolOptions) {
  await makeFolder(folder);
  await removeLeftovers(folder);
  const last = spoolFiles(folder).at(-1);
  const isPlain = last !== undefined && !last.endsWith('.zst');
  /** `size`: the size of the file up to the last acknowledged line. */
  let { size, lastId } = isPlain ? cutToLines(join(folder, last)) : { size: 0, lastId: 0 };
  if (isPlain && size === 0) rmSync(join(folder, last));
  let number = numberOf(last) + (isPlain ? 0 : 1);
  /** The open file; undefined until the first line, since an archive must not be empty. */
  let file: FileHandle | undefined;
  let written = 0;
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  return {
    folder,
    /** The number of bytes written since the spool was opened. */
    get written() {
      return written;
    },
    /** The name of the file that receives the next lines. Other files do not change. */
    get current() {
      return nameOf(number);
    },
    /**
     * Appends a line, and resolves when it is on the disk. If it throws, the line is not in the spool. `body` must not
     * have newlines.
     */
    append(path: string, body: Buffer): Promise<void> {
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

  /** Writes the waiting lines together, then the lines that arrived during the write. Flushes each group once. */
  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting.splice(0);
      let opened: FileHandle | undefined;
      try {
        opened = await openFile();
        for (const { path, body } of lines) await writeLine(opened, path, body);
        await opened.datasync();
        const { size: newSize } = await opened.stat();
        written += newSize - size;
        size = newSize;
        for (const { resolve } of lines) resolve();
      } catch (error) {
        // Cuts off the incomplete line. If that fails, it is cut off when the spool is opened again.
        await opened?.truncate(size).catch(() => {});
        await file?.close().catch(() => {});
        file = undefined;
        for (const { reject } of lines) reject(error);
      }
    }
    // Runs without an `await` after the last check of `waiting`, so that the next append starts a new writer.
    writing = undefined;
  }

  async function writeLine(to: FileHandle, path: string, body: Buffer): Promise<void> {
    await to.writeFile(`${++lastId}\t${now().toISOString()}\t${path}\t`);
    await to.writeFile(body);
    await to.writeFile('\n');
  }

  /** Returns the file for the next lines; begins a new file if the current one is full. */
  async function openFile(): Promise<FileHandle> {
    if (size >= maxFileBytes) {
      await file?.close();
      file = undefined;
      number++;
      size = 0;
    }
    if (file === undefined) {
      file = await open(join(folder, nameOf(number)), 'a');
      await file.truncate(size);
      // Flushes the name of the new file, so that it survives a power cut.
      await syncNames(folder);
    }
    return file;
  }
}

function nameOf(number: number): string {
  return `events-${String(number).padStart(8, '0')}.tsv`;
}

function numberOf(name: string | undefined): number {
  return Number(NAME.exec(name ?? '')?.[1] ?? 0);
}

/**
 * Removes the leftovers of an interrupted run: files of gaps, a partial compressed file, or the original file. If the
 * compressed file lacks lines of the original file, the original file becomes the newest one: lines may occur twice.
 */
async function removeLeftovers(folder: string): Promise<void> {
  rmSync(join(folder, 'incoming'), { recursive: true, force: true });
  for (const name of readdirSync(folder)) if (PART_NAME.test(name)) rmSync(join(folder, name));
  const files = spoolFiles(folder);
  for (const name of files) {
    const path = join(folder, name);
    if (!files.includes(`${name}.zst`) || (await removeCompressed(path))) continue;
    renameSync(path, join(folder, nameOf(numberOf(spoolFiles(folder).at(-1)) + 1)));
  }
  await syncNames(folder);
}

/** Removes a file whose compressed form has all of its content. Returns false if it does not. */
async function removeCompressed(path: string): Promise<boolean> {
  let bytes = 0;
  try {
    for await (const chunk of (await openArchive(`${path}.zst`)).chunks) bytes += chunk.length;
  } catch (error) {
    if (error instanceof FailureError) return false;
    throw error;
  }
  if (bytes !== statSync(path).size) return false;
  rmSync(path);
  return true;
}

/** Cuts off an incomplete last line. Returns the size of the file, and the id of the last line. */
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

/** Returns the position of the last newline before `end`; -1 if there is no newline. */
function lastNewlineBefore(file: number, end: number): number {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let to = end; to > 0; ) {
    const from = Math.max(0, to - chunk.length);
    const read = readSync(file, chunk, 0, to - from, from);
    const at = chunk.subarray(0, read).lastIndexOf(NEWLINE);
    if (at !== -1) return from + at;
    to = from;
  }
  return -1;
}

/** Replaces a file by its compressed form. Returns false if there already is one, with other content. */
export async function compressFile(path: string, signal: AbortSignal): Promise<boolean> {
  if (existsSync(`${path}.zst`)) return removeCompressed(path);
  const write = (compressed: AsyncIterable<Uint8Array>) =>
    writeAtomically(`${path}.zst`, compressed, { temporaryPath: `${path}.zst.part`, isDurable: true });
  await pipeline(createReadStream(path), createZstdCompress(), write, { signal });
  // Flushes the new name first, so that a power cut cannot lose both files.
  await syncNames(dirname(path));
  return removeCompressed(path);
}
