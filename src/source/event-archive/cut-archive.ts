// Reads an event archive for a seed: yields its payloads, with only the data that an index reads.
import type { CutPayload } from '../observer/cut-payload.ts';
import { MalformedError } from '../observer/malformed-error.ts';
import { cutReader } from './event-reader.ts';
import { openArchive } from './open-archive.ts';
import { type Parser, parseAhead } from './parse-ahead.ts';
import { archiveForm, tooLong } from './read-archive.ts';

export interface CutBatch {
  readonly payloads: readonly CutPayload[];
  readonly readBytes: number;
  readonly totalBytes: number | undefined;
}

const CUT_PARSER: Parser<CutPayload> = {
  open: () => cutReader,
  name: 'cutInThread',
  blockBytes: 4_000_000,
  ahead: 4,
};
/** The number of bytes that tell the form of an archive. */
const BEGINNING_BYTES = 1_000;

/**
 * Skips invalid lines, as an index run may have skipped them. Throws FailureError for a file that is not an archive, that
 * has a line which is too long, or whose compressed data is damaged.
 */
export async function* cutArchive(path: string): AsyncGenerator<CutBatch> {
  const archive = await openArchive(path);
  try {
    const form = archiveForm(await archive.chunks.peek(BEGINNING_BYTES), archive);
    for await (const { events } of parseAhead(archive.chunks, { form, skipBroken: true }, CUT_PARSER))
      yield { payloads: events, readBytes: archive.readBytes(), totalBytes: archive.totalBytes };
  } catch (error) {
    throw error instanceof MalformedError ? tooLong(archive.name, error) : error;
  } finally {
    await archive.chunks.return();
    archive.close();
  }
}
