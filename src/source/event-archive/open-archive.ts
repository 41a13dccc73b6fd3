// Opens an event archive, a path or `-` for standard input, as a stream of decompressed bytes. Supports gzip, zstd and
// plain text.
import { createReadStream, type Stats, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib';
import { FailureError, stop } from '#model/failure.ts';

export interface OpenArchive {
  readonly name: string;
  readonly compressed: boolean;
  /** True for a stream that can be read only once: standard input or a pipe. */
  readonly once: boolean;
  /** The size of the file, which may be compressed; undefined for a stream. */
  readonly totalBytes: number | undefined;
  readBytes(): number;
  /**
   * The decompressed bytes. If compressed data is damaged, yields the bytes before the damage, then throws
   * FailureError.
   */
  readonly chunks: AsyncGenerator<Buffer>;
  /** Closes the file, even if its chunks were never read. */
  close(): void;
}

const STDIN = '-';
const CHUNK_BYTES = 1 << 18;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
export const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

export function archiveName(path: string): string {
  return path === STDIN ? 'standard input' : path;
}

/** Throws FailureError `archive-unreadable` if the path does not exist or is a folder. */
export function checkArchiveExists(path: string): void {
  if (path !== STDIN) fileStats(path);
}

/** False for standard input and for pipes, which can be read only once. */
export function isFile(path: string): boolean {
  return path !== STDIN && fileStats(path).isFile();
}

/**
 * Opens an archive. `start` is an offset in a plain file; a compressed file must be read from the beginning. `maxFrames`
 * is the maximum number of frames of a compressed file: a frame may be empty, and each takes time.
 */
export async function openArchive(path: string, start = 0, maxFrames = Number.POSITIVE_INFINITY): Promise<OpenArchive> {
  const name = archiveName(path);
  const once = !isFile(path);
  const file: Readable =
    path === STDIN
      ? process.stdin
      : createReadStream(path, { highWaterMark: CHUNK_BYTES, ...(start > 0 ? { start } : {}) });
  const counter = { bytes: start };
  const raw = countedChunks(file, name, counter);
  const { bytes, chunks } = await readBeginning(raw, start > 0 ? 0 : ZSTD_MAGIC.length);
  const createDecompressor = decompressorFor(bytes);
  return {
    name,
    compressed: createDecompressor !== undefined,
    once,
    totalBytes: once ? undefined : fileStats(path).size,
    readBytes: () => counter.bytes,
    chunks: createDecompressor === undefined ? chunks : decompress(chunks, createDecompressor, name, maxFrames),
    close: () => void file.destroy(),
  };
}

function fileStats(path: string): Stats {
  try {
    const stats = statSync(path);
    if (stats.isDirectory())
      throw stop(
        'archive-unreadable',
        `${path} is a folder. Pass an event archive file to --archive, or - for standard input.`,
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

function decompressorFor(first: Buffer): (() => Gunzip | ZstdDecompress) | undefined {
  const options = { chunkSize: CHUNK_BYTES };
  if (first.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return () => createGunzip(options);
  if (first.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC)) return () => createZstdDecompress(options);
  return undefined;
}

/**
 * Decompresses all frames of a file. Starts a new decompressor for each frame, since Node's zstd stops after the first
 * frame.
 */
async function* decompress(
  compressed: AsyncGenerator<Buffer>,
  create: () => Gunzip | ZstdDecompress,
  name: string,
  maxFrames: number,
) {
  let [decompressedBytes, frames] = [0, 0];
  let first = await nextChunk(compressed);
  while (first !== undefined) {
    if (++frames > maxFrames)
      throw stop('archive-compressed-data-broken', `${name} has data after its compressed data. The file is damaged.`);
    const decompressor = create();
    const writing = writeFrame(decompressor, first, compressed).catch((error: Error) => {
      decompressor.destroy(error);
      return undefined;
    });
    try {
      for await (const chunk of decompressor) {
        decompressedBytes += (chunk as Buffer).length;
        yield chunk as Buffer;
      }
    } catch (error) {
      if (error instanceof FailureError) throw error;
      throw stop(
        'archive-compressed-data-broken',
        `${name} is truncated or damaged: decompression stopped after ${decompressedBytes} decompressed bytes ` +
          `(${(error as Error).message}). ` +
          `${decompressedBytes > 0 ? 'The data before is indexed. ' : ''}Run again with the complete file.`,
        error,
      );
    } finally {
      decompressor.destroy();
    }
    first = (await writing) ?? (await nextChunk(compressed));
  }
}

/** Writes chunks to a decompressor until its frame ends. Returns the bytes of the last chunk that follow the frame. */
async function writeFrame(decompressor: Gunzip | ZstdDecompress, first: Buffer, rest: AsyncGenerator<Buffer>) {
  let writtenBytes = 0;
  for (let chunk: Buffer | undefined = first; chunk !== undefined; chunk = await nextChunk(rest)) {
    if (decompressor.destroyed) return undefined;
    writtenBytes += chunk.length;
    await writeChunk(decompressor, chunk);
    const unread = writtenBytes - decompressor.bytesWritten;
    if (unread > 0) return chunk.subarray(chunk.length - unread);
  }
  decompressor.end();
  return undefined;
}

/** Resolves when the chunk was accepted, or when the stream was closed. */
function writeChunk(stream: Writable, chunk: Buffer): Promise<void> {
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

/** Returns the next chunk; undefined at the end. */
export async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  const next = await chunks.next();
  return next.done === true ? undefined : next.value;
}

/** Yields `first` unless it is empty, and then the chunks of `rest`. */
export async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* rest;
}

/**
 * Reads at least `minBytes` bytes, unless the stream is shorter. Returns these bytes, and a stream that begins with
 * them. If the stream fails, the new stream yields the bytes read before it throws.
 */
export async function readBeginning(chunks: AsyncGenerator<Buffer>, minBytes: number) {
  const parts: Buffer[] = [];
  let length = 0;
  let streamError: { readonly error: unknown } | undefined;
  try {
    while (length < minBytes) {
      const chunk = await nextChunk(chunks);
      if (chunk === undefined) break;
      parts.push(chunk);
      length += chunk.length;
    }
  } catch (error) {
    if (length === 0) throw error;
    streamError = { error };
  }
  async function* rest(): AsyncGenerator<Buffer> {
    if (streamError !== undefined) throw streamError.error;
    yield* chunks;
  }
  const bytes = Buffer.concat(parts);
  return { bytes, chunks: startingWith(bytes, rest()) };
}
