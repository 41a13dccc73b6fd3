import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { unpackCode } from '#model/packed-code.ts';
import { CODE_COLUMNS, toPackedCode } from '#store/code-columns.ts';
import { INDEX_FILE, type Store } from '#store/index-database.ts';
import { MIGRATIONS } from '#store/migrations/all.ts';
import { openSqlite } from '#store/sqlite.ts';
import { newIndex } from '../../support/archives.ts';
import { tempFolder } from '../../support/temp-folder.ts';

interface OldCode {
  readonly id: number;
  readonly source: string;
  readonly interfaceJson: string | null;
}

/** More than are read at once, with gaps between their ids. */
const MANY: readonly OldCode[] = Array.from({ length: 250 }, (_, at) => ({
  id: at * 3 + 1,
  source: `(define-constant n u${at})\n`.repeat(at % 7),
  interfaceJson: at % 4 === 0 ? null : `{"functions":[],"at":${at}}`,
}));
const ODD: readonly OldCode[] = [
  { id: 5_000, source: '', interfaceJson: null },
  { id: 5_001, source: '', interfaceJson: '{}' },
  { id: 5_002, source: ';; größer ≥ 🙂', interfaceJson: '{"name":"größer"}' },
  { id: 5_003, source: `${'(ok true) '.repeat(40_000)}`, interfaceJson: null },
];

/** An index as the migration 0005 left it; its path. */
async function oldIndex(codes: readonly OldCode[]): Promise<string> {
  const path = join(tempFolder(), 'index.sqlite');
  const migrations = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0006'));
  await (await openSqlite(path, { ...INDEX_FILE, migrations })).destroy();
  const sqlite = new Database(path);
  const deploy = sqlite.prepare(
    `insert into deploy (deploy_id, tx_id, contract_id, sender_address) values (?, randomblob(32), 'SP1.c-' || ?, 'SP1')`,
  );
  const code = sqlite.prepare('insert into deploy_code (deploy_id, source_code, interface) values (?, ?, ?)');
  sqlite.transaction(() => {
    for (const { id, source, interfaceJson } of codes) {
      deploy.run(id, id);
      code.run(id, source, interfaceJson);
    }
  })();
  sqlite.close();
  return path;
}

async function codesOf(store: Store): Promise<OldCode[]> {
  const columns = ['deploy_code.deploy_id', ...CODE_COLUMNS] as const;
  const rows = await store.selectFrom('deploy_code').select(columns).orderBy('deploy_id').execute();
  return rows.map((row) => {
    const { source, interfaceJson } = unpackCode(toPackedCode(row));
    return { id: row.deploy_id, source, interfaceJson: interfaceJson ?? null };
  });
}

describe('0006-packed-code', () => {
  test('default', async () => {
    const codes = [...MANY, ...ODD];
    const store = await newIndex(await oldIndex(codes));
    expect(await codesOf(store)).toEqual(codes);
    const { code } = await store
      .selectFrom('deploy_code')
      .select('code')
      .where('deploy_id', '=', 5_003)
      .executeTakeFirstOrThrow();
    expect(code.length).toBeLessThan(4_000);
  });

  test('behavior: an index without code', async () => {
    expect(await codesOf(await newIndex(await oldIndex([])))).toEqual([]);
  });

  test('behavior: code still belongs to a deploy', async () => {
    const path = await oldIndex(ODD);
    await (await newIndex(path)).destroy();
    const sqlite = new Database(path);
    expect(sqlite.pragma('foreign_key_check')).toEqual([]);
    expect(sqlite.pragma('foreign_key_list(deploy_code)')).toMatchObject([{ table: 'deploy', from: 'deploy_id' }]);
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    sqlite.close();
  });
});
