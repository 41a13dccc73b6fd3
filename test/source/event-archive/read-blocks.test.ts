import { describe, expect, test } from 'vitest';
import { readBlocks } from '#source/event-archive/read-blocks.ts';

/** Returns the blocks of lines in a stream. Joins the pieces of each long line. */
async function read(chunks: readonly string[], maxHeldBytes?: number): Promise<{ text: string; isLong: boolean }[]> {
  const stream = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  const blocks: { text: string; isLong: boolean }[] = [];
  const join = async (pieces: AsyncIterable<Buffer>) => {
    let text = '';
    for await (const piece of pieces) text += piece.toString();
    return text;
  };
  for await (const block of readBlocks(stream, join, maxHeldBytes))
    blocks.push({ text: block.toString(), isLong: !Buffer.isBuffer(block) });
  return blocks;
}

const TEXTS = [
  '',
  'a',
  '\n',
  'a\n',
  '\n\na',
  'abc\ndefghi\n\nj\n',
  'abc\ndefghi\nj',
  'abcdefghijkl\nm\n',
  'a\nbcdefghijkl',
];

test.each(TEXTS)('%j', async (text) => {
  expect(await read([text])).toEqual(text === '' ? [] : [{ text, isLong: false }]);
});

test('yields blocks of a megabyte or more, each with separate memory', async () => {
  const chunk = `${'x'.repeat(600_000)}\n${'y'.repeat(200_000)}`;
  const blocks = await read(Array.from({ length: 9 }, () => chunk));
  expect(blocks.map(({ text }) => text).join('')).toBe(chunk.repeat(9));
  expect(blocks.map(({ text }) => text.length)).toEqual([1_400_002, 1_600_002, 1_600_002, 1_600_002, 1_000_001]);
});

test('takes time in proportion to the number of chunks', async () => {
  const timeOf = async (chunks: number) => {
    const start = performance.now();
    expect(await read(Array(chunks).fill('x'.repeat(16)))).toHaveLength(1);
    return performance.now() - start;
  };
  await timeOf(1_000);
  const few = await timeOf(10_000);
  expect(await timeOf(80_000)).toBeLessThan(Math.max(few, 5) * 8 * 4);
});

describe.each([undefined, 0, 1, 3, 5])('reads lines longer than %s bytes in pieces', (maxHeldBytes) => {
  test.each(TEXTS)('%j', async (text) => {
    for (let size = 1; size <= text.length; size++) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      for (const some of [chunks, chunks.flatMap((chunk) => [chunk, ''])]) {
        const blocks = await read(some, maxHeldBytes);
        expect(blocks.map((block) => block.text).join(''), `chunks of ${size}`).toBe(text);
        for (const block of blocks.slice(0, -1)) expect(block.text).toMatch(/\n$/);
        for (const block of blocks) {
          const longest = Math.max(...block.text.split('\n').map((line) => line.length));
          // A line that ends within the chunk in which the limit is reached is not a long line.
          if (!block.isLong) expect(longest).toBeLessThanOrEqual((maxHeldBytes ?? text.length) + size);
          else expect(block.text).toMatch(/^[^\n]+\n?$/);
        }
      }
    }
  });
});

test('throws an error of the stream after the complete lines before it', async () => {
  const stream = (async function* () {
    yield Buffer.from('a\nb');
    throw new Error('no more');
  })();
  const blocks = readBlocks(stream, async () => 'long');
  expect((await blocks.next()).value?.toString()).toBe('a\n');
  await expect(blocks.next()).rejects.toThrow('no more');
});
