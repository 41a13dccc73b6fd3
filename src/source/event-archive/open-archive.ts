// Opens an event archive, a path or `-` for standard input, as a stream of decompressed bytes. Supports gzip, zstd and
// plain text.
import { createReadStream, type Stats, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { type FailureError, stop } from '#model/failure.ts';
import { adviseOnUrl } from '#text/command-line.ts';
import { ChunkReader } from './chunk-reader.ts';
import { CHUNK_BYTES, compressionOf, decompress, FRAME_HEAD_BYTES, NO_FRAME_LIMITS } from './decompress.ts';
import { type Compression, STDIN_NAME } from './other-formats.ts';

export interface OpenArchive {
  readonly name: string;
  /** Undefined for plain text. */
  readonly compression: Compression | undefined;
  /** True for a stream that can be read only once: standard input or a pipe. */
  readonly once: boolean;
  /** The size of the file, which may be compressed; undefined for a stream. */
  readonly totalBytes: number | undefined;
  readBytes(): number;
  /**
   * The decompressed bytes. If compressed data is damaged, yields the bytes before the damage, then throws
   * FailureError.
   */
  readonly chunks: ChunkReader;
  /** Closes the file, even if its chunks were never read. */
  close(): void;
}

const STDIN = '-';

export function archiveName(path: string): string {
  return path === STDIN ? STDIN_NAME : path;
}

/** Throws FailureError `archive-unreadable` if the path does not exist or is a folder. */
export function checkArchiveExists(path: string): void {
  if (path !== STDIN) fileStats(path);
}

/** False for standard input and for pipes, which can be read only once. */
export function isFile(path: string): boolean {
  return path !== STDIN && fileStats(path).isFile();
}

/** Opens an archive. `start` is an offset in a plain file; a compressed file must be read from the beginning. */
export async function openArchive(path: string, start = 0, limits = NO_FRAME_LIMITS): Promise<OpenArchive> {
  const name = archiveName(path);
  const once = !isFile(path);
  const file: Readable =
    path === STDIN
      ? process.stdin
      : createReadStream(path, { highWaterMark: CHUNK_BYTES, ...(start > 0 ? { start } : {}) });
  const input = new ChunkReader(chunksOf(file, name), start);
  const compression = start > 0 ? undefined : compressionOf(await input.peek(FRAME_HEAD_BYTES));
  return {
    name,
    compression,
    once,
    totalBytes: once ? undefined : fileStats(path).size,
    readBytes: () => input.offset,
    chunks: compression === undefined ? input : new ChunkReader(decompress(input, name, limits)),
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

async function* chunksOf(file: Readable, name: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file) yield chunk as Buffer;
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, error: unknown): FailureError {
  if (!(error instanceof Error) || !('code' in error)) return error as FailureError;
  const reason =
    error.code === 'ENOENT' ? 'there is no such file' : error.code === 'EACCES' ? 'permission denied' : error.message;
  return stop('archive-unreadable', adviseOnUrl(name) ?? `${name} cannot be read: ${reason}.`, error);
}
