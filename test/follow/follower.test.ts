// Tests which files of a real spool a follower indexes again after its start.
import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { runFollower } from '#follow/run-follower.ts';
import { openSpool, spoolFiles } from '#follow/spool.ts';
import { openIndex } from '#store/index-database.ts';
import { indexInto } from '../support/index-options.ts';
import { blockLine } from '../support/observer-lines.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('behavior: indexes the compressed files that an older copy of the index lacks', async () => {
  const folder = tempFolder();
  const [db, older] = [join(folder, 'index.sqlite'), join(folder, 'older.sqlite')];
  const spool = await openSpool({ folder: join(folder, 'spool'), maxFileBytes: 1_000_000 });
  const lines = [1, 2, 3].map((id) => blockLine({ id, parent: id - 1, height: id }));
  for (const [index, text] of lines.entries())
    writeFileSync(join(spool.folder, `events-0000000${index + 1}.tsv`), text);
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
    async useIndex(use) {
      const store = await openIndex(db);
      try {
        return await use(store);
      } finally {
        await store.destroy();
      }
    },
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
