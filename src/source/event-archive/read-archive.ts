// Reads an event archive from where it was left, in batches of chain events, each with the position behind it.
import type { ArchivePosition } from '#model/archive-position.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import { type Failure, type FailureError, fail, stop } from '#model/failure.ts';
import { MalformedError } from '../observer/malformed-error.ts';
import { locateArchive, sha256 } from './locate-archive.ts';
import { parseAhead } from './parse-ahead.ts';
import type { BrokenLine, ParsedBlock } from './parse-block.ts';
import { type ArchiveForm, splitColumns } from './parse-line.ts';

export interface ArchiveBatch {
  readonly events: readonly ChainEvent[];
  /** Lines of which nothing is needed, by path. */
  readonly passedOver: ReadonlyMap<string, number>;
  /** Broken lines that were skipped, each with the words that name it. */
  readonly broken: readonly (Failure & { readonly subject: string })[];
  /** How far the archive is consumed, this batch included. */
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
  /** Skip broken lines instead of stopping at the first. */
  readonly skipBroken: boolean;
  /** Called once, when the archive is recognised as one that was consumed before. */
  readonly onResume?: (position: ArchivePosition) => void;
  /** For tests: lines above this many bytes are read in pieces. */
  readonly maxHeldLineBytes?: number;
}

/** A batch is one commit: small enough to lose little to a kill, large enough that many of its rows share a page. */
const BATCH_BYTES = 8_000_000;
const BATCH_LINES = 4_000;
/** Observers have a dozen paths; made-up ones are counted together. */
const MAX_PATHS = 50;
const MAX_PATH_LENGTH = 60;
const OTHER_PATHS = 'other paths';

/** Throws FailureError at a broken line or compression, behind the batch of what is before it. */
export async function* readArchive(options: ReadArchiveOptions): AsyncGenerator<ArchiveBatch> {
  const { skipBroken, maxHeldLineBytes } = options;
  const { archive, prefix, known } = await locateArchive(options.path, options.known);
  let batch = new Batch(archive.name, { offset: known?.nextOffset ?? 0, line: known?.nextLine ?? 1 });
  const finish = (): ArchiveBatch => {
    const finished = batch.finish(prefix);
    batch = new Batch(archive.name, batch.next);
    return { ...finished, readBytes: archive.readBytes(), totalBytes: archive.totalBytes };
  };
  try {
    const form = archiveForm(prefix, archive.name);
    if (known !== undefined) options.onResume?.(known);
    for await (const parsed of parseAhead(archive.chunks, { form, skipBroken }, maxHeldLineBytes)) {
      batch.add(parsed);
      if (parsed.stoppedAt !== undefined) throw stopAt(batch.describe(parsed.stoppedAt), skipBroken);
      if (batch.isFull) yield finish();
    }
    if (batch.hasLines) yield finish();
  } catch (error) {
    if (batch.hasLines) yield finish();
    throw error;
  } finally {
    await archive.chunks.return(undefined);
    archive.close();
  }
}

/** The form of the whole archive, from its first line. */
function archiveForm(prefix: Buffer, name: string): ArchiveForm {
  if (prefix.length === 0) throw stop('archive-not-an-archive', `${name} is empty.`);
  const newline = prefix.indexOf('\n');
  try {
    const { timestamp, path } = splitColumns(newline === -1 ? prefix : prefix.subarray(0, newline));
    if (!path.startsWith('/'))
      throw new MalformedError(`the third column is no path of an event: ${JSON.stringify(path.slice(0, 40))}`);
    // The raw form has ISO timestamps; Postgres writes a space.
    return timestamp.includes('T') ? 'raw' : 'copy';
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    throw stop('archive-not-an-archive', `${name} is not an event archive: line 1: ${error.message}.`);
  }
}

function stopAt(what: string, skipBroken: boolean): FailureError {
  const hint = skipBroken ? '' : ' --skip-broken skips broken lines.';
  return stop('archive-line-broken', `${what} Everything before it is indexed; the next run continues there.${hint}`);
}

/** Offset and number of a line in the archive. */
interface Place {
  readonly offset: number;
  readonly line: number;
}

class Batch {
  readonly #name: string;
  readonly #start: Place;
  /** Where the block begins that was added last. */
  #block: Place;
  #next: Place;
  #last: { readonly lastLineOffset: number; readonly lastLineHash: string } | undefined;
  readonly #events: ChainEvent[] = [];
  readonly #passedOver = new Map<string, number>();
  readonly #broken: (Failure & { readonly subject: string })[] = [];

  constructor(name: string, start: Place) {
    this.#name = name;
    this.#start = start;
    this.#block = start;
    this.#next = start;
  }

  /** Where the next batch begins. */
  get next(): Place {
    return this.#next;
  }

  get hasLines(): boolean {
    return this.#last !== undefined;
  }

  get isFull(): boolean {
    const { offset, line } = this.#start;
    return this.#next.offset - offset >= BATCH_BYTES || this.#next.line - line >= BATCH_LINES;
  }

  add({ events, skipped, broken, bytes, lines, last }: ParsedBlock): void {
    this.#block = this.#next;
    const { offset, line } = this.#block;
    this.#events.push(...events);
    for (const [path, count] of skipped) this.#pass(path, count);
    for (const one of broken)
      this.#broken.push({ ...fail('archive-line-broken', `${one.reason}.`), subject: this.#nameOf(one) });
    this.#next = { offset: offset + bytes, line: line + lines };
    if (last !== undefined) this.#last = { lastLineOffset: offset + last.offset, lastLineHash: last.hash };
  }

  /** What is wrong with a line of the block that was added last. */
  describe(broken: BrokenLine): string {
    return `${this.#nameOf(broken)}: ${broken.reason}.`;
  }

  #nameOf({ line, offset }: BrokenLine): string {
    return `${this.#name}, line ${this.#block.line + line} (byte ${this.#block.offset + offset})`;
  }

  finish(prefix: Buffer): Pick<ArchiveBatch, 'events' | 'passedOver' | 'broken' | 'position'> {
    if (this.#last === undefined) throw new Error('a batch without lines has no position');
    const own = prefix.subarray(0, this.#next.offset);
    const { offset: nextOffset, line: nextLine } = this.#next;
    return {
      events: this.#events,
      passedOver: this.#passedOver,
      broken: this.#broken,
      position: { prefixBytes: own.length, prefixHash: sha256(own), ...this.#last, nextOffset, nextLine },
    };
  }

  #pass(path: string, count: number): void {
    const isCounted = this.#passedOver.has(path) || this.#passedOver.size < MAX_PATHS;
    const name = isCounted && path.length <= MAX_PATH_LENGTH ? path : OTHER_PATHS;
    this.#passedOver.set(name, (this.#passedOver.get(name) ?? 0) + count);
  }
}
