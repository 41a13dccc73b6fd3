// Tests archive lines that are too long to hold in memory. Reading a line in pieces must give the same result as
// reading it as a unit.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { crc32, zstdCompressSync } from 'node:zlib';
import { type ReadResult, readToEnd } from '../../support/archives.ts';
import { Random } from '../../support/random.ts';
import { tempFolderForFile } from '../../support/temp-folder.ts';
import { withoutEvents } from '../../support/without-events.ts';
import { fuzz } from './fuzz.ts';
import { ARCHIVE_TOKENS, archiveEdit, archiveOf } from './random-archive.ts';

/**
 * The size of the first line, which has no effect. The first megabyte of an archive is read as a unit, so the fuzzed
 * lines follow it.
 */
const BEGINNING_BYTES = 1_000_000;
/**
 * The maximum number of bytes of a line to hold in memory. The end mark of COPY, which has two bytes, must not exceed
 * it.
 */
const MAX_HELD_BYTES = 2;
const beginning = (timestamp: string) => Buffer.from(`1\t${timestamp}\t/other\t${'x'.repeat(BEGINNING_BYTES)}\n`);
/** The maximum number of lines per archive. It is high because the first line takes most of the time anyway. */
const MAX_LINES = 20;
/** The maximum processor time per input. It is high because every read may start threads. */
const LIMIT_MS = 3_000;
const COPY = beginning('2024-01-01 00:00:00+00');
const RAW = beginning('2024-01-01T00:00:00Z');
const COMPRESSED_COPY = zstdCompressSync(COPY);
const COMPRESSED_RAW = zstdCompressSync(RAW);

const folder = tempFolderForFile();
const plainPath = join(folder, 'plain');
const piecesPath = join(folder, 'pieces');

/**
 * Returns offsets that cut each line of the archive into pieces. The columns before the JSON are in the first piece.
 */
function cutsOf(archive: Buffer, random: Random): number[] {
  const cuts: number[] = [];
  let start = 0;
  for (const text of archive.toString('latin1').split('\n')) {
    const json = text.split('\t', 3).join('\t').length + 1;
    const length = text.length - json;
    if (length > 1) {
      const inJson = [random.below(length), ...random.list(6, () => random.below(length))];
      cuts.push(...inJson.sort((left, right) => left - right).map((cut) => start + json + 1 + cut));
    }
    start += text.length + 1;
  }
  return cuts;
}

/** Compresses each part of the archive separately, so that the reader receives each decompressed part separately. */
function compressParts(archive: Buffer, cuts: readonly number[]): Buffer {
  const ends = [...cuts, archive.length];
  return Buffer.concat(
    ends.map((end, index) => zstdCompressSync(archive.subarray(index === 0 ? 0 : ends[index - 1], end))),
  );
}

/**
 * Returns the members of a result that must be equal for complete lines and for pieces. Messages about broken lines may
 * differ.
 */
function essence({ events, skipped, broken, position, error }: ReadResult): object {
  const places = broken.map((message) => /line \d+ \(byte \d+\)/.exec(message)?.[0]);
  return { events: events.map(withoutEvents), skipped, position, places, error: error?.failure.code };
}

fuzz({
  name: 'archive-in-pieces',
  inputs: 12,
  limitMs: LIMIT_MS,
  valid: archiveOf(MAX_LINES),
  edit: archiveEdit,
  tokens: ARCHIVE_TOKENS,
  read: async (input) => {
    const isRaw = /^[^\t\n]*\t[^\t\n]*T/.test(input.toString('latin1'));
    const random = new Random(crc32(input));
    writeFileSync(plainPath, Buffer.concat([isRaw ? RAW : COPY, input]));
    const parts = compressParts(input, cutsOf(input, random));
    writeFileSync(piecesPath, Buffer.concat([isRaw ? COMPRESSED_RAW : COMPRESSED_COPY, parts]));
    const skipBroken = random.chance(0.7);
    const expected = await readToEnd(plainPath, { skipBroken });
    const pieces = await readToEnd(piecesPath, { skipBroken, maxHeldLineBytes: MAX_HELD_BYTES });
    assert.ok(isDeepStrictEqual(essence(pieces), essence(expected)), 'the result differs in pieces');
    return expected.error === undefined && expected.broken.length === 0;
  },
});
