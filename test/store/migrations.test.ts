import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { INDEX_FILE, type Store } from '#store/index-database.ts';
import { insertJobs } from '#store/jobs.ts';
import { MIGRATIONS } from '#store/migrations/all.ts';
import { openSqlite } from '#store/sqlite.ts';
import { readToken } from '#store/tokens.ts';
import { newIndex } from '../support/archives.ts';
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
    expect(all).toMatchObject({ deployId: 10, tokenNumber: '1', state: 'complete', supplyAssets: undefined });
    expect(all.readings).toEqual([
      { getter: 'get-name', source: 'vm', value: 'Münze' },
      { getter: 'get-symbol', source: 'vm', value: 'M' },
      { getter: 'get-decimals', source: 'vm', value: '0' },
      { getter: 'get-total-supply', source: 'vm', value: '340282366920938463463374607431768211455' },
      { getter: 'get-token-uri', source: 'vm', value: 'https://a.b/1' },
    ]);
    // What was never read has no reading, and keeps why.
    expect(await token(store, 5)).toMatchObject({ state: 'error', failure: { code: 'vm-crash' }, readings: [] });
    const columns = ['update_mode', 'ttl_seconds', 'values_read_at'] as const;
    expect(await store.selectFrom('token').select(columns).where('token_id', '=', 5).execute()).toEqual([
      { update_mode: 'dynamic', ttl_seconds: 60, values_read_at: null },
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
      part: '',
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
      { ...untried, job_id: 7, kind: 'fetch-document', token_id: 1, part: 'pt-BR', attempts: 3, ...busy },
      { ...untried, job_id: 8, kind: 'fetch-image', token_id: 1 },
      { ...untried, job_id: 9, kind: 'evaluate-token', token_id: 5, attempts: 1, ...bug },
    ];
    const jobs = () => store.selectFrom('job').selectAll().orderBy('job_id').execute();
    expect(await jobs()).toEqual(expected);
    const again = { kind: 'fetch-document', tokenId: 1, part: 'pt-BR' } as const;
    await store.transaction().execute((transaction) => insertJobs(transaction, [again]));
    expect(await jobs()).toEqual(expected);
  });
});
