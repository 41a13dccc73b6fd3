// Lines of an archive that are too long to hold: read in pieces they say the same as read whole.
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
import { mutateArchive, randomArchive } from './random-archive.ts';

/** The beginning of an archive is read at once, however it is stored: it is of a line that says nothing. */
const BEGINNING_BYTES = 1_000_000;
/** The end of a COPY is held, as it is with every limit that makes sense. */
const MAX_HELD_BYTES = 2;
const beginning = (timestamp: string) => Buffer.from(`1\t${timestamp}\t/other\t${'x'.repeat(BEGINNING_BYTES)}\n`);
/** Many, since the beginning costs as much. */
const MAX_LINES = 20;
/** Threads may be started for each reading. */
const LIMIT_MS = 3_000;
const COPY = beginning('2024-01-01 00:00:00+00');
const RAW = beginning('2024-01-01T00:00:00Z');
const COMPRESSED_COPY = zstdCompressSync(COPY);
const COMPRESSED_RAW = zstdCompressSync(RAW);

const folder = tempFolderForFile();
const wholePath = join(folder, 'whole');
const piecesPath = join(folder, 'pieces');

/** Where the archive is cut so that each of its lines comes in pieces, the columns before the JSON all in the first. */
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

/** Each part is compressed by itself, and decompressed by itself. */
function compressParts(archive: Buffer, cuts: readonly number[]): Buffer {
  const ends = [...cuts, archive.length];
  return Buffer.concat(
    ends.map((end, index) => zstdCompressSync(archive.subarray(index === 0 ? 0 : ends[index - 1], end))),
  );
}

/** What must not depend on the pieces; why a line is broken may be said in other words. */
function essence({ events, skipped, broken, position, error }: ReadResult): object {
  const places = broken.map((message) => /line \d+ \(byte \d+\)/.exec(message)?.[0]);
  return { events: events.map(withoutEvents), skipped, position, places, error: error?.failure.code };
}

fuzz({
  name: 'archive-in-pieces',
  inputs: 12,
  limitMs: LIMIT_MS,
  valid: (random) => Array.from({ length: 6 }, () => randomArchive(random, MAX_LINES)),
  mutate: mutateArchive,
  tokens: ['\t', '\\', '\\\\', '\\"', '[', '{', ']', '}', ',', ':', ' ', '\u00a0', '\ufeff', '\v', '"events":[],'],
  read: async (input) => {
    const isRaw = /^[^\t\n]*\t[^\t\n]*T/.test(input.toString('latin1'));
    const random = new Random(crc32(input));
    writeFileSync(wholePath, Buffer.concat([isRaw ? RAW : COPY, input]));
    const parts = compressParts(input, cutsOf(input, random));
    writeFileSync(piecesPath, Buffer.concat([isRaw ? COMPRESSED_RAW : COMPRESSED_COPY, parts]));
    const skipBroken = random.chance(0.7);
    const whole = await readToEnd(wholePath, { skipBroken });
    const pieces = await readToEnd(piecesPath, { skipBroken, maxHeldLineBytes: MAX_HELD_BYTES });
    assert.ok(isDeepStrictEqual(essence(pieces), essence(whole)), 'in pieces it says something else');
    return whole.error === undefined && whole.broken.length === 0;
  },
});
