// The days of attempts: shown by one file, outside of the hash of the site, in incremental builds too.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { buildIndex } from '../support/build-options.ts';
import { copyIndex, PENDING, readTree, sampleIndex } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const sample = sampleIndex();
const DAY_MS = 86_400_000;
const FAILED_AT = Date.parse('2026-11-25T23:59:59Z');

test('shows the days of a failed attempt, and keeps the hash of the site', async () => {
  const [db, out] = [join(tempFolder(), 'index.sqlite'), join(tempFolder(), 'dist')];
  copyIndex(sample, db);
  const attemptsOf = () => JSON.parse(readTree(out).get('metadata/v1/attempts/index.json') ?? '') as unknown;
  const hashOf = () => JSON.parse(readTree(out).get('metadata/v1/index.json') ?? '').site_hash as unknown;
  // Only the time of the attempt changes between the builds.
  const run = (statement: string, ...values: unknown[]) => {
    const sqlite = new Database(db);
    sqlite.prepare(statement).run(...values);
    sqlite.close();
  };
  run(
    `insert into job (kind, token_id, failure_code, failure_message)
    select 'fetch-document', token_id, 'timeout', 'The server did not respond in time.'
    from served_token where contract_id = ? on conflict do nothing`,
    PENDING,
  );
  await buildIndex(db, out);
  expect(attemptsOf()).toEqual({});
  const hash = hashOf();
  run('update job set failed_at = ?, next_attempt_at = ?', FAILED_AT, FAILED_AT + DAY_MS / 2);
  await buildIndex(db, out);
  expect(attemptsOf()).toEqual({ [PENDING]: { failed_on: '2026-11-25', next_attempt_on: '2026-11-26' } });
  expect(hashOf()).toEqual(hash);
  // A clock that was set back does not put the next attempt before the last one.
  run('update job set next_attempt_at = 0');
  run('update job set failed_at = ?', FAILED_AT + DAY_MS);
  await buildIndex(db, out);
  expect(attemptsOf()).toEqual({ [PENDING]: { failed_on: '2026-11-26', next_attempt_on: '2026-11-26' } });
});
