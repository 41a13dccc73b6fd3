// Recognizes an archive by the hashes of its beginning and of the last line read, and continues where reading stopped.
import { createHash, hash } from 'node:crypto';
import type { ArchivePosition } from '#model/archive-position.ts';
import { stop } from '#model/failure.ts';
import { nextChunk } from './chunk-reader.ts';
import type { FrameLimits } from './decompress.ts';
import { type OpenArchive, openArchive } from './open-archive.ts';

/** The maximum number of decompressed bytes at the start of an archive that identify it. */
const PREFIX_BYTES = 1_000_000;

/**
 * Opens an archive at the position where an earlier run stopped reading it. Returns the archive, its first bytes, and
 * this position, which is undefined for a new archive.
 */
export async function locateArchive(path: string, knownPositions: readonly ArchivePosition[], limits?: FrameLimits) {
  let archive = await openArchive(path, 0, limits);
  const beginning = await archive.chunks.peek(PREFIX_BYTES).catch((error) => {
    archive.close();
    throw error;
  });
  // A copy, since the reader of the chunks frees their memory.
  const prefix = Buffer.from(beginning.subarray(0, PREFIX_BYTES));
  const candidates = knownPositions
    .filter(({ prefixBytes, prefixHash }) => {
      return prefixBytes <= prefix.length && hash('sha256', prefix.subarray(0, prefixBytes), 'hex') === prefixHash;
    })
    .sort((left, right) => right.nextOffset - left.nextOffset);

  for (const known of candidates) {
    const located = await skipTo(path, archive, known);
    if (located !== undefined) return { archive: located, prefix, known };
    // The archive has the same beginning but a different continuation, so all data must be read again.
    if (archive.once) {
      throw stop(
        'archive-unreadable',
        `${archive.name} begins like an archive that was indexed before, but differs after byte ` +
          `${known.lastLineOffset}. Pass it as a file, which can be read twice.`,
      );
    }
    archive = await openArchive(path, 0, limits);
  }
  return { archive, prefix, known: undefined };
}

/**
 * Skips the lines that an earlier run read. If the archive lacks the last of these lines, closes it and returns
 * undefined.
 */
async function skipTo(path: string, from: OpenArchive, known: ArchivePosition): Promise<OpenArchive | undefined> {
  let archive = from;
  let offset = 0;
  if (archive.compression === undefined && !archive.once) {
    archive.close();
    archive = await openArchive(path, known.lastLineOffset);
    offset = known.lastLineOffset;
  }
  const { chunks } = archive;
  const line = createHash('sha256');
  for (let chunk = await nextChunk(chunks); chunk !== undefined; chunk = await nextChunk(chunks)) {
    const start = Math.max(known.lastLineOffset - offset, 0);
    const end = known.nextOffset - offset;
    if (start < chunk.length) line.update(chunk.subarray(start, end));
    offset += chunk.length;
    if (offset < known.nextOffset) continue;
    if (line.digest('hex') !== known.lastLineHash) break;
    chunks.putBack(chunk.subarray(end));
    return archive;
  }
  await chunks.return();
  archive.close();
  return undefined;
}
