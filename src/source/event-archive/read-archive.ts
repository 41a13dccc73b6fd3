// Reads an event archive from where it was left, in batches of chain events, each with the position behind it.
import { createHash, type Hash } from 'node:crypto';
import type { ArchivePosition } from '#model/archive-position.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import { type Failure, type FailureError, fail, stop } from '#model/failure.ts';
import { locateArchive, sha256 } from './locate-archive.ts';
import { type ArchiveForm, asLineErrors, formOf, LineError, parseLine, splitColumns } from './parse-line.ts';
import { LongLineParser } from './parse-long-line.ts';
import { type Line, LineReader } from './read-lines.ts';

export interface ArchiveBatch {
  readonly events: readonly ChainEvent[];
  /** Lines of other paths, by path. */
  readonly passedOver: ReadonlyMap<string, number>;
  /** Broken lines that were passed over. */
  readonly broken: readonly Failure[];
  /** Where the archive is consumed up to, this batch included. */
  readonly position: ArchivePosition;
  /** Bytes of the file read so far, and its size if it is known. */
  readonly readBytes: number;
  readonly totalBytes: number | undefined;
}

export interface ReadArchiveOptions {
  /** A path, or `-` for standard input. */
  readonly path: string;
  /** Positions of the archives consumed before. */
  readonly known: readonly ArchivePosition[];
  /** Pass over broken lines instead of stopping at the first. */
  readonly skipBroken: boolean;
  /** Called once, when the archive is recognised as one that was consumed before. */
  readonly onResume?: (position: ArchivePosition) => void;
  /** For tests: lines above this many bytes are read in pieces. */
  readonly maxHeldLineBytes?: number;
}

/** A batch is committed at once: small enough to lose little to a kill, large enough that commits cost nothing. */
const BATCH_BYTES = 8_000_000;
const BATCH_LINES = 4_000;
/** Observers have a dozen paths; made-up ones are counted together. */
const MAX_PATHS = 50;
const MAX_PATH_LENGTH = 60;
const OTHER_PATHS = 'other paths';
/** What Postgres writes behind the rows of a COPY. */
const COPY_END = Buffer.from('\\.');

/** Throws FailureError at a broken line or compression, after the batch before it. */
export async function* readArchive(options: ReadArchiveOptions): AsyncGenerator<ArchiveBatch> {
  const { archive, prefix, known, chunks } = await locateArchive(options.path, options.known);
  let form: ArchiveForm;
  try {
    if (prefix.length === 0) throw stop('archive-not-an-archive', `${archive.name} is empty.`);
    form = archiveForm(prefix, archive.name);
  } catch (error) {
    archive.close();
    throw error;
  }
  if (known !== undefined) options.onResume?.(known);
  const start = { offset: known?.nextOffset ?? 0, number: known?.nextLine ?? 1 };
  const lines = new LineReader(chunks, start, options.maxHeldLineBytes);
  const identity = (nextOffset: number) => {
    const own = prefix.subarray(0, nextOffset);
    return { prefixBytes: own.length, prefixHash: sha256(own) };
  };

  let batch = new Batch();
  const finish = (): ArchiveBatch => {
    const finished = batch.finish(identity, { readBytes: archive.readBytes(), totalBytes: archive.totalBytes });
    batch = new Batch();
    return finished;
  };
  try {
    for (;;) {
      const line = lines.buffered() ?? (await lines.next());
      if (line === undefined) break;
      const read = await readLine(line, form);
      // Half a line of another path: nothing of it is consumed, what follows may make it whole.
      if (!lines.lastLineWasWhole && read.path !== undefined && read.event === undefined) break;
      if (read.error !== undefined) {
        const message = `${archive.name}, line ${line.number} (byte ${line.offset}): ${read.error.message}.`;
        // The end of a file that is still being written: what follows may make it whole.
        if (!options.skipBroken || !lines.lastLineWasWhole) throw brokenLine(message, options.skipBroken);
        batch.skip(fail('archive-line-broken', message));
      } else if (read.path !== undefined) {
        batch.count(read.path, read.event);
      }
      batch.close(line, lines, read.hash);
      if (batch.isFull) yield finish();
    }
  } catch (error) {
    if (batch.hasLines) yield finish();
    throw error;
  } finally {
    await chunks.return(undefined);
    archive.close();
  }
  if (batch.hasLines) yield finish();
}

/** The form of the whole archive, from its first line. */
function archiveForm(prefix: Buffer, name: string): ArchiveForm {
  const newline = prefix.indexOf('\n');
  try {
    const columns = splitColumns(newline === -1 ? prefix : prefix.subarray(0, newline));
    if (!columns.path.startsWith('/'))
      throw new LineError(`the third column is no path of an event: ${JSON.stringify(columns.path.slice(0, 40))}`);
    return formOf(columns);
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    throw stop('archive-not-an-archive', `${name} is not an event archive: line 1: ${error.message}.`);
  }
}

class Batch {
  readonly #events: ChainEvent[] = [];
  readonly #passedOver = new Map<string, number>();
  readonly #broken: Failure[] = [];
  #lines = 0;
  #bytes = 0;
  #last: Pick<ArchivePosition, 'lastLineOffset' | 'nextOffset' | 'nextLine'> | undefined;
  #lastLineHash: Hash = createHash('sha256');

  get hasLines(): boolean {
    return this.#lines > 0;
  }

  get isFull(): boolean {
    return this.#bytes >= BATCH_BYTES || this.#lines >= BATCH_LINES;
  }

  count(path: string, event: ChainEvent | undefined): void {
    if (event !== undefined) {
      this.#events.push(event);
      return;
    }
    const isCounted = this.#passedOver.has(path) || this.#passedOver.size < MAX_PATHS;
    const name = isCounted && path.length <= MAX_PATH_LENGTH ? path : OTHER_PATHS;
    this.#passedOver.set(name, (this.#passedOver.get(name) ?? 0) + 1);
  }

  skip(failure: Failure): void {
    this.#broken.push(failure);
  }

  close(line: Line, lines: LineReader, hash: Hash): void {
    this.#lines++;
    this.#bytes += lines.offset - line.offset;
    // Without its newline, the line goes on where the file does: what comes next has the same number.
    const nextLine = lines.lastLineWasWhole ? lines.nextNumber : line.number;
    this.#last = { lastLineOffset: line.offset, nextOffset: lines.offset, nextLine };
    this.#lastLineHash = lines.lastLineWasWhole ? hash.update('\n') : hash;
  }

  finish(
    identity: (nextOffset: number) => { prefixBytes: number; prefixHash: string },
    read: { readBytes: number; totalBytes: number | undefined },
  ): ArchiveBatch {
    if (this.#last === undefined) throw new Error('a batch without lines has no position');
    const lastLineHash = this.#lastLineHash.digest('hex');
    return {
      events: this.#events,
      passedOver: this.#passedOver,
      broken: this.#broken,
      position: { ...identity(this.#last.nextOffset), ...this.#last, lastLineHash },
      ...read,
    };
  }
}

interface ReadLine {
  /** Undefined for an empty line and the end of a COPY. */
  readonly path?: string;
  readonly event?: ChainEvent | undefined;
  readonly error?: LineError;
  /** SHA-256 of the line so far, without its newline. */
  readonly hash: Hash;
}

async function readLine(line: Line, form: ArchiveForm): Promise<ReadLine> {
  if (line.bytes === undefined) return readLongLine(line, form);
  const hash = createHash('sha256').update(line.bytes);
  if (line.bytes.length === 0 || line.bytes.equals(COPY_END)) return { hash };
  try {
    return { ...parseLine(line.bytes, form), hash };
  } catch (error) {
    if (error instanceof LineError) return { error, hash };
    throw error;
  }
}

/** A line in pieces: its members and items are parsed one by one, so memory holds one of them. It is read to its end, broken or not. */
async function readLongLine(line: Line, form: ArchiveForm): Promise<ReadLine> {
  const hash = createHash('sha256');
  const parser = new LongLineParser(form);
  let error: LineError | undefined;
  for await (const piece of line.pieces ?? []) {
    hash.update(piece);
    if (error === undefined) error = lineErrorOf(() => parser.push(piece));
  }
  if (error !== undefined) return { error, hash };
  let parsed: { path: string; event?: ChainEvent } | undefined;
  error = lineErrorOf(() => {
    parsed = parser.finish();
  });
  return error === undefined ? { ...parsed, hash } : { error, hash };
}

function lineErrorOf(parse: () => void): LineError | undefined {
  try {
    asLineErrors(parse);
    return undefined;
  } catch (error) {
    if (error instanceof LineError) return error;
    throw error;
  }
}

function brokenLine(message: string, skipBroken: boolean): FailureError {
  const hint = skipBroken ? '' : ' --skip-broken passes over broken lines.';
  return stop(
    'archive-line-broken',
    `${message} Everything before it is indexed; the next run continues there.${hint}`,
  );
}
