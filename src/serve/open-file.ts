// Opens a file once, and reads and hashes what was opened, whatever takes its place meanwhile.
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  type ReadStream,
  readSync,
} from 'node:fs';
import { orAbsent } from './find-file.ts';

/** Small, since each slow reader of a file has a few of them. */
const CHUNK_BYTES = 16_384;
/** Follows no link, and does not wait for somebody to write into a pipe. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface OpenFile {
  readonly fd: number;
  readonly stats: BigIntStats;
  readonly size: number;
}

/** Undefined for what is no file, or none any more. */
export function openFile(path: string): OpenFile | undefined {
  const fd = orAbsent(() => openSync(path, OPEN_FLAGS));
  if (fd === undefined) return undefined;
  const stats = fstatSync(fd, { bigint: true });
  if (stats.isFile()) return { fd, stats, size: Number(stats.size) };
  closeSync(fd);
  return undefined;
}

/** All of it. Throws if it was cut short meanwhile. */
export function readBytes(file: OpenFile): Buffer {
  const bytes = Buffer.allocUnsafeSlow(file.size);
  for (let at = 0; at < file.size; ) at += readAt(file, bytes.subarray(at), at);
  return bytes;
}

/** The ETag of a content, wherever it is: it is the same in a copy of the site. */
export function tagOf(content: Buffer | OpenFile): string {
  const hash = createHash('sha1');
  if (Buffer.isBuffer(content)) hash.update(content);
  else for (const chunk of chunksOf(content)) hash.update(chunk);
  return `"${hash.digest('hex')}"`;
}

/** Reads as slowly as it is read, and closes the file. Ends early if that was cut short. */
export function streamOf({ fd, size }: OpenFile): ReadStream {
  return createReadStream('', { fd, start: 0, end: size - 1, highWaterMark: CHUNK_BYTES });
}

function* chunksOf(file: OpenFile): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; at < file.size; ) {
    const count = readAt(file, chunk.subarray(0, file.size - at), at);
    yield chunk.subarray(0, count);
    at += count;
  }
}

function readAt({ fd }: OpenFile, into: Buffer, at: number): number {
  const count = readSync(fd, into, 0, into.length, at);
  if (count === 0) throw new Error('a file was cut short while it was read');
  return count;
}
