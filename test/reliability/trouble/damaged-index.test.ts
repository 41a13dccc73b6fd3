import { copyFileSync, cpSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { openIndex } from '#store/index-database.ts';
import { dumpIndex } from '../../support/archives.ts';
import { readTree } from '../../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../../support/temp-folder.ts';
import { damageFile } from './damage.ts';
import { complaintAbout, runOnDamage } from './damaged-index.ts';
import { writeManyContracts } from './many-contracts.ts';
import { runToEndWarm } from './start-cli.ts';

// More are read with DAMAGE_SEEDS=1000, from DAMAGE_SEED=7 on.
const FIRST = Number(process.env.DAMAGE_SEED ?? 1);
const SEEDS = Number(process.env.DAMAGE_SEEDS ?? 8);

const INDEX = ['index', '--no-vm', '--no-fetch', '--db', 'index.sqlite', '--archive', 'chain.tsv'];
const BUILD = ['build', '--db', 'index.sqlite'];

const world = tempFolderForFile();
const db = join(world, 'index.sqlite');
let tree: Map<string, string>;

beforeAll(async () => {
  writeManyContracts(join(world, 'chain.tsv'), 60);
  expect(await runToEndWarm(INDEX, { cwd: world })).toMatchObject({ status: 0 });
  expect(await runToEndWarm(BUILD, { cwd: world })).toMatchObject({ status: 0 });
  tree = readTree(join(world, 'dist'));
});

/** The index and what was built from it, to be damaged. */
function copyWorld(): string {
  const cwd = tempFolder();
  for (const name of ['chain.tsv', 'index.sqlite']) copyFileSync(join(world, name), join(cwd, name));
  cpSync(join(world, 'dist'), join(cwd, 'dist'), { recursive: true });
  return cwd;
}

/** Where the code of a contract lies in the file: in one page, as short as it is. */
function codeIn(path: string): { from: number; to: number } {
  const sqlite = new Database(path);
  const code = sqlite
    .prepare('select code from deploy_code order by deploy_id limit 1 offset 30')
    .pluck()
    .get() as Buffer;
  sqlite.close();
  const from = readFileSync(path).indexOf(code);
  expect(from).toBeGreaterThan(0);
  return { from, to: from + code.length };
}

/** Every row of chain data, but for the id that each index draws for itself. */
async function rowsOf(path: string) {
  const store = await openIndex(path);
  const { info = [], ...rows } = await dumpIndex(store);
  await store.destroy();
  return { ...rows, info: info.filter((row) => (row as { key: string }).key !== 'index_id') };
}

describe('a damaged index', () => {
  test(`behavior: whatever is damaged, a command ends well or says what to do, seeds from ${FIRST}`, async () => {
    let refused = 0;
    for await (const { seed, damage, runs } of runOnDamage(world, FIRST, FIRST + SEEDS - 1)) {
      for (const run of runs) {
        const what = `seed ${seed}, ${run.command}, ${JSON.stringify(damage)}: ${run.stderr}`;
        expect(complaintAbout(run), what).toBeUndefined();
        if (run.status === 0) continue;
        expect(run.isRight, what).toBe(true);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  test('behavior: what is damaged in the log was never stored, and is indexed again', async () => {
    const cwd = copyWorld();
    const live = join(cwd, 'index.sqlite');
    rmSync(live);
    // While somebody has it open, the log is not taken into the file.
    const reader = new Database(live);
    reader.pragma('journal_mode = wal');
    reader.prepare('select count(*) from sqlite_master').get();
    expect(await runToEndWarm(INDEX, { cwd })).toMatchObject({ status: 0 });
    const logged = tempFolder();
    cpSync(join(cwd, 'dist'), join(logged, 'dist'), { recursive: true });
    for (const name of ['chain.tsv', 'index.sqlite', 'index.sqlite-wal'])
      copyFileSync(join(cwd, name), join(logged, name));
    reader.close();
    expect(statSync(join(logged, 'index.sqlite-wal')).size).toBeGreaterThan(100_000);
    for await (const { seed, runs } of runOnDamage(logged, FIRST, FIRST + (SEEDS >> 2) - 1)) {
      for (const run of runs)
        expect(complaintAbout(run), `seed ${seed}, ${run.command}: ${run.stderr}`).toBeUndefined();
      const [, , index, build] = runs;
      expect([index?.status, build?.status, build?.isRight], `seed ${seed}`).toEqual([0, 0, true]);
    }
  });

  test('behavior: code that is damaged is never served, and what is served stays as it was', async () => {
    const cwd = copyWorld();
    const path = join(cwd, 'index.sqlite');
    const where = codeIn(path);
    for (const seed of [FIRST * 4, FIRST * 4 + 1]) {
      copyFileSync(db, path);
      damageFile(path, seed, where);
      const result = await runToEndWarm([...BUILD, '--full'], { cwd });
      expect(result).toMatchObject({ status: 1, stdout: '' });
      expect(result.stderr).toMatch(/^stxpress: The index index\.sqlite is damaged \(.*--rebuild/);
      expect(readTree(join(cwd, 'dist'))).toEqual(tree);
    }
    copyFileSync(db, path);
    expect(await runToEndWarm([...BUILD, '--verify'], { cwd })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(' 0 mended'),
    });
  });

  test('error: index-corrupt, for what a run left of itself', async () => {
    const cwd = copyWorld();
    const sqlite = new Database(join(cwd, 'index.sqlite'));
    for (const [change, what] of [
      [`result = '{"summary": {"blocks": 1, "co'`, 'the summary of the last build run'],
      [`result = '{"startedAt": "never"}'`, 'the time of a run'],
    ]) {
      sqlite.exec(`update run set ${change} where command = 'build'`);
      expect(await runToEndWarm(['status', '--db', 'index.sqlite'], { cwd })).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining(`The index index.sqlite is damaged (${what} is not as it was written)`),
      });
    }
    sqlite.close();
    expect(await runToEndWarm(BUILD, { cwd })).toMatchObject({ status: 0 });
    expect(await runToEndWarm(['status', '--db', 'index.sqlite'], { cwd })).toMatchObject({ status: 0 });
  });

  test('behavior: --rebuild starts a fresh index and keeps the damaged one, however often', async () => {
    const cwd = copyWorld();
    const path = join(cwd, 'index.sqlite');
    const fresh = await rowsOf(db);
    for (const [index, range] of [{ from: 0, to: 100 }, codeIn(path)].entries()) {
      damageFile(path, 2 + index, range);
      const damaged = readFileSync(path);
      const { status, stderr } = await runToEndWarm([...INDEX, '--rebuild'], { cwd });
      expect({ status, stderr }).toEqual({
        status: 0,
        stderr: expect.stringContaining(`index.sqlite.kept-${index + 1}`),
      });
      expect(readFileSync(`${path}.kept-${index + 1}`).equals(damaged)).toBe(true);
      expect(await rowsOf(path)).toEqual(fresh);
    }
    expect(await runToEndWarm(BUILD, { cwd })).toMatchObject({ status: 0 });
    expect(readTree(join(cwd, 'dist'))).toEqual(tree);
  });

  test('error: usage, for --rebuild without what it is to be filled from', async () => {
    const cwd = copyWorld();
    const path = join(cwd, 'index.sqlite');
    damageFile(path, 2, { from: 0, to: 100 });
    const damaged = readFileSync(path);
    const refused = (flags: readonly string[]) =>
      runToEndWarm(['index', '--no-fetch', '--db', 'index.sqlite', '--rebuild', ...flags], { cwd });
    expect(await refused([])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--archive, --api-url or --node-url'),
    });
    expect(await refused(['--archive', 'missing.tsv'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('missing.tsv'),
    });
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });
});
