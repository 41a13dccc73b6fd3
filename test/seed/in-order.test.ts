// Tests that the lines of a seed have the order of the chain, with archives in any order.
import { expect, test } from 'vitest';
import { inOrder } from '#seed/in-order.ts';
import type { SeedLine } from '#seed/part-writer.ts';
import { hashOf } from '../support/transactions.ts';

const line = (height: number, text = 'x'.repeat(1_000)): SeedLine => ({
  head: { height, indexBlockHash: hashOf(height), parentIndexBlockHash: hashOf(height - 1), burnBlockHeight: 1 },
  text: Buffer.from(text),
});

/** Takes the lines of all heights, and returns their texts and the number of passes over the archives. */
async function take(lines: readonly SeedLine[], heights: number, maxBytes?: number) {
  let passes = 0;
  const ordered = inOrder(async function* () {
    passes++;
    yield* lines;
  }, maxBytes);
  const taken: (string | undefined)[] = [];
  for (let height = 1; height <= heights; height++) taken.push((await ordered.take(height))?.text?.toString());
  return { taken, passes };
}

const HEIGHTS = Array.from({ length: 100 }, (_, index) => index + 1);

test.each([
  ['ascending', HEIGHTS, 1],
  ['descending', HEIGHTS.toReversed(), 13],
  ['mixed', HEIGHTS.toSorted((left, right) => ((left * 37) % 101) - ((right * 37) % 101)), 13],
])('finds %s lines within few passes, in little memory', async (_, heights, maxPasses) => {
  const lines = heights.map((height) => line(height, `${height} ${'x'.repeat(1_000)}`));
  const { taken, passes } = await take(lines, 100, 20_000);
  expect(taken.map((text) => Number.parseInt(text ?? '', 10))).toEqual(HEIGHTS);
  expect(passes).toBeLessThanOrEqual(maxPasses);
  expect((await take(lines, 100)).passes).toBe(1);
});

test('finds a line that is larger than the memory for lines', async () => {
  const large = 'x'.repeat(100_000);
  const { taken } = await take([line(3, large), line(2, large), line(1, large)], 3, 20_000);
  expect(taken).toEqual([large, large, large]);
});

test('takes the first line of a block, and notices that a line is missing', async () => {
  const lines = [line(2, 'first'), line(2, 'second'), line(1, 'one'), line(1, 'other')];
  expect(await take(lines, 3)).toEqual({ taken: ['one', 'first', undefined], passes: 1 });
  const many = HEIGHTS.slice(1).map((height) => line(height));
  expect((await take(many, 1, 20_000)).taken).toEqual([undefined]);
});
