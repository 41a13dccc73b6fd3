import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openNdjsonFile } from '#dump/ndjson-file.ts';
import { openParquetFile } from '#dump/parquet-file.ts';
import { columnsOf, type Row } from '#dump/tables.ts';
import { readParquet, readParquetShape } from '../support/read-parquet.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NAMES = columnsOf('values').map(([name]) => name);
const NOTHING = Object.fromEntries(NAMES.map((name) => [name, undefined])) as Row<'values'>;
const MAX_UINT = String(2n ** 128n - 1n);
/** Texts that are difficult to store. Contracts may return most of them. */
const TEXTS = ['', ' ', '\0', 'a\nb\r"\\', '\u{1f40a}', '\u2028', 'é'.repeat(40), `${'x'.repeat(1_000_000)}`, MAX_UINT];

const rowOf = (number: number): Row<'values'> => ({
  ...NOTHING,
  value: TEXTS[number % TEXTS.length],
  height: number % 3 === 0 ? undefined : Number.MAX_SAFE_INTEGER - number,
  is_none: number % 2 === 0,
  failure_message: 'y'.repeat(5_000),
});
const ROWS = Array.from({ length: 100 }, (_, number) => rowOf(number));

describe.each([
  ['openParquetFile', (path: string) => openParquetFile(path, 'values')],
  ['openNdjsonFile', (path: string) => openNdjsonFile(path, 'values')],
] as const)('%s', (name, open) => {
  const write = async (path: string, perPage: number) => {
    const file = open(path);
    for (let start = 0; start < ROWS.length; start += perPage) await file.add(ROWS.slice(start, start + perPage));
    return file.end();
  };

  test('writes rows that are read back unchanged', async () => {
    const folder = tempFolder();
    const { hash, bytes } = await write(join(folder, 'table.gz'), 7);
    const file = readFileSync(join(folder, 'table.gz'));
    expect([createHash('sha256').update(file).digest('hex'), file.length]).toEqual([hash, bytes]);
    const rows =
      name === 'openParquetFile'
        ? await readParquet(join(folder, 'table.gz'))
        : gunzipSync(file)
            .toString()
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as object);
    const expected = ROWS.map((row) => NAMES.map((column) => [column, row[column as keyof typeof row] ?? null]));
    expect(rows.map((row) => Object.entries(row))).toEqual(expected);
  });

  test('writes the same bytes for the same rows in pages of any size', async () => {
    const folder = tempFolder();
    const { hash } = await write(join(folder, 'a'), 100);
    expect((await write(join(folder, 'b'), 3)).hash).toBe(hash);
  });

  test('writes a valid table without rows', async () => {
    const folder = tempFolder();
    await open(join(folder, 'empty')).end();
    if (name === 'openNdjsonFile') expect(gunzipSync(readFileSync(join(folder, 'empty'))).length).toBe(0);
    else {
      expect(await readParquet(join(folder, 'empty'))).toEqual([]);
      expect((await readParquetShape(join(folder, 'empty'))).columns).toEqual(NAMES);
    }
  });

  test('does not overwrite an existing file', async () => {
    const path = join(tempFolder(), 'table');
    await write(path, 100);
    expect(() => open(path)).toThrow('EEXIST');
  });
});

test('limits the row groups of Parquet files, and writes a neutral gzip header', async () => {
  const folder = tempFolder();
  const [parquet, lines] = [
    openParquetFile(join(folder, 'table.parquet'), 'values'),
    openNdjsonFile(join(folder, 'lines.gz'), 'values'),
  ];
  for (const file of [parquet, lines]) {
    await file.add(ROWS);
    await file.end();
  }
  const { groupBytes } = await readParquetShape(join(folder, 'table.parquet'));
  expect(groupBytes.length).toBeGreaterThan(2);
  for (const bytes of groupBytes) expect(bytes).toBeLessThan(4_100_000);
  // In the header of gzip (RFC 1952), these bytes mean: no name, no time, and an unknown system.
  expect([...readFileSync(join(folder, 'lines.gz')).subarray(3, 10)]).toEqual([0, 0, 0, 0, 0, 0, 255]);
});
