import { execFile } from 'node:child_process';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqlite } from '#sqlite/open-sqlite.ts';
import { explainNamedError, explainSqliteError } from '#sqlite/sqlite-errors.ts';
import { INDEX_FILE, openIndex } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { mountReadOnly } from '../reliability/machine/mounts.ts';
import { tempFolder } from '../support/temp-folder.ts';

const newPath = () => join(tempFolder(), 'index.sqlite');

/** Makes an index whose rows fill many pages, and returns its path. */
async function madeIndex(): Promise<string> {
  const path = newPath();
  await (await openIndex(path)).destroy();
  edit(path, (sqlite) => {
    const insert = sqlite.prepare('insert into info values (?, 1)');
    sqlite.transaction(() => {
      for (let row = 0; row < 5_000; row++) insert.run(`row ${row} ${'x'.repeat(40)}`);
    })();
  });
  return path;
}

function edit(path: string, change: (sqlite: Database.Database) => unknown): void {
  const sqlite = new Database(path);
  change(sqlite);
  sqlite.close();
}

function overwrite(path: string, offset: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, offset);
  closeSync(file);
}

const expectRefused = (opening: Promise<unknown>, code: string, path: string) =>
  expect(opening).rejects.toMatchObject({ failure: { code, message: expect.stringContaining(path) } });

const MODULE = new URL('../../src/store/index-database.ts', import.meta.url).href;
const OPEN = `const { openIndex } = await import(${JSON.stringify(MODULE)});
  const store = await openIndex(process.argv[1]);
  const { indexId } = await store.selectFrom('info').select('value as indexId').executeTakeFirstOrThrow();
  process.stdout.write(indexId);`;
const NOISE = Buffer.alloc(4_096, 0xa5);

const refused: [code: string, what: string, make: () => Promise<string> | string][] = [
  ['index-foreign', 'a text file', () => text('just a text that is long enough\n')],
  ['index-foreign', 'a short text file', () => text('x')],
  ['index-foreign', 'a file with half of the header of SQLite', () => text('SQLite format')],
  ['index-foreign', 'an index whose header was overwritten', async () => damaged(0)],
  ['index-foreign', 'a database of another program', () => foreign('create table t (a)')],
  ['index-foreign', 'a database with an id of another program', () => foreign('pragma application_id = 7')],
  [
    'index-foreign',
    'a database of another program in WAL mode',
    () => foreign('pragma journal_mode = wal; create table t (a)'),
  ],
  ['index-version', 'an index of another version', otherIndex],
  ['index-corrupt', 'a header without a database', () => text('SQLite format 3\0')],
  ['index-corrupt', 'an index whose schema page was overwritten', async () => damaged(200)],
  ['index-corrupt', 'an index with an overwritten page', async () => damaged(-40_960)],
  ['index-corrupt', 'a truncated index', cutIndex],
];

/** Opens an index and reads all rows that {@link madeIndex} writes. */
async function readIndex(path: string): Promise<void> {
  try {
    await using store = await openIndex(path);
    await store.selectFrom('info').selectAll().execute();
  } catch (error) {
    throw explainNamedError(error);
  }
}

function text(content: string): string {
  const path = newPath();
  writeFileSync(path, content);
  return path;
}

function foreign(statements: string): string {
  const path = newPath();
  edit(path, (sqlite) => sqlite.exec(statements));
  return path;
}

async function otherIndex(): Promise<string> {
  const path = await madeIndex();
  edit(path, (sqlite) => sqlite.pragma('user_version = 7'));
  return path;
}

async function damaged(offset: number): Promise<string> {
  const path = await madeIndex();
  overwrite(path, offset < 0 ? statSync(path).size + offset : offset, NOISE);
  return path;
}

async function cutIndex(): Promise<string> {
  const path = await madeIndex();
  truncateSync(path, Math.floor(statSync(path).size / 2));
  return path;
}

test('default', async () => {
  const path = join(tempFolder(), 'deep', 'er', 'index.sqlite');
  const store = await openIndex(path);
  expect(await readInfo(store)).toMatchObject({ chainId: undefined });
  await store.destroy();
  expect(readdirSync(dirname(path))).toEqual(['index.sqlite']);
});

test('opens an existing index without changing it', async () => {
  const path = await madeIndex();
  const [before, bytes] = [statSync(path).mtimeMs, readFileSync(path)];
  const store = await openIndex(path, { mustExist: true });
  expect(await store.selectFrom('info').select('key').where('key', 'like', 'row %').execute()).toHaveLength(5_000);
  await store.destroy();
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(statSync(path).mtimeMs).toBe(before);
});

test('creates an index in an empty file, which SQLite leaves when killed early', async () => {
  const store = await openIndex(text(''));
  expect((await readInfo(store)).indexId).not.toBe('');
  await store.destroy();
});

test('reports index-version names the index in its advice', async () => {
  const path = await otherIndex();
  await expectRefused(openIndex(path), 'index-version', `npm run index -- --rebuild --db ${path} --archive FILE`);
});

test('reports locked if an index changes while it is read without a lock', async ({ skip }) => {
  const path = await madeIndex();
  const folder = tempFolder();
  if (mountReadOnly(dirname(path), folder) === undefined) skip('no file system can be mounted here');
  await using store = await openIndex(join(folder, basename(path)), { readOnly: true });
  const read = () => store.selectFrom('info').selectAll().execute();
  expect(await read()).not.toEqual([]);
  edit(path, (sqlite) => sqlite.exec(`insert into info values ('x', 1)`));
  await expect(read()).rejects.toMatchObject({ failure: { code: 'locked' } });
});

test('reads the WAL of a killed run', async () => {
  const path = await madeIndex();
  const writer = new Database(path);
  writer.exec(`insert into info values ('in the WAL', 1)`);
  const copy = newPath();
  for (const end of ['', '-wal']) writeFileSync(`${copy}${end}`, readFileSync(`${path}${end}`));
  writer.close();
  const store = await openIndex(copy);
  expect(await store.selectFrom('info').selectAll().where('key', '=', 'in the WAL').execute()).toHaveLength(1);
  await store.destroy();
});

test('lets several processes open a new index at once', async () => {
  const path = newPath();
  const open = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', OPEN, path]);
  const indexIds = (await Promise.all([open(), open(), open(), open()])).map(({ stdout }) => stdout);
  expect(indexIds[0]).not.toBe('');
  expect(new Set(indexIds).size).toBe(1);
});

test.each(refused)('%s for %s', async (code, _, make) => {
  const path = await make();
  const before = readFileSync(path);
  await expectRefused(readIndex(path), code, path);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('reports index-missing', async () => {
  const path = newPath();
  await expectRefused(openIndex(path, { mustExist: true }), 'index-missing', path);
  expect(readdirSync(dirname(path))).toEqual([]);
  // An empty file counts as a missing index.
  writeFileSync(path, '');
  await expectRefused(openIndex(path, { mustExist: true }), 'index-missing', path);
});

test.each([
  ['index-unwritable', 'a path through a file', () => join(text('x'), 'index.sqlite')],
  ['index-unwritable', 'a path deep below a file', () => join(text('x'), 'deep', 'er', 'index.sqlite')],
  ['index-unwritable', 'a name that is too long', () => join(tempFolder(), 'x'.repeat(300))],
  ['index-foreign', 'a folder', () => tempFolder()],
  ['index-foreign', 'a device', () => '/dev/null'],
])('%s for %s', async (code, _, make) => {
  const path = make();
  await expectRefused(openIndex(path), code, path);
});

test('reports locked while another program holds the lock', async () => {
  const path = await madeIndex();
  const other = new Database(path);
  other.exec('begin immediate');
  const sqlite = new Database(path, { timeout: 0 });
  const begin = async () => sqlite.exec('begin immediate');
  const explained = await begin().catch((error: unknown) => explainSqliteError(error, path, INDEX_FILE));
  expect(explained).toMatchObject({ failure: { code: 'locked', retryable: true } });
  sqlite.close();
  other.close();
});

test('blocks writes of other processes from the first read of a transaction', async () => {
  const path = await madeIndex();
  const store = await openIndex(path);
  const other = new Database(path, { timeout: 0 });
  const write = () => other.exec("insert into info values ('other', 1)");
  await store.transaction().execute(async (transaction) => {
    await transaction.selectFrom('info').select('key').limit(1).execute();
    expect(write).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
    await transaction.insertInto('info').values({ key: 'own', value: '1' }).execute();
  });
  // Other processes can write during a read-only transaction.
  await store
    .transaction()
    .setAccessMode('read only')
    .execute(async (reader) => {
      await reader.selectFrom('info').select('key').limit(1).execute();
      write();
    });
  other.close();
  await store.destroy();
});

test.each(['SQLITE_BUSY_SNAPSHOT', 'SQLITE_BUSY_RECOVERY', 'SQLITE_LOCKED_SHAREDCACHE', 'SQLITE_PROTOCOL'])(
  'reports locked for %s',
  (code) => {
    const error = Object.assign(new Error('database is locked'), { code });
    expect(explainSqliteError(error, 'index.sqlite', INDEX_FILE)).toMatchObject({ failure: { code: 'locked' } });
  },
);

test('creates no tables if the schema fails', async () => {
  const path = newPath();
  const failing = { ...INDEX_FILE, schema: ['create table half (a)', 'create table half (b)'] };
  await expect(openSqlite(path, failing)).rejects.toThrow('half');
  edit(path, (sqlite) => expect(sqlite.prepare('select name from sqlite_master').all()).toEqual([]));
});
