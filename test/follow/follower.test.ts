// Tests which files of a real spool a follower indexes again after its start.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runFollower } from '#follow/run-follower.ts';
import { openSpool, spoolFiles } from '#follow/spool.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { indexInto } from '../support/index-options.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockJson, blockLine } from '../support/transactions.ts';

const withStore = async <Result>(db: string, use: (store: Store) => Promise<Result>) => {
  const store = await openIndex(db);
  try {
    return await use(store);
  } finally {
    await store.destroy();
  }
};

test('keeps the file that receives events when a compressed copy of it appears', async () => {
  const folder = tempFolder();
  const db = join(folder, 'index.sqlite');
  const spool = await openSpool({ folder: join(folder, 'spool'), maxFileBytes: 1_000_000 });
  const append = (id: number) =>
    spool.append('/new_block', Buffer.from(JSON.stringify(blockJson({ id, parent: id - 1, height: id }))));
  await append(1);
  const file = join(spool.folder, 'events-00000001.tsv');
  const ended = new AbortController();
  await runFollower({
    ...{ spool, db, everyMs: 1, openNode: () => undefined, reporter: silentReporter, signal: ended.signal },
    async index(archives) {
      await indexInto(db, { archives });
      writeFileSync(`${file}.zst`, zstdCompressSync(readFileSync(file)));
      return 'done';
    },
    async deliver() {
      await append(2);
      ended.abort();
      return 'later';
    },
    useIndex: (use) => withStore(db, use),
  });
  await spool.close();
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(2);
});

test('indexes the compressed files that an older copy of the index lacks', async () => {
  const folder = tempFolder();
  const [db, older] = [join(folder, 'index.sqlite'), join(folder, 'older.sqlite')];
  mkdirSync(join(folder, 'spool'));
  const lines = [1, 2, 3].map((id) => blockLine({ id, parent: id - 1, height: id }));
  for (const [index, text] of lines.entries())
    writeFileSync(join(folder, 'spool', `events-0000000${index + 1}.tsv`), text);
  const spool = await openSpool({ folder: join(folder, 'spool'), maxFileBytes: 1_000_000 });
  const rounds: string[][] = [];
  const ended = new AbortController();
  const first = join(spool.folder, 'events-00000001.tsv');
  await indexInto(older, { archives: [first] });
  await runFollower({
    ...{ spool, db, everyMs: 1, openNode: () => undefined, reporter: silentReporter, signal: ended.signal },
    async index(archives) {
      rounds.push(archives.map((path) => basename(path)));
      await indexInto(db, { archives });
      return 'done';
    },
    async deliver() {
      if (rounds.length === 1) copyFileSync(older, db);
      else ended.abort();
      return 'later';
    },
    useIndex: (use) => withStore(db, use),
  });
  expect(spoolFiles(spool.folder)).toEqual([
    'events-00000001.tsv.zst',
    'events-00000002.tsv.zst',
    'events-00000003.tsv',
  ]);
  expect(rounds).toEqual([
    ['events-00000001.tsv', 'events-00000002.tsv', 'events-00000003.tsv'],
    ['events-00000002.tsv.zst', 'events-00000003.tsv'],
  ]);
  await spool.close();
});

test('compresses no file that an index run with remaining work has not read', async () => {
  const folder = tempFolder();
  const db = join(folder, 'index.sqlite');
  mkdirSync(join(folder, 'spool'));
  for (const id of [1, 2])
    writeFileSync(join(folder, 'spool', `events-0000000${id}.tsv`), blockLine({ id, parent: id - 1, height: id }));
  const spool = await openSpool({ folder: join(folder, 'spool'), maxFileBytes: 1_000_000 });
  const [all, compressed] = [['events-00000001.tsv', 'events-00000002.tsv'], ['events-00000001.tsv.zst']];
  const rounds: string[][] = [];
  const ended = new AbortController();
  await withStore(db, async () => {});
  await runFollower({
    ...{ spool, db, everyMs: 1, openNode: () => undefined, reporter: silentReporter, signal: ended.signal },
    async index(archives) {
      rounds.push(archives.map((path) => basename(path)));
      // The first run ends with status 75 before it reads anything, since another run holds the lock.
      if (rounds.length > 1) await indexInto(db, { archives });
      return 'later';
    },
    async deliver() {
      expect(spoolFiles(spool.folder)).toEqual(rounds.length === 1 ? all : [...compressed, 'events-00000002.tsv']);
      if (rounds.length === 2) ended.abort();
      return 'done';
    },
    useIndex: (use) => withStore(db, use),
  });
  expect(rounds).toEqual([all, all]);
  await spool.close();
});
