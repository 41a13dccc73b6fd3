import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Store } from '#store/index-database.ts';
import { beginHistory, historyOf, lastRevision } from '#store/ledger/ledger.ts';
import { newIndex } from '../support/archives.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Increases the revision of the index, and returns the last revision. */
async function change(store: Store, revisions = 1): Promise<number> {
  for (let at = 0; at < revisions; at++)
    await sql`update ledger set revision = (select max(revision) + 1 from ledger) where entity = 'status'`.execute(
      store,
    );
  return lastRevision(store);
}

const begin = (store: Store) => store.transaction().execute(beginHistory);

async function copyOf(store: Store, path: string): Promise<Store> {
  const copy = join(tempFolder(), 'index.sqlite');
  await sql`pragma wal_checkpoint(truncate)`.execute(store);
  copyFileSync(path, copy);
  return newIndex(copy);
}

test('default', async () => {
  const store = await newIndex();
  const first = await change(store);
  await begin(store);
  const second = await change(store, 3);
  expect(await historyOf(store, second)).toMatch(/^[0-9a-f-]{36}$/);
  expect(await historyOf(store, second - 2)).toBe(await historyOf(store, second));
  expect(await historyOf(store, first)).not.toBe(await historyOf(store, second));
  expect(await historyOf(store, second + 1)).toBeUndefined();
  expect(await historyOf(await newIndex(), 1)).not.toBe(await historyOf(store, 1));
});

test('keeps the history of a revision, and drops histories of runs without changes', async () => {
  const store = await newIndex();
  await begin(store);
  const revision = await change(store);
  const history = await historyOf(store, revision);
  for (let run = 0; run < 3; run++) await begin(store);
  expect(await historyOf(store, revision)).toBe(history);
  const rows = await store.selectFrom('history').select('after_revision').execute();
  expect(rows).toEqual([{ after_revision: 0 }, { after_revision: 1 }, { after_revision: revision }]);
});

test('gives a copy other histories after it was made during a run', async () => {
  const path = join(tempFolder(), 'index.sqlite');
  const store = await newIndex(path);
  await begin(store);
  const common = await change(store, 2);
  const copy = await copyOf(store, path);
  expect(await historyOf(copy, common)).toBe(await historyOf(store, common));
  const revision = await change(store);
  expect(await historyOf(copy, revision)).toBeUndefined();
  await begin(copy);
  expect(await change(copy)).toBe(revision);
  expect(await historyOf(copy, revision)).not.toBe(await historyOf(store, revision));
  expect(await historyOf(copy, common)).toBe(await historyOf(store, common));
});
