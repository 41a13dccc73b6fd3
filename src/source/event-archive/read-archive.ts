// Reads an event archive from where it was left, in batches of chain events, each with the position behind it.
import type { ArchivePosition } from '#model/archive-position.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import { type Failure, type FailureError, fail, stop } from '#model/failure.ts';
import { locateArchive, sha256 } from './locate-archive.ts';
import { type ParsedBlock, parseAhead } from './parse-ahead.ts';
import { type ArchiveForm, formOf, LineError, splitColumns } from './parse-line.ts';
import type { LineHash } from './parse-lines.ts';
import { type BlockLine, readBlocks } from './read-blocks.ts';

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

/** A batch is committed at once: small enough to lose little to a kill, and large enough that many of its rows share a page. */
const BATCH_BYTES = 16_000_000;
const BATCH_LINES = 4_000;
/** Observers have a dozen paths; made-up ones are counted together. */
const MAX_PATHS = 50;
const MAX_PATH_LENGTH = 60;
const OTHER_PATHS = 'other paths';

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
  const { name } = archive;
  const { skipBroken } = options;
  const blocks = readBlocks(chunks, start, options.maxHeldLineBytes);
  let batch = new Batch();
  const finish = (): ArchiveBatch => {
    const finished = batch.finish(prefix, { readBytes: archive.readBytes(), totalBytes: archive.totalBytes });
    batch = new Batch();
    return finished;
  };
  try {
    for await (const parsed of parseAhead(blocks, { form, skipBroken })) {
      batch.add(parsed, name, skipBroken);
      if (batch.isFull) yield finish();
    }
    if (batch.hasLines) yield finish();
  } catch (error) {
    if (batch.hasLines) yield finish();
    throw error;
  } finally {
    await blocks.return(undefined);
    await chunks.return(undefined);
    archive.close();
  }
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
  #bytes = 0;
  #lines = 0;
  #last: BlockLine | undefined;
  #lastHash: LineHash | undefined;

  get hasLines(): boolean {
    return this.#last !== undefined;
  }

  get isFull(): boolean {
    return this.#bytes >= BATCH_BYTES || this.#lines >= BATCH_LINES;
  }

  /** Adds what is in the lines of a block. Throws FailureError at a broken line, behind those before it. */
  add({ block, lines, lastHash }: ParsedBlock, name: string, skipBroken: boolean): void {
    for (const [index, { path, event, error }] of lines.entries()) {
      const line = block.lines[index] as BlockLine;
      // Half a line of another path: nothing of it is consumed, what follows may make it whole.
      if (!line.isWhole && path !== undefined && event === undefined) break;
      if (error !== undefined) {
        const message = `${name}, line ${line.number} (byte ${line.offset}): ${error}.`;
        // The end of a file that is still being written: what follows may make it whole.
        if (!skipBroken || !line.isWhole) throw brokenLine(message, skipBroken);
        this.#broken.push(fail('archive-line-broken', message));
      } else if (path !== undefined) {
        this.#count(path, event);
      }
      this.#last = line;
      this.#lastHash = lastHash;
      this.#bytes += line.nextOffset - line.offset;
      this.#lines++;
    }
  }

  finish(prefix: Buffer, read: { readBytes: number; totalBytes: number | undefined }): ArchiveBatch {
    if (this.#last === undefined || this.#lastHash === undefined)
      throw new Error('a batch without lines has no position');
    const { offset, number, nextOffset, isWhole } = this.#last;
    const own = prefix.subarray(0, nextOffset);
    return {
      events: this.#events,
      passedOver: this.#passedOver,
      broken: this.#broken,
      position: {
        prefixBytes: own.length,
        prefixHash: sha256(own),
        lastLineOffset: offset,
        lastLineHash: isWhole ? this.#lastHash.withNewline : this.#lastHash.bare,
        nextOffset,
        // Without its newline, the line goes on where the file does: what comes next has the same number.
        nextLine: isWhole ? number + 1 : number,
      },
      ...read,
    };
  }

  #count(path: string, event: ChainEvent | undefined): void {
    if (event !== undefined) {
      this.#events.push(event);
      return;
    }
    const isCounted = this.#passedOver.has(path) || this.#passedOver.size < MAX_PATHS;
    const name = isCounted && path.length <= MAX_PATH_LENGTH ? path : OTHER_PATHS;
    this.#passedOver.set(name, (this.#passedOver.get(name) ?? 0) + 1);
  }
}

function brokenLine(message: string, skipBroken: boolean): FailureError {
  const hint = skipBroken ? '' : ' --skip-broken passes over broken lines.';
  return stop(
    'archive-line-broken',
    `${message} Everything before it is indexed; the next run continues there.${hint}`,
  );
}
