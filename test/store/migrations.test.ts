import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { readTip } from '#store/blocks.ts';
import { INDEX_FILE, type Store } from '#store/index-database.ts';
import { insertJobs, lastJobId } from '#store/jobs.ts';
import { MIGRATIONS } from '#store/migrations/all.ts';
import { openSqlite } from '#store/sqlite.ts';
import { readSummary } from '#store/summary.ts';
import { readToken } from '#store/tokens.ts';
import { newIndex } from '../support/archives.ts';
import { apply, block, mustRead } from '../support/chain-index.ts';
import { hashOf } from '../support/observer-lines.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** An index as it was before a migration, with rows of that time; its path. */
async function indexBefore(migration: string, rows: readonly string[]): Promise<string> {
  const path = join(tempFolder(), 'index.sqlite');
  const migrations = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < migration));
  await (await openSqlite(path, { ...INDEX_FILE, migrations })).destroy();
  const sqlite = new Database(path);
  for (const row of rows) sqlite.exec(row);
  sqlite.close();
  return path;
}

const token = async (store: Store, tokenId: number) => {
  const read = await readToken(store, tokenId);
  if (read === undefined) throw new Error(`there is no token ${tokenId}`);
  return read;
};

describe('0004-sources', () => {
  const FAILURES = '[{"getter":"get-symbol","code":"getter-error","message":"get-symbol answers (err u1)."}]';
  const VALUES =
    'token_id, state, name, symbol, decimals, total_supply, token_uri, value_source, value_partial, supply_assets, getter_failures';
  const TOKENS = [
    `1, 'complete', 'Münze', 'M', 0, '340282366920938463463374607431768211455', 'https://a.b/1', 'vm', 0, null, '[]'`,
    `2, 'partial', 'No symbol', null, 6, '3', null, 'vm', 0, null, '${FAILURES}'`,
    `3, 'complete', 'In part', 'P', 8, null, 'data:,{}', 'vm', 1, null, '[]'`,
    `4, 'partial', 'Summed', 'S', 8, null, null, 'vm', 1, '["SP1.t::a","SP1.t::b"]', '[]'`,
    `5, 'queued', null, null, null, null, null, null, 0, null, null`,
  ];
  const oldIndex = () =>
    indexBefore('0004-sources', [
      ...TOKENS.flatMap((values, index) => [
        `insert into deploy (deploy_id, tx_id, contract_id, sender_address)
          values (${10 + index}, randomblob(32), 'SP1.t-${index}', 'SP1')`,
        `insert into token (deploy_id, token_number, ${VALUES}) values (${10 + index}, '1', ${values})`,
      ]),
      `update token set state = 'error', failure_code = 'vm-crash', failure_message = 'It crashed.',
        update_mode = 'dynamic', ttl_seconds = 60 where token_id = 5`,
      `insert into job (job_id, kind, token_id, locale, attempts, failure_code, failure_message, stack, next_attempt_at)
        values (7, 'fetch-document', 1, 'pt-BR', 3, 'http-503', 'Busy.', null, 1234),
          (8, 'fetch-image', 1, '', 0, null, null, null, 0),
          (9, 'evaluate-token', 5, '', 1, 'bug', 'Oh no.', 'Error: Oh no.', 0)`,
    ]);

  test('default', async () => {
    const store = await newIndex(await oldIndex());
    const all = await token(store, 1);
    expect(all).toMatchObject({ deployId: 10, tokenNumber: '', state: 'complete', supplyAssets: undefined });
    expect(all.readings).toEqual([
      { getter: 'get-name', source: 'vm', value: 'Münze' },
      { getter: 'get-symbol', source: 'vm', value: 'M' },
      { getter: 'get-decimals', source: 'vm', value: '0' },
      { getter: 'get-total-supply', source: 'vm', value: '340282366920938463463374607431768211455' },
      { getter: 'get-token-uri', source: 'vm', value: 'https://a.b/1' },
    ]);
    // What was never read has no reading, and keeps why.
    expect(await token(store, 5)).toMatchObject({ state: 'error', failure: { code: 'vm-crash' }, readings: [] });
    expect(await store.selectFrom('token').select('values_read_at').where('token_id', '=', 5).execute()).toEqual([
      { values_read_at: null },
    ]);
  });

  test('behavior: a getter that failed keeps its failure, and one that answered none is none', async () => {
    const store = await newIndex(await oldIndex());
    expect((await token(store, 2)).readings).toEqual([
      { getter: 'get-name', source: 'vm', value: 'No symbol' },
      {
        getter: 'get-symbol',
        source: 'vm',
        failure: { code: 'getter-error', message: 'get-symbol answers (err u1).' },
      },
      { getter: 'get-decimals', source: 'vm', value: '6' },
      { getter: 'get-total-supply', source: 'vm', value: '3' },
      { getter: 'get-token-uri', source: 'vm' },
    ]);
    // A failure has the lowest rank, so any later reading replaces it.
    const ranks = store.selectFrom('reading').select(['getter', 'rank']).where('token_id', '=', 2).orderBy('rank');
    expect((await ranks.execute()).map(({ rank }) => rank)).toEqual([0, 1, 1, 1, 1]);
    expect(await ranks.executeTakeFirst()).toMatchObject({ getter: 'get-symbol' });
  });

  test('behavior: what ran in part stays so, and a sum of events stays the supply', async () => {
    const store = await newIndex(await oldIndex());
    const inPart = await token(store, 3);
    expect(inPart.values).toEqual({ name: 'In part', symbol: 'P', decimals: 8, tokenUri: 'data:,{}' });
    expect(inPart.readings.every((reading) => reading.partial)).toBe(true);
    const summed = await token(store, 4);
    expect(summed.supplyAssets).toEqual(['SP1.t::a', 'SP1.t::b']);
    expect(summed.readings).toEqual([
      { getter: 'get-name', source: 'vm', partial: true, value: 'Summed' },
      { getter: 'get-symbol', source: 'vm', partial: true, value: 'S' },
      { getter: 'get-decimals', source: 'vm', partial: true, value: '8' },
      { getter: 'get-token-uri', source: 'vm', partial: true },
    ]);
  });

  test('behavior: jobs stay as they are, and are not queued twice', async () => {
    const store = await newIndex(await oldIndex());
    const untried = {
      contract_id: '',
      locale: '',
      getters: null,
      list_offset: 0,
      attempts: 0,
      failure_code: null,
      failure_message: null,
      stack: null,
      next_attempt_at: 0,
      repeats: 0,
    };
    const busy = { failure_code: 'http-503', failure_message: 'Busy.', next_attempt_at: 1234 };
    const bug = { failure_code: 'bug', failure_message: 'Oh no.', stack: 'Error: Oh no.' };
    const expected = [
      { ...untried, job_id: 7, kind: 'fetch-document', token_id: 1, locale: 'pt-BR', attempts: 3, ...busy },
      { ...untried, job_id: 8, kind: 'fetch-image', token_id: 1 },
      { ...untried, job_id: 9, kind: 'evaluate-token', token_id: 5, attempts: 1, ...bug },
    ];
    const jobs = () => store.selectFrom('job').selectAll().where('job_id', '<=', 9).orderBy('job_id').execute();
    const last = await lastJobId(store);
    expect(await jobs()).toEqual(expected);
    const again = { kind: 'fetch-document', tokenId: 1, locale: 'pt-BR' } as const;
    await store.transaction().execute((transaction) => insertJobs(transaction, [again]));
    expect(await jobs()).toEqual(expected);
    expect(await lastJobId(store)).toBe(last);
  });
});

describe('0005-block-times', () => {
  const hex = (label: string | number) => `x'${hashOf(label).slice(2)}'`;
  const oldIndex = () =>
    indexBefore('0005-block-times', [
      `insert into block (block_id, index_block_hash, parent_index_block_hash, height, burn_block_height, canonical)
        values (1, ${hex(1)}, ${hex(0)}, 1, 800000, 1), (2, ${hex('2b')}, ${hex(1)}, 2, 800001, 0), (3, ${hex(2)}, ${hex(1)}, 2, 800001, 1)`,
    ]);

  test('default', async () => {
    const path = await oldIndex();
    const before = new Database(path, { readonly: true });
    const columns = before.pragma('table_info(block)') as { name: string }[];
    expect(columns.map(({ name }) => name)).not.toContain('burn_block_time');
    before.close();
    const store = await newIndex(path);
    // Blocks are as they were, and when they were mined is not known.
    expect(await store.selectFrom('block').selectAll().orderBy('block_id').execute()).toMatchObject([
      { block_id: 1, height: 1, burn_block_height: 800_000, canonical: 1, burn_block_time: null },
      { block_id: 2, height: 2, burn_block_height: 800_001, canonical: 0, burn_block_time: null },
      { block_id: 3, height: 2, burn_block_height: 800_001, canonical: 1, burn_block_time: null },
    ]);
    const tip = await readTip(store);
    expect(tip).toMatchObject({ blockId: 3, indexBlockHash: hashOf(2) });
    expect(tip?.burnBlockTime).toBeUndefined();
    expect((await readSummary(store)).tip).toEqual({ height: 2, block: tip, minedAt: undefined });
  });

  test('behavior: a block that comes after it has its time', async () => {
    const store = await newIndex(await oldIndex());
    const next = { ...block({ id: 3, parent: 2, height: 3 }), burnBlockTime: 1_700_000_000 };
    await apply(store, [next]);
    expect((await readTip(store))?.burnBlockTime).toBe(1_700_000_000);
    expect((await readSummary(store)).tip).toMatchObject({ height: 3, minedAt: '2023-11-14T22:13:20.000Z' });
    // One without a time, as older observers send them, has none.
    await apply(store, [block({ id: 4, parent: 3, height: 4 })]);
    expect((await readSummary(store)).tip).toMatchObject({ height: 4, minedAt: undefined });
  });

  test('behavior: it runs once', async () => {
    const path = await oldIndex();
    const store = await newIndex(path);
    await store.updateTable('block').set({ burn_block_time: 7 }).where('block_id', '=', 3).execute();
    expect((await readTip(await newIndex(path)))?.burnBlockTime).toBe(7);
  });
});

describe('0011-forks', () => {
  const hash = (label: string) => `x'${hashOf(label).slice(2)}'`;
  const oldIndex = () =>
    indexBefore('0011-forks', [
      `insert into block (block_id, index_block_hash, parent_index_block_hash, height, burn_block_height, canonical)
        values (1, ${hash('1')}, ${hash('0')}, 1, 800000, 1), (2, ${hash('2b')}, ${hash('1')}, 2, 800001, 0)`,
      `insert into deploy (deploy_id, tx_id, contract_id, sender_address, clarity_version, epoch, standard)
        values (5, ${hash('tx')}, 'SP1.t', 'SP1', 2, '2.4', 'sip-010'), (6, ${hash('other')}, 'SP1.u', 'SP1', 2, '2.4', null)`,
      `insert into inclusion (deploy_id, block_id, tx_index) values (5, 1, 0), (6, 1, 1)`,
      `insert into contract (contract_id, deploy_id, block_height, tx_index, canonical, confirmed)
        values ('SP1.t', 5, 1, 0, 1, 1), ('SP1.u', 6, 1, 1, 1, 1)`,
      `insert into token (token_id, deploy_id, token_number, state, update_mode)
        values (3, 5, '1', 'complete', 'frozen')`,
      `insert into reading (token_id, getter, source, rank, value) values (3, 'get-name', 'vm', 1, 'T')`,
      `insert into notification (block_id, tx_id, event_index, emitter, contract_id, token_class, update_mode, entitled)
        values (1, ${hash('n1')}, 0, 'SP1.t', 'SP1.t', 'ft', 'dynamic', 1),
          (2, ${hash('n2')}, 0, 'SP1.t', 'SP1.t', 'ft', 'frozen', 1)`,
    ]);

  test('default', async () => {
    const store = await newIndex(await oldIndex());
    expect((await mustRead(store, 'SP1.t')).deployId).toBe(5);
    // What an orphan froze is frozen no more.
    expect(
      await store.selectFrom('update_mode').select(['contract_id', 'update_mode', 'ttl_seconds']).execute(),
    ).toEqual([{ contract_id: 'SP1.t', update_mode: 'dynamic', ttl_seconds: null }]);
    // What earlier evaluations read is not known, so they are made again.
    expect(await store.selectFrom('job').select(['kind', 'token_id']).execute()).toEqual([
      { kind: 'evaluate-token', token_id: 3 },
    ]);
  });

  test('behavior: the new table of deploys has what the old one had: references, indexes, triggers', async () => {
    const objects = `select type, name from sqlite_master where tbl_name = 'deploy' and type <> 'table' order by name`;
    const path = await oldIndex();
    const before = new Database(path);
    const triggers = before.prepare(`${objects}`).all() as { type: string; name: string }[];
    before.close();
    await (await newIndex(path)).destroy();
    const after = new Database(path);
    const names = (after.prepare(objects).all() as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(triggers.filter(({ type }) => type === 'trigger').map(({ name }) => name)),
    );
    expect(names).toEqual(expect.arrayContaining(['deploy_contract', 'deploy_standard', 'deploy_transaction']));
    after.pragma('foreign_keys = on');
    expect(() => after.exec('delete from deploy where deploy_id = 5')).toThrow('FOREIGN KEY');
    expect(after.pragma('integrity_check', { simple: true })).toBe('ok');
    after.close();
  });
});

describe('0016-collections', () => {
  test('default', async () => {
    const deploy = (id: number, standard: string) =>
      `insert into deploy (deploy_id, tx_id, contract_id, sender_address, clarity_version, epoch, standard)
        values (${id}, randomblob(32), 'SP1.${standard}', 'SP1', 2, '2.4', '${standard}')`;
    const store = await newIndex(
      await indexBefore('0016-collections', [
        deploy(1, 'sip-009'),
        deploy(2, 'sip-010'),
        deploy(3, 'sip-013'),
        `insert into token (deploy_id, token_number, state) values (2, '1', 'complete')`,
      ]),
    );
    // The mints of collections were never kept, so the index says so instead of listing no tokens.
    const tokens = store.selectFrom('token').select(['deploy_id', 'token_number', 'state', 'failure_code', 'minted']);
    expect(await tokens.orderBy('deploy_id').execute()).toEqual([
      { deploy_id: 1, token_number: '', state: 'error', failure_code: 'mints-not-recorded', minted: 1 },
      { deploy_id: 2, token_number: '', state: 'complete', failure_code: null, minted: 1 },
      { deploy_id: 3, token_number: '', state: 'error', failure_code: 'mints-not-recorded', minted: 1 },
    ]);
  });
});
