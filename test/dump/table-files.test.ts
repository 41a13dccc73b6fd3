import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openNdjsonFile } from '#dump/ndjson-file.ts';
import { openParquetFile } from '#dump/parquet-file.ts';
import { columnsOf, type Row } from '#dump/tables.ts';
import { queryTables } from '../support/duckdb.ts';
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

  test('default: writes rows that DuckDB reads back unchanged', async () => {
    const folder = tempFolder();
    const { hash, bytes } = await write(join(folder, 'table.gz'), 7);
    const file = readFileSync(join(folder, 'table.gz'));
    expect([createHash('sha256').update(file).digest('hex'), file.length]).toEqual([hash, bytes]);
    const columns = NAMES.map((column) => `${column}: 'VARCHAR'`);
    const json = `read_json('table.gz', format = 'newline_delimited', columns = {${columns.join(', ')}})`;
    const from = name === 'openParquetFile' ? "read_parquet('table.gz')" : json;
    const rows = await queryTables(
      folder,
      `select value, height::bigint as height, is_none::boolean as is_none from ${from}`,
    );
    expect(rows).toEqual(ROWS.map(({ value, height = null, is_none }) => ({ value, height, is_none })));
    const [sum] = await queryTables(
      folder,
      `select max(value::uhugeint)::varchar as maximum from ${from} where value = '${MAX_UINT}'`,
    );
    expect(sum).toEqual({ maximum: MAX_UINT });
  });

  test('behavior: writes the same bytes for the same rows in pages of any size', async () => {
    const folder = tempFolder();
    const { hash } = await write(join(folder, 'a'), 100);
    expect((await write(join(folder, 'b'), 3)).hash).toBe(hash);
  });

  test('behavior: writes a valid table without rows', async () => {
    const folder = tempFolder();
    await open(join(folder, 'empty')).end();
    if (name === 'openNdjsonFile') expect(gunzipSync(readFileSync(join(folder, 'empty'))).length).toBe(0);
    else
      expect(await queryTables(folder, "select count(value) as count from read_parquet('empty')")).toEqual([
        { count: 0 },
      ]);
  });

  test('error: does not overwrite an existing file', async () => {
    const path = join(tempFolder(), 'table');
    await write(path, 100);
    expect(() => open(path)).toThrow('EEXIST');
  });
});

test('behavior: limits the row groups of Parquet files, and writes a neutral gzip header', async () => {
  const folder = tempFolder();
  const [parquet, lines] = [
    openParquetFile(join(folder, 'table.parquet'), 'values'),
    openNdjsonFile(join(folder, 'lines.gz'), 'values'),
  ];
  for (const file of [parquet, lines]) {
    await file.add(ROWS);
    await file.end();
  }
  const groups = await queryTables(
    folder,
    "select row_group_id, sum(total_uncompressed_size)::bigint as bytes from parquet_metadata('table.parquet') group by all",
  );
  expect(groups.length).toBeGreaterThan(2);
  for (const { bytes } of groups) expect(bytes).toBeLessThan(4_100_000);
  // In the header of gzip (RFC 1952), these bytes mean: no name, no time, and an unknown system.
  expect([...readFileSync(join(folder, 'lines.gz')).subarray(3, 10)]).toEqual([0, 0, 0, 0, 0, 0, 255]);
});
