// Tests event archives with broken, mutated, truncated, repeated and reordered lines, plain and compressed. Reads each
// archive without interruption, and also interrupted and continued.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { crc32, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import type { ChainEvent } from '#model/chain-event.ts';
import { isContractId } from '#model/principal.ts';
import { type ReadResult, readToEnd } from '../../support/archives.ts';
import { Random } from '../../support/random.ts';
import { tempFolderForFile } from '../../support/temp-folder.ts';
import { byteEdit, type Edit } from './edits.ts';
import { fuzz } from './fuzz.ts';
import { ARCHIVE_TOKENS, archiveEdit, archiveOf } from './random-archive.ts';
import { sizeOf } from './size-of.ts';

const HASH = /^0x[0-9a-f]{64}$/;
/** The maximum size of the events per byte of input. It is high because a failure is longer than its event. */
const GROWTH = 50;
const MAX_SENTENCES_LENGTH = 150_000;
/**
 * The maximum processor time per input. It is high because an archive is read five times, and every read may start
 * threads.
 */
const LIMIT_MS = 5_000;
const NEWLINE = 0x0a;

const folder = tempFolderForFile();
const read = (name: string, bytes: Uint8Array, options: Parameters<typeof readToEnd>[1]) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return readToEnd(path, options);
};

function checkEvent(event: ChainEvent): void {
  assert.match(event.parentIndexBlockHash, HASH);
  assert.ok(Number.isSafeInteger(event.burnBlockHeight) && event.burnBlockHeight >= 0);
  for (const { contractId, txIndex } of event.deploys) {
    assert.ok(isContractId(contractId));
    assert.ok(Number.isSafeInteger(txIndex));
  }
  if (event.kind === 'microblocks') return;
  assert.match(event.indexBlockHash, HASH);
  assert.ok(Number.isSafeInteger(event.height) && event.height >= 0);
}

/** Checks that an interrupted read and its continuation together return all events. */
async function checkResumed(bytes: Uint8Array, before: ReadResult, all: ReadResult): Promise<void> {
  const rest = await read('complete', bytes, { known: [before.position], skipBroken: true });
  if (before.position !== undefined) assert.equal(rest.resumedAtLine, before.position.nextLine);
  assert.ok(isDeepStrictEqual([...before.events, ...rest.events], all.events), 'the events differ after continuing');
  const { nextOffset, nextLine } = rest.position ?? before.position ?? {};
  assert.deepEqual([nextOffset, nextLine], [all.position?.nextOffset, all.position?.nextLine]);
  assert.equal(rest.error?.failure.code, all.error?.failure.code);
}

/**
 * Truncates the archive, as if the file were still being written or copied, and checks that reading continues after the
 * rest arrives.
 */
async function checkCut(bytes: Buffer, random: Random, all: ReadResult): Promise<void> {
  const end = random.below(bytes.length + 1);
  const before = await read('cut', bytes.subarray(0, end), { skipBroken: true });
  // If the cut leaves a complete but shorter line, that line is different, so the continuation cannot be compared.
  const isLineConsumed = before.position?.nextOffset === end && bytes[end - 1] !== NEWLINE && bytes[end] !== NEWLINE;
  if (!isLineConsumed) await checkResumed(bytes, before, all);
}

async function checkCompressedCut(bytes: Buffer, random: Random, all: ReadResult): Promise<void> {
  const compressed = random.chance(0.5) ? gzipSync(bytes) : zstdCompressSync(bytes);
  const end = random.below(compressed.length);
  const before = await read('compressed', compressed.subarray(0, end), { skipBroken: true });
  await checkResumed(compressed, before, all);
}

/** Compresses an archive, and edits the compressed bytes. */
const compressedEdit: fc.Arbitrary<Edit> = fc
  .tuple(fc.constantFrom(gzipSync, zstdCompressSync), fc.option(byteEdit(fc.constant(gzipSync('\n')))))
  .map(
    ([compress, edit]) =>
      (input) =>
        edit === null ? compress(input) : edit(compress(input)),
  );

fuzz({
  name: 'archive',
  inputs: 80,
  limitMs: LIMIT_MS,
  valid: archiveOf(5),
  edit: fc.oneof({ weight: 9, arbitrary: archiveEdit }, { weight: 1, arbitrary: compressedEdit }),
  tokens: ARCHIVE_TOKENS,
  read: async (input) => {
    const all = await read('archive', input, { skipBroken: true });
    all.events.forEach(checkEvent);
    assert.ok(sizeOf(all.events) <= GROWTH * input.length + MAX_SENTENCES_LENGTH, 'the events are too large');
    const random = new Random(crc32(input));
    const isPlain = input[0] !== 0x1f && input[0] !== 0x28;
    if (isPlain) await random.pick([checkCut, checkCompressedCut])(input, random, all);
    const strict = await read('archive', input, {});
    await checkResumed(input, strict, all);
    return all.error === undefined;
  },
});
