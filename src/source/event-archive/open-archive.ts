// Opens an event archive, a path or `-` for standard input, as a stream of decompressed bytes: plain, gzip or zstd, told by its first bytes.
import { createReadStream, type Stats, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { type FailureError, stop } from '#model/failure.ts';

export interface OpenArchive {
  /** As the user named it. */
  readonly name: string;
  readonly compressed: boolean;
  /** Whether it is a stream that can be read only once: standard input or a pipe. */
  readonly once: boolean;
  /** Size of the file in bytes, compressed as it is; undefined for standard input. */
  readonly totalBytes: number | undefined;
  /** Bytes taken from the file so far. */
  readBytes(): number;
  /** Decompressed bytes. Throws FailureError for a broken compression, after the bytes before the break. */
  readonly chunks: AsyncGenerator<Buffer>;
  /** Closes the file, whether or not its chunks were begun. */
  close(): void;
}

const STDIN = '-';
const CHUNK_BYTES = 1 << 18;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** What messages call an archive. */
export function archiveName(path: string): string {
  return path === STDIN ? 'standard input' : path;
}

/** Throws FailureError `archive-unreadable` for a path with no file. */
export function checkArchiveExists(path: string): void {
  if (path !== STDIN) fileStats(path);
}

/** `start` skips bytes of a plain file; a compressed one has to be read from its beginning. */
export async function openArchive(path: string, start = 0): Promise<OpenArchive> {
  const name = archiveName(path);
  const stats = path === STDIN ? undefined : fileStats(path);
  const once = stats?.isFile() !== true;
  const file: Readable =
    path === STDIN
      ? process.stdin
      : createReadStream(path, { highWaterMark: CHUNK_BYTES, ...(start > 0 ? { start } : {}) });
  const counter = { bytes: start };
  const raw = countedChunks(file, name, counter);
  const first = start > 0 ? undefined : await firstChunk(raw);
  const compression = first === undefined ? undefined : compressionOf(first);
  const chunks =
    compression === undefined
      ? concat(first, raw)
      : decompress(
          concat(first, raw),
          () =>
            compression === 'gzip'
              ? createGunzip({ chunkSize: CHUNK_BYTES })
              : createZstdDecompress({ chunkSize: CHUNK_BYTES }),
          name,
        );
  return {
    name,
    compressed: compression !== undefined,
    once,
    totalBytes: once ? undefined : stats?.size,
    readBytes: () => counter.bytes,
    chunks,
    close: () => void file.destroy(),
  };
}

function fileStats(path: string): Stats {
  try {
    const stats = statSync(path);
    if (stats.isDirectory())
      throw stop(
        'archive-unreadable',
        `${path} is a folder; --archive takes an event archive file, or - for standard input.`,
      );
    return stats;
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function* countedChunks(file: Readable, name: string, counter: { bytes: number }): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file) {
      counter.bytes += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** The first chunk, at least as long as the longest magic number unless the file is shorter. */
async function firstChunk(raw: AsyncGenerator<Buffer>): Promise<Buffer> {
  let first = Buffer.alloc(0);
  while (first.length < ZSTD_MAGIC.length) {
    const next = await raw.next();
    if (next.done) break;
    first = Buffer.concat([first, next.value]);
  }
  return first;
}

function compressionOf(first: Buffer): 'gzip' | 'zstd' | undefined {
  if (first.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return 'gzip';
  return first.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC) ? 'zstd' : undefined;
}

async function* concat(first: Buffer | undefined, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first !== undefined && first.length > 0) yield first;
  yield* rest;
}

/** Decompresses frame after frame: Node's gunzip goes on behind a member, its zstd decompressor ends with the first frame. */
async function* decompress(
  compressed: AsyncGenerator<Buffer>,
  create: () => ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>,
  name: string,
): AsyncGenerator<Buffer> {
  let decompressedBytes = 0;
  let left: Buffer = Buffer.alloc(0);
  let sourceError: unknown;
  const nextChunk = async (): Promise<Buffer | undefined> => {
    try {
      const next = await compressed.next();
      return next.done ? undefined : next.value;
    } catch (error) {
      sourceError = error;
      throw error;
    }
  };
  for (;;) {
    const first = left.length > 0 ? left : await nextChunk();
    if (first === undefined) return;
    const decompressor = create();
    let unread = Buffer.alloc(0) as Buffer;
    let fedBytes = 0;
    const feed = async () => {
      try {
        for (let chunk: Buffer | undefined = first; chunk !== undefined; chunk = await nextChunk()) {
          if (decompressor.destroyed) return;
          fedBytes += chunk.length;
          await written(decompressor, chunk);
          const unreadBytes = fedBytes - decompressor.bytesWritten;
          if (unreadBytes > 0) {
            unread = chunk.subarray(chunk.length - unreadBytes);
            return;
          }
        }
        decompressor.end();
      } catch (error) {
        decompressor.destroy(error as Error);
      }
    };
    const feeding = feed();
    try {
      for await (const chunk of decompressor) {
        decompressedBytes += (chunk as Buffer).length;
        yield chunk as Buffer;
      }
      await feeding;
    } catch (error) {
      if (sourceError !== undefined) throw sourceError;
      throw stop(
        'archive-compressed-data-broken',
        `${name} is cut off or damaged: decompressing stopped after ${decompressedBytes} decompressed bytes (${(error as Error).message}). ${decompressedBytes > 0 ? 'What came before is indexed; run' : 'Run'} again with the whole file.`,
        error,
      );
    } finally {
      decompressor.destroy();
    }
    left = unread;
  }
}

/** Resolves when the chunk was taken, or when nothing will be read any more. */
function written(stream: Writable, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('close', done);
      resolve();
    };
    stream.on('close', done);
    stream.write(chunk, done);
  });
}

function unreadable(name: string, error: unknown): FailureError {
  if (!(error instanceof Error) || !('code' in error)) return error as FailureError;
  const reason =
    error.code === 'ENOENT' ? 'there is no such file' : error.code === 'EACCES' ? 'permission denied' : error.message;
  return stop('archive-unreadable', `${name} cannot be read: ${reason}.`, error);
}
