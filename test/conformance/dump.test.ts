// Reads a dump with DuckDB, as an analyst would.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { openNdjsonFile } from '#dump/ndjson-file.ts';
import { openParquetFile } from '#dump/parquet-file.ts';
import { columnsOf, type Row, TABLE_NAMES } from '#dump/tables.ts';
import { buildIndex } from '../support/build-options.ts';
import { indexSample } from '../support/sample.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';
import { queryTables } from './query-tables.ts';

const folder = tempFolderForFile();
const dist = join(folder, 'dist');
const MAX_UINT = String(2n ** 128n - 1n);
const TEXTS = ['', ' ', '\0', 'a\nb\r"\\', '\u{1f40a}', '\u2028', 'é'.repeat(40), 'x'.repeat(1_000_000), MAX_UINT];
const NAMES = columnsOf('values').map(([name]) => name);
const NOTHING = Object.fromEntries(NAMES.map((name) => [name, undefined])) as Row<'values'>;
const ROWS = Array.from(
  { length: 100 },
  (_, number): Row<'values'> => ({
    ...NOTHING,
    value: TEXTS[number % TEXTS.length],
    height: number % 3 === 0 ? undefined : Number.MAX_SAFE_INTEGER - number,
    is_none: number % 2 === 0,
  }),
);

describe('a dump of the sample', () => {
  beforeAll(async () => {
    const db = join(folder, 'index.sqlite');
    await indexSample(db);
    await buildIndex(db, dist, { dump: true });
  });

  test.each(TABLE_NAMES)('has the same %s in both formats', async (table) => {
    const rows = await queryTables(dist, `select * from 'dump/${table}.parquet'`);
    const lines = gunzipSync(readFileSync(join(dist, `dump/${table}.ndjson.gz`))).toString();
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual(rows);
    const count = `select count(*) as rows from read_json('dump/${table}.ndjson.gz')`;
    expect(await queryTables(dist, count)).toEqual([{ rows: rows.length }]);
  });

  test('runs the queries of docs/dump.md', async () => {
    const page = readFileSync(new URL('../../docs/dump.md', import.meta.url), 'utf8');
    const queries = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query = '']) => query);
    const [states, collections, missing] = await Promise.all(queries.map((query) => queryTables(dist, query)));
    expect(queries.length).toBe(3);
    expect(states?.map(({ state }) => state)).toContain('complete');
    expect(collections?.length).toBeGreaterThan(1);
    expect(missing?.map(({ field }) => field)).toContain('decimals');
  });
});

const COLUMNS = NAMES.map((column) => `${column}: 'VARCHAR'`).join(', ');

test.each([
  ['Parquet', openParquetFile, "read_parquet('table.gz')"],
  ['NDJSON', openNdjsonFile, `read_json('table.gz', format = 'newline_delimited', columns = {${COLUMNS}})`],
] as const)('reads difficult texts and large numbers from %s', async (name, open, from) => {
  const at = join(folder, name);
  mkdirSync(at);
  const file = open(join(at, 'table.gz'), 'values');
  for (let start = 0; start < ROWS.length; start += 7) await file.add(ROWS.slice(start, start + 7));
  await file.end();
  const select = 'select value, height::bigint as height, is_none::boolean as is_none';
  expect(await queryTables(at, `${select} from ${from}`)).toEqual(
    ROWS.map(({ value, height = null, is_none }) => ({ value, height, is_none })),
  );
  const largest = `select max(value::uhugeint)::varchar as maximum from ${from} where value = '${MAX_UINT}'`;
  expect(await queryTables(at, largest)).toEqual([{ maximum: MAX_UINT }]);
});

test('reads a Parquet table without rows', async () => {
  await openParquetFile(join(folder, 'empty'), 'values').end();
  const count = "select count(value) as count from read_parquet('empty')";
  expect(await queryTables(folder, count)).toEqual([{ count: 0 }]);
});
