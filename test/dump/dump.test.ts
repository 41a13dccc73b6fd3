import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { columnsOf, type TableName } from '#dump/tables.ts';
import { writeDump } from '#dump/write-dump.ts';
import type { BuildOptions } from '#generator/build-options.ts';
import { DUMP_TYPES, dumpFile } from '#layout/data-files.ts';
import { openIndex } from '#store/index-database.ts';
import { openBucket } from '../support/bucket.ts';
import { buildIndex } from '../support/build-options.ts';
import { indexInto } from '../support/index-options.ts';
import { publish } from '../support/publish-to.ts';
import { readParquet } from '../support/read-parquet.ts';
import { COLLECTOR, copyIndex, filesBelow, indexSample, PRESSER, readTree } from '../support/sample.ts';
import { sampleBlock } from '../support/sample-block.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';
import { burnEvent, callJson, type Json } from '../support/transactions.ts';

const folder = tempFolderForFile();
const db = join(folder, 'index.sqlite');
const dist = join(folder, 'dist');
const TABLES = ['collections', 'contracts', 'nfts', 'tokens', 'values'];

const build = (from: string, out: string, over: Partial<BuildOptions> = {}) =>
  buildIndex(from, out, { dump: true, ...over });

beforeAll(async () => {
  await indexSample(db);
  await build(db, dist);
});

const rowsOf = (table: string, site = dist) => readParquet(join(site, `dump/${table}.parquet`));
const answer = (path: string) => JSON.parse(readFileSync(join(dist, path), 'utf8')) as Json;
const dumpOf = (out: string) => new Map([...readTree(out)].filter(([path]) => path.startsWith('dump/')));

/** Returns the row that is expected for a response: its members, and null in all other columns. */
const filled = (row: Json, shown: Json): Json =>
  Object.fromEntries(Object.keys(row).map((name) => [name, shown[name] ?? null]));

/** Returns the number of rows with each value of a column. */
const countBy = (rows: readonly Json[], column: string): Record<string, number> => {
  const groups = Map.groupBy(rows, (row) => String(row[column]));
  return Object.fromEntries([...groups].map(([value, members]) => [value, members.length]));
};

describe('writeDump', () => {
  test('writes the same rows and columns in both formats', async () => {
    expect(filesBelow(join(dist, 'dump'))).toEqual(
      TABLES.flatMap((table) => [`${table}.ndjson.gz`, `${table}.parquet`]).sort(),
    );
    for (const table of TABLES) {
      const rows = await rowsOf(table);
      const lines = gunzipSync(readFileSync(join(dist, `dump/${table}.ndjson.gz`))).toString();
      const parsed = lines.trimEnd().split('\n');
      expect(parsed.map((line) => JSON.parse(line) as Json)).toEqual(rows);
      expect(Object.keys(JSON.parse(parsed[0] ?? ''))).toEqual(Object.keys(rows[0] ?? {}));
    }
  });

  test('stops between two parts of the index', async () => {
    const store = await openIndex(db);
    const stopped = writeDump(store, tempFolder(), { publicUrl: '' }, () => {
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    await store.destroy();
  });

  test('has the counts of the status response', async () => {
    const { tokens, ft_states, token_contracts, contracts } = answer('metadata/v1/index.json') as Record<string, Json>;
    const [rows, nfts] = [await rowsOf('tokens'), await rowsOf('nfts')];
    expect({ queued: 0, complete: 0, partial: 0, error: 0, ...countBy(rows, 'state') }).toEqual(ft_states);
    const deployed = await rowsOf('contracts');
    expect(deployed.length).toBe(contracts);
    const standards = deployed.filter(({ standard, canonical, confirmed }) => standard && canonical && confirmed);
    expect(countBy(standards, 'standard')).toEqual(token_contracts);
    const shown = rows.filter(({ state }) => state === 'complete' || state === 'partial');
    const { 'sip-009': nft, 'sip-013': sft } = countBy(nfts, 'standard');
    expect({ ft: shown.length, nft, sft }).toEqual(tokens);
    const counted = (await rowsOf('collections')).reduce((sum, row) => sum + Number(row.tokens), 0);
    expect(counted).toBe(Number(tokens?.nft) + Number(tokens?.sft));
  });

  test('has the data of the responses in its rows', async () => {
    const isShown = ({ state }: Json) => state === 'complete' || state === 'partial';
    const tokens = (await rowsOf('tokens')).filter(isShown);
    expect(tokens.length).toBeGreaterThan(3);
    for (const { metadata, ...row } of tokens) {
      const { metadata: shown, ...members } = answer(`metadata/v1/ft/${row.principal}`);
      const { block_height } = answer(`extended/v1/contract/${row.principal}`);
      const { state, failure_code, failure_message, principal } = row;
      const added = { principal, state, failure_code, failure_message, block_height };
      expect(row).toEqual(filled(row, { ...members, ...added }));
      expect(metadata === null ? undefined : JSON.parse(String(metadata))).toEqual(shown);
      expect(state).toBe(answer(`metadata/v1/status/${principal}`).state);
    }
    const nfts = (await rowsOf('nfts')).filter(isShown);
    expect(nfts.length).toBeGreaterThan(5);
    for (const { principal, standard, token_id, token_uri, decimals, total_supply, metadata } of nfts) {
      const kind = standard === 'sip-009' ? 'nft' : 'sft';
      const shown = answer(`metadata/v1/${kind}/${principal}/${token_id}`);
      const row = { token_uri, decimals, total_supply, metadata: metadata && (JSON.parse(String(metadata)) as Json) };
      expect(row).toEqual(filled(row, shown));
    }
  });

  test('has a source for each value, or the reason why it is missing', async () => {
    const rows = await rowsOf('values');
    for (const row of rows.filter(({ token_id }) => token_id === null)) {
      const { values } = answer(`metadata/v1/status/${row.principal}`) as { values: Record<string, Json> };
      const { failure, none, ...status } = values[String(row.field)] ?? {};
      const { code: failure_code, message: failure_message } = (failure ?? {}) as Json;
      const expected = { ...status, failure_code, failure_message };
      for (const name of ['read_from', 'height', 'calls', 'whole_contract', 'failure_code', 'failure_message'])
        expect([name, row[name]]).toEqual([name, (expected as Json)[name] ?? null]);
      expect(row.is_none).toBe(none === true && row.value === null);
    }
    const without = rows.filter(({ value }) => value === null);
    for (const { is_none, failure_code, pending } of without)
      expect(is_none === true || failure_code !== null || pending === true).toBe(true);
    const failed = without.filter(({ failure_code }) => failure_code !== null);
    expect(failed).toContainEqual(
      expect.objectContaining({
        principal: `${COLLECTOR}.wrapped-token`,
        field: 'total_supply',
        read_from: null,
        failure_code: 'getter-error',
        failure_message: 'get-total-supply returned (err u6004).',
      }),
    );
    const tokens = new Map((await rowsOf('tokens')).map((row) => [row.principal, row]));
    for (const { principal, token_id, field, value } of rows) {
      const token = tokens.get(principal);
      if (token === undefined || token_id !== null || field === 'token_uri') continue;
      const shown = token[String(field)] ?? null;
      expect([principal, field, value]).toEqual([principal, field, shown === null ? null : String(shown)]);
    }
  });

  test('writes the columns that docs/dump.md lists', () => {
    const [, columns = ''] = readFileSync(new URL('../../docs/dump.md', import.meta.url), 'utf8').split('## Columns');
    for (const table of TABLES) {
      const [section = ''] = columns.split(`### ${table}\n`)[1]?.split('### ') ?? [];
      const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
      expect(listed).toEqual(columnsOf(table as TableName).map(([name]) => name));
    }
  });
});

describe('build --dump', () => {
  test('rewrites only changed tables, as in a full build, and removes them without the option', async () => {
    const [index, out] = [copyIndex(db, join(tempFolder(), 'index.sqlite')), tempFolder()];
    const first = await build(index, out);
    expect(dumpOf(out)).toEqual(dumpOf(dist));
    expect(await build(index, out, { full: true })).toMatchObject({ written: 0, removed: 0, unchanged: first.files });
    expect(await build(index, out)).toMatchObject({ written: 0, files: first.files });

    const call = callJson({ chainId: 0x53545850 });
    const burned = burnEvent(call.txid, `${PRESSER}.press-token::press`, '1250000');
    const archive = join(tempFolder(), 'chain.tsv');
    writeFileSync(archive, sampleBlock([call], [burned]));
    await indexInto(index, { archives: [archive] });
    const before = readTree(out);
    await build(index, out);
    const paths = [...readTree(out)].filter(([path, content]) => before.get(path) !== content).map(([path]) => path);
    const [press] = (await rowsOf('tokens', out)).filter(({ principal }) => principal === `${PRESSER}.press-token`);
    expect(press?.total_supply).toBe('0');
    expect(paths.filter((path) => path.startsWith('dump/')).sort()).toEqual(
      expect.arrayContaining(['dump/tokens.ndjson.gz', 'dump/tokens.parquet']),
    );
    expect(paths).not.toContain('dump/nfts.parquet');
    expect(readdirSync(join(out, '.stxpress'))).not.toContain('staging');
    const fresh = tempFolder();
    await build(index, fresh);
    expect(readTree(out)).toEqual(readTree(fresh));

    expect(await build(index, out, { dump: false })).toMatchObject({ removed: 2 * TABLES.length, written: 0 });
    expect(dumpOf(out).size).toBe(0);
  });

  test('--full repairs a table, and --only limits the tables to its tokens', async () => {
    const out = tempFolder();
    await build(db, out, { only: 'ft' });
    writeFileSync(join(out, 'dump/tokens.parquet'), 'changed');
    expect(await build(db, out, { only: 'ft', full: true })).toMatchObject({ written: 1, repaired: 1 });
    expect(await rowsOf('nfts', out)).toEqual([]);
    expect((await rowsOf('contracts', out)).length).toBe((await rowsOf('tokens', out)).length);
  });

  test('publish uploads changed tables with their types, and removes them', async () => {
    const [out, bucket] = [tempFolder(), await openBucket()];
    await build(db, out);
    await publish(out, bucket);
    for (const [extension, type] of Object.entries(DUMP_TYPES)) {
      const path = dumpFile('values', extension as keyof typeof DUMP_TYPES);
      expect(bucket.objects.get(path)).toMatchObject({ type, body: readFileSync(join(out, path)) });
    }
    await build(db, out, { full: true });
    expect(await publish(out, bucket)).toMatchObject({ sent: 0, removed: 0 });
    await build(db, out, { dump: false });
    expect(await publish(out, bucket)).toMatchObject({ sent: 0, removed: 2 * TABLES.length });
  });
});
