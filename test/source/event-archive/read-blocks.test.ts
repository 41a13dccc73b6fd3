import { describe, expect, test } from 'vitest';
import { readBlocks } from '#source/event-archive/read-blocks.ts';
import { expectLinear } from '../../support/linear-time.ts';

/** Returns the texts of the blocks of lines in a stream. */
async function read(chunks: readonly string[], blockBytes?: number): Promise<string[]> {
  const stream = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  const blocks: string[] = [];
  for await (const block of readBlocks(stream, blockBytes)) blocks.push(block.toString());
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
  expect(await read([text])).toEqual(text === '' ? [] : [text]);
});

test('yields blocks of a megabyte or more, each with separate memory', async () => {
  const chunk = `${'x'.repeat(600_000)}\n${'y'.repeat(200_000)}`;
  const blocks = await read(Array.from({ length: 9 }, () => chunk));
  expect(blocks.join('')).toBe(chunk.repeat(9));
  expect(blocks.map((text) => text.length)).toEqual([1_400_002, 1_600_002, 1_600_002, 1_600_002, 1_000_001]);
});

test('takes time in proportion to the number of chunks', () =>
  expectLinear((chunks) => read(Array(chunks).fill('x'.repeat(16))), 10_000));

describe.each([1, 3, 5, 100])('reads lines in blocks of %s bytes', (blockBytes) => {
  test.each(TEXTS)('%j', async (text) => {
    for (let size = 1; size <= text.length; size++) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      for (const some of [chunks, chunks.flatMap((chunk) => [chunk, ''])]) {
        const blocks = await read(some, blockBytes);
        expect(blocks.join(''), `chunks of ${size}`).toBe(text);
        for (const block of blocks.slice(0, -1)) expect(block).toMatch(/\n$/);
      }
    }
  });
});

test('throws an error for a line that is too long, after the lines before it', async () => {
  let read = 0;
  const stream = (async function* () {
    yield Buffer.from('a\nb');
    for (; read < 100; read++) yield Buffer.from('c'.repeat(10));
  })();
  const blocks = readBlocks(stream, 1, 50);
  expect((await blocks.next()).value?.toString()).toBe('a\n');
  await expect(blocks.next()).rejects.toThrow('the line has more than 0.00005 MB');
  expect(read).toBe(4);
});

test('throws an error of the stream after the complete lines before it', async () => {
  const stream = (async function* () {
    yield Buffer.from('a\nb');
    throw new Error('no more');
  })();
  const blocks = readBlocks(stream);
  expect((await blocks.next()).value?.toString()).toBe('a\n');
  await expect(blocks.next()).rejects.toThrow('no more');
});
