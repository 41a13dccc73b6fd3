// Tests lists of published files that are decompressed in several pieces.

import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseList } from '#publish/published-list.ts';
import type { Target } from '#publish/target.ts';

const target = { name: 's3://site' } as Target;

test('reads each file of a long list, whatever bytes its path has', async () => {
  const files = Array.from({ length: 50_000 }, (_, index) => ({
    path: `metadata/v1/ft/SP${index}.tokén-🪙-${'x'.repeat(index % 50)}`,
    sha256: index % 3 === 0 ? undefined : index.toString(16).padStart(16, '0'),
  }));
  const text = files.map(({ path, sha256 }) => `${sha256 ?? '?'}  ${path}\n`).join('');
  const pages = await Array.fromAsync(parseList(target, zstdCompressSync(text)));
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.flat()).toEqual(files);
});

test('reads an empty list', async () => {
  expect((await Array.fromAsync(parseList(target, zstdCompressSync('')))).flat()).toEqual([]);
});
