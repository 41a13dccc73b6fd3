// Decompresses a file of gzip members and zstd frames to their content.
import type { Writable } from 'node:stream';
import { constants, createInflateRaw, createZstdDecompress, type InflateRaw, type ZstdDecompress } from 'node:zlib';
import { FailureError, stop } from '#model/failure.ts';
import { formatBytes, formatCount } from '#text/format-count.ts';
import { type ChunkReader, nextChunk } from './chunk-reader.ts';
import { GZIP_MAGIC, GzipSum, readGzipHeader } from './gzip-member.ts';
import { type Compression, DECOMPRESS, howToConvert } from './other-formats.ts';
import { dictionaryId, FRAME_MAGICS, ZstdFrame } from './zstd-frame.ts';

type Decompressor = InflateRaw | ZstdDecompress;

/** Limits of compressed data. */
export interface FrameLimits {
  /** The maximum number of frames: a frame may be empty, and each takes time. */
  readonly frames: number;
  /** The base-2 logarithm of the largest window of zstd, which takes so many bytes of memory. */
  readonly windowLog: number;
}

/** For a file that the operator names: the largest window that zstd has. */
export const NO_FRAME_LIMITS: FrameLimits = { frames: Number.POSITIVE_INFINITY, windowLog: 31 };
/** For a part of a seed, which others write: one frame, with the largest window that zstd reads by default. */
export const SEED_FRAME_LIMITS: FrameLimits = { frames: 1, windowLog: 27 };
export const CHUNK_BYTES = 1 << 18;
/** The bytes of a frame that tell its compression and its dictionary. */
export const FRAME_HEAD_BYTES = 10;

/** Returns the compression of the frame with these first bytes, which may be cut off; undefined for other data. */
export function compressionOf(head: Buffer): Compression | undefined {
  const isLike = (magic: Buffer) => {
    const length = Math.min(head.length, magic.length);
    return length > 0 && head.compare(magic, 0, length, 0, length) === 0;
  };
  if (isLike(GZIP_MAGIC)) return 'gzip';
  return FRAME_MAGICS.some(isLike) ? 'zstd' : undefined;
}

/**
 * Yields the content of all frames. Ignores NUL bytes after a frame, which tapes and disk images add. Throws
 * FailureError after the content before damaged data, or before a frame that cannot be read.
 */
export async function* decompress(input: ChunkReader, name: string, limits: FrameLimits): AsyncGenerator<Buffer> {
  let decompressedBytes = 0;
  let before: Compression = 'gzip';
  for (let frames = 1; await skipPadding(input); frames++) {
    // Starts a new decompressor for each frame, since Node's zstd stops after the first frame.
    const head = await input.peek(FRAME_HEAD_BYTES);
    const compression = compressionOf(head);
    if (frames > limits.frames)
      throw stop('archive-compressed-data-broken', `${name} has data after its compressed data. The file is damaged.`);
    if (compression === undefined) throw otherData(name, input.offset, before);
    before = compression;
    try {
      for await (const chunk of compression === 'gzip' ? inflateMember(input) : decompressFrame(input, limits)) {
        decompressedBytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw explain(error, { name, head, decompressedBytes, limits });
    }
  }
}

async function* inflateMember(input: ChunkReader): AsyncGenerator<Buffer> {
  const sum = new GzipSum();
  await readGzipHeader(input);
  for await (const chunk of pump(createInflateRaw({ chunkSize: CHUNK_BYTES }), input)) {
    sum.add(chunk);
    yield chunk;
  }
  await sum.check(input);
}

function decompressFrame(input: ChunkReader, { windowLog }: FrameLimits): AsyncGenerator<Buffer> {
  const params = { [constants.ZSTD_d_windowLogMax]: windowLog };
  return pump(createZstdDecompress({ chunkSize: CHUNK_BYTES, params }), input, new ZstdFrame());
}

/** Yields the content of a frame. `frame` finds the end of a zstd frame. */
async function* pump(decompressor: Decompressor, input: ChunkReader, frame?: ZstdFrame): AsyncGenerator<Buffer> {
  const writing = writeFrame(decompressor, input, frame).catch((error: Error) => void decompressor.destroy(error));
  try {
    for await (const chunk of decompressor) yield chunk as Buffer;
  } finally {
    decompressor.destroy();
  }
  await writing;
}

/** Skips NUL bytes. Returns false at the end. */
async function skipPadding(input: ChunkReader): Promise<boolean> {
  for (let chunk = await nextChunk(input); chunk !== undefined; chunk = await nextChunk(input)) {
    const start = chunk.findIndex((byte) => byte !== 0);
    if (start === -1) continue;
    input.putBack(chunk.subarray(start));
    return true;
  }
  return false;
}

/** Writes bytes to a decompressor up to the end of its frame. */
async function writeFrame(decompressor: Decompressor, input: ChunkReader, frame: ZstdFrame | undefined) {
  let writtenBytes = 0;
  for (let chunk = await nextChunk(input); chunk !== undefined; chunk = await nextChunk(input)) {
    if (decompressor.destroyed) return;
    const end = frame?.findEnd(chunk);
    const part = chunk.subarray(0, end);
    writtenBytes += part.length;
    await writeChunk(decompressor, part);
    const unread = writtenBytes - decompressor.bytesWritten;
    if (end === undefined && unread === 0) continue;
    input.putBack(chunk.subarray(part.length - unread));
    // A decompressor that leaves bytes has ended.
    if (unread > 0) return;
    break;
  }
  decompressor.end();
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

function otherData(name: string, offset: number, compression: Compression): FailureError {
  const command = (file: string) => `${DECOMPRESS[compression]} < ${file}`;
  return stop(
    'archive-compressed-data-broken',
    `${name} has other data after its compressed data, at byte ${formatCount(offset)}. ` +
      howToConvert(name, command, 'If you do not need this data, remove it'),
  );
}

interface Place {
  readonly name: string;
  /** The first bytes of the frame. */
  readonly head: Buffer;
  readonly decompressedBytes: number;
  readonly limits: FrameLimits;
}

/** Explains an error of a decompressor. Reports damage only for errors that an intact file would not cause. */
function explain(error: unknown, { name, head, decompressedBytes, limits }: Place): FailureError {
  if (error instanceof FailureError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const unsupported = (detail: string) => stop('archive-not-an-archive', `${name} ${detail}`, error);
  if (code === 'ZSTD_error_dictionary_wrong')
    return unsupported(
      `is compressed with zstd's dictionary ${dictionaryId(head)}. ` +
        howToConvert(name, (file) => `${DECOMPRESS.zstd} -D DICTIONARY < ${file}`),
    );
  if (code === 'ZSTD_error_frameParameter_windowTooLarge')
    return unsupported(
      `needs more than ${formatBytes(2 ** limits.windowLog)} of memory to decompress. Compress it with a smaller window.`,
    );
  if (code === 'ZSTD_error_memory_allocation')
    return unsupported(
      'needs more memory to decompress than there is. ' +
        howToConvert(name, (file) => `${DECOMPRESS.zstd} < ${file}`, 'Convert it on a larger machine'),
    );
  return stop(
    'archive-compressed-data-broken',
    `${name} is truncated or damaged: decompression stopped after ${decompressedBytes} decompressed bytes ` +
      `(${message}). ${decompressedBytes > 0 ? 'The data before is indexed. ' : ''}Run again with the complete file.`,
    error,
  );
}
