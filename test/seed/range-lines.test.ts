// Tests how the lines of a range are sorted, held back and divided into parts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PartWriter } from '#seed/part-writer.ts';
import { type Line, RangeLines } from '#seed/range-lines.ts';
import type { BlockHead } from '#source/observer/block-run.ts';
import { type CutPayload, cutEmpty } from '#source/observer/cut-payload.ts';
import { expectLinear } from '../support/linear-time.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { hashOf } from '../support/transactions.ts';

const headOf = (height: number, id = `${height}`): BlockHead => ({
  height,
  indexBlockHash: hashOf(id),
  parentIndexBlockHash: hashOf(height - 1),
  burnBlockHeight: height,
});

/** Returns a payload whose line is `text`. */
function payloadOf(height: number, text: string, id = `${height}`): [CutPayload, Buffer[]] {
  const bytes = Buffer.alloc(Buffer.byteLength(text), text);
  return [{ ...cutEmpty(headOf(height, id)), bytes }, [bytes]];
}

function linesOf(first: number, counts: readonly number[]): RangeLines {
  const range = { first, last: first + counts.length - 1, isFinal: false };
  const expected = { blocksAt: Uint16Array.from(counts), microblocksAt: new Map() };
  return new RangeLines(join(tempFolder(), 'held.tsv'), range, expected, { heldBytes: 0 });
}

const textsOf = (lines: Iterable<Line>) => [...lines].map(({ pieces }) => Buffer.concat(pieces).toString());
const place = (height: number, order: number, rank = 0) => ({ height, rank, order });

test('yields lines in the order of the chain, and consecutive empty blocks as one line', () => {
  const lines = linesOf(5, [1, 2, 1, 1]);
  const [orphan, lineOfOrphan] = payloadOf(6, 'orphan', 'other');
  lines.add(orphan, place(6, 0, 1), lineOfOrphan);
  expect(textsOf(lines.take())).toEqual([]);
  const [five, lineOfFive] = payloadOf(5, 'five');
  lines.add(five, place(5, 1), lineOfFive);
  expect(textsOf(lines.take())).toEqual(['five']);
  for (const height of [8, 7, 6]) lines.add(cutEmpty(headOf(height)), place(height, 10 - height), undefined);
  const rest = [...lines.take()];
  expect(rest.map(({ first, last, orphans }) => [first, last, orphans])).toEqual([
    [6, 6, 0],
    [6, 6, 1],
    [7, 8, 0],
  ]);
  expect(lines.isDone).toBe(true);
});

test('skips copies of a line, and keeps other lines of the same block', () => {
  const lines = linesOf(1, [1]);
  for (const text of ['a', 'b', 'a', 'b', 'c']) {
    const [payload, line] = payloadOf(1, text);
    lines.add({ ...payload, lacksInterface: true }, place(1, 0), line);
  }
  expect(textsOf(lines.take())).toEqual([]);
  expect(textsOf(lines.take(true))).toEqual(['a', 'b', 'c']);
});

test('takes linear time for copies of a block', async () => {
  await expectLinear((copies) => {
    const lines = linesOf(1, [1, 1]);
    for (let copy = 0; copy < copies; copy++) {
      const [payload, line] = payloadOf(2, `${copy}`.padStart(2_000));
      lines.add(payload, place(2, copy), line);
    }
  }, 1_000);
});

test('holds more lines than the memory allows in a file', () => {
  const lines = linesOf(1, [1, ...Array<number>(80).fill(1)]);
  const text = 'x'.repeat(1_000_000);
  for (let height = 2; height <= 81; height++) {
    const [payload, line] = payloadOf(height, `${height} ${text}`);
    lines.add(payload, place(height, height), line);
  }
  const [first, line] = payloadOf(1, 'first');
  lines.add(first, place(1, 0), line);
  const texts = textsOf(lines.take());
  expect(texts.map((held) => held.split(' ')[0])).toEqual([
    'first',
    ...Array.from({ length: 80 }, (_, at) => `${at + 2}`),
  ]);
  lines.close();
});

test('ends a part above the highest block of a run', async () => {
  const folder = tempFolder();
  const writer = new PartWriter(folder, 1);
  const large = Buffer.alloc(20_000_000, 'x');
  for (let at = 0; at < large.length; at += 4) large.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
  await writer.write({ first: 1, last: 1, pieces: [large], orphans: 0 });
  await writer.write({ first: 2, last: 4, pieces: [large], orphans: 0 });
  await writer.write({ first: 4, last: 4, pieces: [Buffer.from('orphan')], orphans: 1 });
  await writer.write({ first: 5, last: 5, pieces: [Buffer.from('five')], orphans: 0 });
  await writer.end(9);
  expect(writer.parts.map(({ first, last, orphans }) => [first, last, orphans])).toEqual([
    [1, 1, 0],
    [2, 4, 1],
    [5, 9, 0],
  ]);
  const last = writer.parts.at(-1);
  expect(zstdDecompressSync(readFileSync(join(folder, last?.file ?? ''))).toString()).toBe('five');
});
