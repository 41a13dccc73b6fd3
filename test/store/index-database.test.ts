import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { insertChainFailures } from '#store/chain/chain-log.ts';
import { addToSupplies, readSupplies } from '#store/chain/supplies.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { readRun, writeRun } from '#store/work/runs.ts';
import { newIndex } from '../support/archives.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('openIndex', () => {
  test('default', async () => {
    const path = join(tempFolder(), 'index.sqlite');
    const { indexId } = await readInfo(await newIndex(path));
    expect(indexId).toMatch(/^[0-9a-f-]{36}$/);
    expect((await readInfo(await newIndex(path))).indexId).toBe(indexId);
    expect((await readInfo(await newIndex())).indexId).not.toBe(indexId);
  });

  test('creates exactly the tables of the schema', async () => {
    const store = await newIndex();
    const names = (await store.introspection.getTables()).map((table) => table.name);
    expect(names.sort()).toEqual(
      'archive asset_supply block block_gap call call_kind chain_failure code_name code_reference collection contract deploy deploy_code document evaluation_input evaluation_variable history image image_file inclusion info interface_attempt interface_input job kind_write ledger listed_token lookalike notification reading report run sender served_token supply_change token token_event untracked update_mode'.split(
        ' ',
      ),
    );
  });
});

describe('writeInfo', () => {
  test('removes undefined values, and keeps omitted values', async () => {
    const store = await newIndex();
    await writeInfo(store, { maxCalls: 7, nodeUrl: 'https://a.b', runMark: 'listed' });
    await writeInfo(store, { nodeUrl: undefined, nftMode: 'images' });
    expect(await readInfo(store)).toMatchObject({
      maxCalls: 7,
      nodeUrl: undefined,
      runMark: 'listed',
      nftMode: 'images',
    });
  });
});

describe('queries', () => {
  test('accepts lists that are longer than the parameters of a statement', async () => {
    const store = await newIndex();
    const failures = Array.from({ length: 12_000 }, (_, index) => ({
      code: 'bug' as const,
      subject: `${index}`,
      message: '',
    }));
    const amounts = new Map(failures.map(({ subject }) => [subject, 1n]));
    await store.transaction().execute(async (transaction) => {
      expect(await insertChainFailures(transaction, failures)).toHaveLength(12_000);
      expect(await insertChainFailures(transaction, failures)).toHaveLength(0);
      await addToSupplies(transaction, amounts);
      await addToSupplies(transaction, amounts);
    });
    const supplies = await readSupplies(store, [...amounts.keys()]);
    expect(supplies.size).toBe(12_000);
    expect(new Set(supplies.values())).toEqual(new Set([2n]));
  });

  test('sums supplies exactly above 64 bits and below zero', async () => {
    const store = await newIndex();
    const largest = 2n ** 128n - 1n;
    await store.transaction().execute(async (transaction) => {
      await addToSupplies(
        transaction,
        new Map([
          ['a', largest],
          ['b', -5n],
        ]),
      );
      await addToSupplies(
        transaction,
        new Map([
          ['a', largest],
          ['b', 2n],
        ]),
      );
    });
    expect(await readSupplies(store, ['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', 2n * largest],
        ['b', -3n],
      ]),
    );
  });

  test('reads a killed run without an end', async () => {
    const store = await newIndex();
    expect(await readRun(store, 'index')).toBeUndefined();
    const finished = { startedAt: new Date(1_000), finishedAt: new Date(2_000), outcome: 'ok', summary: { blocks: 1 } };
    const started = { startedAt: new Date(3_000), finishedAt: undefined, outcome: undefined, summary: {} };
    for (const run of [finished, started]) {
      await writeRun(store, 'index', run);
      expect(await readRun(store, 'index')).toEqual(run);
    }
  });
});
