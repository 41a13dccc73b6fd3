// Reads an event archive from the position where reading stopped. Yields batches of chain events, each with the
// position at its end.
import { hash } from 'node:crypto';
import type { ArchivePosition } from '#model/archive-position.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import { type ChainFailure, type FailureError, fail, stop } from '#model/failure.ts';
import { MalformedError } from '../observer/malformed-error.ts';
import { SEED_FRAME_LIMITS } from './decompress.ts';
import { eventReader } from './event-reader.ts';
import { locateArchive } from './locate-archive.ts';
import type { OpenArchive } from './open-archive.ts';
import { describeFormat } from './other-formats.ts';
import { openThreads, type Parser, type ParseThreads, parseAhead } from './parse-ahead.ts';
import type { BrokenLine, ParsedBlock } from './parse-block.ts';
import { type ArchiveForm, splitColumns } from './parse-line.ts';

export interface ArchiveBatch {
  readonly events: readonly ChainEvent[];
  /** The number of lines without relevant data. */
  readonly skipped: number;
  /** Skipped invalid lines. */
  readonly broken: readonly ChainFailure[];
  readonly position: ArchivePosition;
  readonly readBytes: number;
  readonly totalBytes: number | undefined;
}

export interface ReadArchiveOptions {
  readonly path: string;
  readonly known: readonly ArchivePosition[];
  readonly skipBroken: boolean;
  /** True for a part of a seed, whose transactions must be the content of their ids. */
  readonly isSeed?: boolean;
  /** The number of decompressed bytes above which the archive counts as damaged; undefined for no limit. */
  readonly maxBytes?: number | undefined;
  /** Called once if the archive was read before, with the position where reading stopped. */
  readonly onResume?: (position: ArchivePosition) => void;
  /** Threads that several archives share. */
  readonly threads?: ParseThreads<ChainEvent> | undefined;
}

/**
 * The size of a batch, which is one commit. A larger batch loses more work in a kill; a smaller batch writes the same
 * database pages more often.
 */
const BATCH_BYTES = 16_000_000;
/** The maximum number of lines, and of events: a line may have many blocks. */
const BATCH_LINES = 8_000;

const EVENT_PARSER: Parser<ChainEvent> = {
  open: ({ isSeed }) => eventReader(isSeed),
  name: 'parseInThread',
  // Half a batch. With twice as much, indexing all of mainnet takes 20 MB more memory.
  blockBytes: 1_000_000,
  ahead: 8,
};

/** Opens threads for {@link readArchive}. */
export function openArchiveThreads(): ParseThreads<ChainEvent> {
  return openThreads(EVENT_PARSER);
}

/** Reads an archive. At an invalid line or damaged compressed data, yields the lines before it, then throws FailureError. */
export async function* readArchive(options: ReadArchiveOptions): AsyncGenerator<ArchiveBatch> {
  const { skipBroken, isSeed = false, threads } = options;
  const { archive, prefix, known } = await locateArchive(
    options.path,
    options.known,
    isSeed ? SEED_FRAME_LIMITS : undefined,
  );
  let batch = new Batch(archive.name, { offset: known?.nextOffset ?? 0, line: known?.nextLine ?? 1 });
  const finish = (): ArchiveBatch => {
    const finished = batch.finish(prefix);
    batch = new Batch(archive.name, batch.next);
    return { ...finished, readBytes: archive.readBytes(), totalBytes: archive.totalBytes };
  };
  try {
    const form = archiveForm(prefix, archive);
    if (known !== undefined) options.onResume?.(known);
    const chunks = limitBytes(archive, (options.maxBytes ?? Number.POSITIVE_INFINITY) - (known?.nextOffset ?? 0));
    for await (const parsed of parseAhead(chunks, { form, skipBroken, isSeed }, EVENT_PARSER, threads)) {
      const stopped = parsed.stoppedAt && stopAt(batch.describe(parsed.stoppedAt), parsed.stoppedAt, options);
      batch.add(parsed);
      if (stopped !== undefined) throw stopped;
      if (batch.isFull) yield finish();
    }
    if (batch.hasLines) yield finish();
  } catch (error) {
    const { next } = batch;
    if (batch.hasLines) yield finish();
    throw error instanceof MalformedError ? tooLong(`${archive.name}, line ${next.line}`, error) : error;
  } finally {
    await archive.chunks.return();
    archive.close();
  }
}

/** Throws FailureError `seed-invalid` if there are more bytes. */
async function* limitBytes({ chunks, name }: OpenArchive, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw stop(
        'seed-invalid',
        `${name} has more text than its manifest states. The seed is damaged or forged. Ask its operator.`,
      );
    yield chunk;
  }
}

/** Creates the error for a line that is too long to hold. */
export function tooLong(name: string, { message }: MalformedError): FailureError {
  return stop(
    'archive-line-broken',
    `${name}: ${message}. Everything before it was read. Delete the line to continue.`,
  );
}

/** Returns the form of an archive with this beginning. Throws FailureError `archive-not-an-archive`. */
export function archiveForm(prefix: Buffer, { name, compression }: OpenArchive): ArchiveForm {
  if (prefix.length === 0) throw stop('archive-not-an-archive', `${name} is empty.`);
  // Some formats, such as tar and lz4, have the first line unchanged.
  const format = describeFormat(prefix, name, compression);
  if (format !== undefined) throw stop('archive-not-an-archive', format);
  const newline = prefix.indexOf('\n');
  try {
    const { timestamp, path } = splitColumns(newline === -1 ? prefix : prefix.subarray(0, newline));
    if (!path.startsWith('/'))
      throw new MalformedError(`the third column is not an event path: ${JSON.stringify(path.slice(0, 40))}`);
    // The raw form has ISO timestamps. Postgres writes a space instead of the T.
    return timestamp.includes('T') ? 'raw' : 'copy';
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    throw stop('archive-not-an-archive', `${name} is not an event archive: line 1: ${error.message}.`);
  }
}

function stopAt(
  description: string,
  { isCutOff }: BrokenLine,
  { skipBroken, isSeed }: Pick<ReadArchiveOptions, 'skipBroken' | 'isSeed'>,
): FailureError {
  if (isSeed)
    return stop(
      'seed-invalid',
      `${description} The seed is damaged or forged: do not use it. The index may have blocks of it: restore a backup, or make a new index.`,
    );
  const skips = skipBroken ? '' : ' --skip-broken skips broken lines.';
  const hint = isCutOff ? ' The line is incomplete: it may still be in the process of being written.' : skips;
  return stop(
    'archive-line-broken',
    `${description} Everything before it is indexed. The next run continues there.${hint}`,
  );
}

type LineStart = Pick<BrokenLine, 'offset' | 'line'>;

class Batch {
  readonly #name: string;
  readonly #start: LineStart;
  /** The position after the added blocks, at which the next block begins. */
  next: LineStart;
  #last: { readonly lastLineOffset: number; readonly lastLineHash: string } | undefined;
  readonly #events: ChainEvent[] = [];
  #skipped = 0;
  readonly #broken: ChainFailure[] = [];

  constructor(name: string, start: LineStart) {
    this.#name = name;
    this.#start = start;
    this.next = start;
  }

  get hasLines(): boolean {
    return this.#last !== undefined;
  }

  get isFull(): boolean {
    const { offset, line } = this.#start;
    const isLarge = this.next.offset - offset >= BATCH_BYTES || this.#events.length >= BATCH_LINES;
    return isLarge || this.next.line - line >= BATCH_LINES;
  }

  add({ events, skipped, broken, bytes, lines, last }: ParsedBlock<ChainEvent>): void {
    const { offset, line } = this.next;
    for (const event of events) this.#events.push(event);
    this.#skipped += skipped;
    for (const brokenLine of broken) {
      const subject = this.#nameOf(brokenLine);
      this.#broken.push({ ...fail('archive-line-broken', `${brokenLine.reason}.`), subject });
    }
    this.next = { offset: offset + bytes, line: line + lines };
    if (last !== undefined) this.#last = { lastLineOffset: offset + last.offset, lastLineHash: last.hash };
  }

  describe(broken: BrokenLine): string {
    return `${this.#nameOf(broken)}: ${broken.reason}.`;
  }

  #nameOf({ line, offset }: BrokenLine): string {
    return `${this.#name}, line ${this.next.line + line} (byte ${this.next.offset + offset})`;
  }

  finish(prefix: Buffer): Pick<ArchiveBatch, 'events' | 'skipped' | 'broken' | 'position'> {
    if (this.#last === undefined) throw new Error('a batch without lines has no position');
    const readPrefix = prefix.subarray(0, this.next.offset);
    const { offset: nextOffset, line: nextLine } = this.next;
    return {
      events: this.#events,
      skipped: this.#skipped,
      broken: this.#broken,
      position: {
        prefixBytes: readPrefix.length,
        prefixHash: hash('sha256', readPrefix, 'hex'),
        ...this.#last,
        nextOffset,
        nextLine,
      },
    };
  }
}
