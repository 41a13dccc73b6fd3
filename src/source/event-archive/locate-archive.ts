// Recognises an archive that was consumed before, by the hash of its beginning and of the last line consumed, and opens it where that ended.
import { createHash } from 'node:crypto';
import type { ArchivePosition } from '#model/archive-position.ts';
import { stop } from '#model/failure.ts';
import { type OpenArchive, openArchive } from './open-archive.ts';

/** How much of the beginning identifies an archive: its first decompressed megabyte. */
const PREFIX_BYTES = 1_000_000;

export interface LocatedArchive {
  readonly archive: OpenArchive;
  /** The beginning of the archive, at most {@link PREFIX_BYTES}. */
  readonly prefix: Buffer;
  /** Where it was left, undefined for an archive that was never consumed. */
  readonly known: ArchivePosition | undefined;
  /** Decompressed bytes from where it was left, or from the beginning. */
  readonly chunks: AsyncGenerator<Buffer>;
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function locateArchive(path: string, knownPositions: readonly ArchivePosition[]): Promise<LocatedArchive> {
  const first = await openArchive(path);
  const { prefix, rest } = await readPrefix(first);
  const candidates = knownPositions
    .filter(
      (known) =>
        known.prefixBytes <= prefix.length && sha256(prefix.subarray(0, known.prefixBytes)) === known.prefixHash,
    )
    .sort((left, right) => right.nextOffset - left.nextOffset);

  let opened: { archive: OpenArchive; chunks: AsyncGenerator<Buffer> } = { archive: first, chunks: rest };
  for (const [index, known] of candidates.entries()) {
    const located = await skipTo(path, opened, known);
    if (located !== undefined) return { prefix, known, ...located };
    // Same beginning, other continuation: what was read to find out has to be read again.
    if (first.once) {
      throw stop(
        'archive-unreadable',
        `${first.name} begins like an archive that was indexed before, but is another one after byte ${known.lastLineOffset}. Give it as a file, which can be read twice.`,
      );
    }
    if (index < candidates.length) opened = await reopen(path);
  }
  return { prefix, known: undefined, ...opened };
}

async function reopen(path: string): Promise<{ archive: OpenArchive; chunks: AsyncGenerator<Buffer> }> {
  const archive = await openArchive(path);
  return { archive, chunks: archive.chunks };
}

async function readPrefix(archive: OpenArchive): Promise<{ prefix: Buffer; rest: AsyncGenerator<Buffer> }> {
  const parts: Buffer[] = [];
  let length = 0;
  let trouble: { error: unknown } | undefined;
  try {
    while (length < PREFIX_BYTES) {
      const next = await archive.chunks.next();
      if (next.done) break;
      parts.push(next.value);
      length += next.value.length;
    }
  } catch (error) {
    if (length === 0) throw error;
    trouble = { error };
  }
  const beginning = Buffer.concat(parts);
  async function* rest(): AsyncGenerator<Buffer> {
    if (beginning.length > 0) yield beginning;
    if (trouble !== undefined) throw trouble.error;
    yield* archive.chunks;
  }
  return { prefix: beginning.subarray(0, PREFIX_BYTES), rest: rest() };
}

/** The stream behind the last consumed line, or undefined if that line is not in this archive. */
async function skipTo(
  path: string,
  opened: { archive: OpenArchive; chunks: AsyncGenerator<Buffer> },
  known: ArchivePosition,
): Promise<{ archive: OpenArchive; chunks: AsyncGenerator<Buffer> } | undefined> {
  let archive = opened.archive;
  let chunks = opened.chunks;
  let offset = 0;
  if (!archive.compressed && !archive.once) {
    archive.close();
    archive = await openArchive(path, known.lastLineOffset);
    chunks = archive.chunks;
    offset = known.lastLineOffset;
  }
  const line = createHash('sha256');
  for (;;) {
    const next = await chunks.next();
    if (next.done) {
      archive.close();
      return undefined;
    }
    const from = Math.max(known.lastLineOffset - offset, 0);
    const end = known.nextOffset - offset;
    if (from < next.value.length) line.update(next.value.subarray(from, end));
    offset += next.value.length;
    if (offset < known.nextOffset) continue;
    if (line.digest('hex') !== known.lastLineHash) {
      await chunks.return(undefined);
      archive.close();
      return undefined;
    }
    return { archive, chunks: resume(next.value.subarray(end), chunks) };
  }
}

async function* resume(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* rest;
}
