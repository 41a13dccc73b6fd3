import { readdirSync } from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { heightsOf, readToEnd, writeArchive } from '../../support/archives.ts';
import { blockLine, line } from '../../support/transactions.ts';

const blocks = (from: number, to: number, fork = '') =>
  Array.from({ length: to - from }, (_, index) => from + index)
    .map((height) => blockLine({ id: `${fork}${height}`, parent: `${fork}${height - 1}`, height }))
    .join('');
/** A line of more than a megabyte. An archive is identified by its first megabyte. */
const MEGABYTE = line('/other', 'x'.repeat(1_200_000));

const WAYS = [
  ['plain', (text: string) => Buffer.from(text)],
  ['gzip', (text: string) => gzipSync(text)],
  ['zstd', (text: string) => zstdCompressSync(text)],
] as const;

test('closes an archive whose compressed data is damaged from the start', async () => {
  const damaged = writeArchive(Buffer.concat([zstdCompressSync('').subarray(0, 6), Buffer.alloc(100, 1)]), 'a.zst');
  const openFiles = () => readdirSync('/proc/self/fd').length;
  const before = openFiles();
  for (let count = 0; count < 20; count++)
    expect((await readToEnd(damaged)).error?.failure.code).toBe('archive-compressed-data-broken');
  expect(openFiles()).toBeLessThan(before + 10);
});

describe.each([
  ['shorter than a megabyte', blocks(1, 10)],
  ['longer than a megabyte', blocks(1, 5) + MEGABYTE + blocks(5, 10)],
])('locateArchive: an archive %s', (_, text) => {
  describe.each(WAYS)('%s', (_way, pack) => {
    test('finds nothing new in the same archive under another path', async () => {
      const { position } = await readToEnd(writeArchive(text));
      const again = await readToEnd(writeArchive(pack(text), 'other-name'), { known: [position] });
      expect(again).toMatchObject({
        resumedAtLine: position?.nextLine,
        events: [],
        position: undefined,
        error: undefined,
      });
    });

    test.each([1, 40, 2_000])('reads %d new blocks', async (count) => {
      const { position } = await readToEnd(writeArchive(text));
      const grown = writeArchive(pack(text + blocks(10, 10 + count)));
      const rest = await readToEnd(grown, { known: [position] });
      expect(heightsOf(rest.events)).toEqual(Array.from({ length: count }, (_block, index) => 10 + index));
      expect(rest.position).toEqual((await readToEnd(grown)).position);
      expect(await readToEnd(grown, { known: [rest.position] })).toMatchObject({ events: [], error: undefined });
    });

    test('continues an archive that lacked its last newline', async () => {
      const { position } = await readToEnd(writeArchive(pack(text.slice(0, -1))));
      const rest = await readToEnd(writeArchive(pack(text + blocks(10, 12))), { known: [position] });
      expect(heightsOf(rest.events)).toEqual([10, 11]);
      expect(rest.error).toBeUndefined();
      expect(rest.position).toEqual((await readToEnd(writeArchive(text + blocks(10, 12)))).position);
    });

    test('reads only the missing newline', async () => {
      const { position } = await readToEnd(writeArchive(pack(text.slice(0, -1))));
      const rest = await readToEnd(writeArchive(pack(text)), { known: [position] });
      expect(rest).toMatchObject({ events: [], error: undefined });
      expect(rest.position).toMatchObject({ nextOffset: text.length });
    });

    test('reads an archive with another continuation from its beginning', async () => {
      const { position } = await readToEnd(writeArchive(text));
      const other = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1) + blocks(20, 30, 'other');
      const read = await readToEnd(writeArchive(pack(other)), { known: [position] });
      expect(read.resumedAtLine).toBeUndefined();
      expect(heightsOf(read.events)).toEqual(heightsOf((await readToEnd(writeArchive(other))).events));
    });

    test('reads a shorter copy, and still knows the longer archive', async () => {
      const { position } = await readToEnd(writeArchive(text));
      const prefix = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
      const shorter = await readToEnd(writeArchive(pack(prefix)), { known: [position] });
      expect(shorter.error).toBeUndefined();
      expect(heightsOf(shorter.events)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      const again = await readToEnd(writeArchive(pack(text)), { known: [shorter.position, position] });
      expect(again).toMatchObject({ resumedAtLine: position?.nextLine, events: [] });
    });

    test('continues from the furthest known position', async () => {
      const { position: short } = await readToEnd(writeArchive(text));
      const { position: long } = await readToEnd(writeArchive(text + blocks(10, 20)));
      const { position: other } = await readToEnd(writeArchive(text + blocks(10, 40, 'other')));
      const rest = await readToEnd(writeArchive(pack(text + blocks(10, 25))), { known: [short, other, long] });
      expect(heightsOf(rest.events)).toEqual([20, 21, 22, 23, 24]);
    });
  });
});

describe('locateArchive', () => {
  test('treats an archive with a changed first megabyte as another one', async () => {
    const { position } = await readToEnd(writeArchive(blocks(1, 10)));
    const read = await readToEnd(writeArchive(blocks(1, 3, 'x') + blocks(3, 12)), { known: [position] });
    expect(read.resumedAtLine).toBeUndefined();
  });

  test.skipIf(process.platform !== 'linux')('closes all files', async () => {
    const path = writeArchive(blocks(1, 5) + MEGABYTE.repeat(2));
    const noArchive = writeArchive(Buffer.alloc(2_000_000, 1));
    const { position } = await readToEnd(path);
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let run = 0; run < 20; run++) {
      await readToEnd(path, { known: [position] });
      await readToEnd(noArchive);
    }
    await new Promise((resume) => setTimeout(resume, 100));
    expect(open()).toBeLessThan(before + 10);
  });
});
