import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { keepDatabase } from '#sqlite/keep-database.ts';
import { tempFolder } from '../support/temp-folder.ts';

const write = (folder: string, names: readonly string[]) => {
  for (const name of names) writeFileSync(join(folder, name), `bytes of ${name}`);
};

test('default', () => {
  const folder = tempFolder();
  const path = join(folder, 'index.sqlite');
  write(folder, ['index.sqlite', 'index.sqlite-wal', 'index.sqlite-shm', 'index.sqlite.lock', 'other.sqlite-wal']);
  expect(keepDatabase(path)).toBe(`${path}.kept-1`);
  const kept = ['', '-shm', '-wal'].map((suffix) => `index.sqlite.kept-1${suffix}`);
  expect(readdirSync(folder).sort()).toEqual([...kept, 'index.sqlite.lock', 'other.sqlite-wal'].sort());
  for (const name of kept)
    expect(readFileSync(join(folder, name), 'utf8')).toBe(`bytes of ${name.replace('.kept-1', '')}`);
});

test('does nothing without a database', () => {
  const folder = tempFolder();
  write(folder, ['other']);
  expect(keepDatabase(join(folder, 'index.sqlite'))).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['other']);
});

test('does not overwrite a kept database', () => {
  const folder = tempFolder();
  const path = join(folder, 'index.sqlite');
  // The second kept database is missing, but its log exists, so its name must not be used.
  write(folder, ['index.sqlite', 'index.sqlite.kept-1', 'index.sqlite.kept-2-wal']);
  expect(keepDatabase(path)).toBe(`${path}.kept-3`);
  expect(readFileSync(`${path}.kept-1`, 'utf8')).toBe('bytes of index.sqlite.kept-1');
  write(folder, ['index.sqlite']);
  expect(keepDatabase(path)).toBe(`${path}.kept-4`);
  expect(keepDatabase(path)).toBeUndefined();
});

test('keeps the changes that are only in the log', () => {
  const folder = tempFolder();
  const path = join(folder, 'index.sqlite');
  const killed = new Database(path);
  killed.pragma('journal_mode = wal');
  killed.exec('create table t (a); insert into t values (7)');
  const kept = keepDatabase(path) ?? '';
  const copy = new Database(kept);
  expect(copy.prepare('select a from t').pluck().all()).toEqual([7]);
  copy.close();
  killed.close();
});
