// Tests the hash that assigns contracts to blocks of the call graph, with the vectors of its authors.
import { expect, test } from 'vitest';
import { graphBlockOf } from '#layout/data-files.ts';
import { fnv1a } from '#layout/fnv1a.ts';

test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['fo', 0x6222e842],
  ['foobar', 0xbf9cf968],
])('fnv1a(%j)', (text, hash) => {
  expect(fnv1a(text)).toBe(hash);
});

test('a block is the first three of eight hex digits', () => {
  expect(graphBlockOf('foobar')).toBe('bf9');
  const ids = Array.from({ length: 40_000 }, (_, index) => `SP000000000000000000002Q6VF78.bns-${index}-v1`);
  const blocks = Map.groupBy(ids, graphBlockOf);
  for (const block of blocks.keys()) expect(block).toMatch(/^[0-9a-f]{3}$/);
  // Names that differ only in digits are spread over all blocks.
  expect(blocks.size).toBeGreaterThan(4_000);
  expect(Math.max(...[...blocks.values()].map(({ length }) => length))).toBeLessThan(40);
});
