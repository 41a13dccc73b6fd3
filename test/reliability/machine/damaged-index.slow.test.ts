import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CliResult, runWarm } from '../../support/run-cli.ts';
import { readTree } from '../../support/sample.ts';
import { limitOf, rounds, SEED } from '../../support/soak.ts';
import { copyOf, tempFolder, tempFolderForFile } from '../../support/temp-folder.ts';
import { dumpDatabase } from '../crash/databases.ts';
import { watchForHangs } from '../fuzz/watch-for-hangs.ts';
import { damageFile } from './damage.ts';
import { writeManyContracts } from './many-contracts.ts';

const INDEX = ['index', '--no-vm', '--offline', '--db', 'index.sqlite', '--archive', 'chain.tsv'];
const BUILD = ['build', '--db', 'index.sqlite'];

const world = tempFolderForFile();
const db = join(world, 'index.sqlite');
let tree: Map<string, string>;

beforeAll(async () => {
  writeManyContracts(join(world, 'chain.tsv'), 60);
  expect(await runWarm(INDEX, { cwd: world })).toMatchObject({ status: 0 });
  expect(await runWarm(BUILD, { cwd: world })).toMatchObject({ status: 0 });
  tree = readTree(join(world, 'dist'));
});

const watch = watchForHangs('damaged-index');

/**
 * Copies a folder with an index, its archive and its build, damages the index or its log, and runs every command. The
 * seed determines the damage.
 */
async function damageAndRun(source: string, seed: number) {
  const cwd = copyOf(source);
  const [log, dist] = [join(cwd, 'index.sqlite-wal'), join(cwd, 'dist')];
  const damage = damageFile(existsSync(log) ? log : join(cwd, 'index.sqlite'), seed);
  watch.begin(Buffer.from(`seed ${seed}, ${JSON.stringify(damage)}`));
  const runs: RunOnDamage[] = [];
  for (const args of [['status', '--db', 'index.sqlite'], [...BUILD, '--full'], INDEX, [...BUILD, '--full']]) {
    const { status, stderr } = await runWarm(args, { cwd });
    const isRight = isDeepStrictEqual(readTree(dist), tree);
    runs.push({ what: `seed ${seed}, ${args[0]}, ${JSON.stringify(damage)}: ${stderr}`, status, stderr, isRight });
    if (isRight) continue;
    rmSync(dist, { recursive: true });
    cpSync(join(source, 'dist'), dist, { recursive: true });
  }
  watch.end();
  rmSync(cwd, { recursive: true });
  return runs;
}

interface RunOnDamage extends Pick<CliResult, 'status' | 'stderr'> {
  /** Describes the run, for the messages of the test. */
  readonly what: string;
  /** True if the output folder has the contents that an intact index gives. */
  readonly isRight: boolean;
}

/**
 * Describes what is wrong with a failed command's message; undefined if the message names a remedy, or the command
 * succeeded.
 */
function complaintAbout({ status, stderr }: RunOnDamage): string | undefined {
  if (status === 0) return undefined;
  if (stderr.includes('this is a bug') || /^\s+at .*\(/m.test(stderr)) return 'a stack trace';
  const message = stderr.slice(Math.max(0, stderr.lastIndexOf('stxpress: ')));
  if (!message.includes('index.sqlite')) return 'the message does not name the file';
  if (status !== 1) return `exit status ${status}`;
  // If the beginning of a file is damaged, the message calls it a file of another program. An index that lost the data
  // about its chain counts as a different index.
  return /--rebuild|of another program|by a newer stxpress|--replace/.test(message)
    ? undefined
    : 'the message does not name --rebuild';
}

/**
 * Returns the offsets at which the code of a contract begins and ends in the file. The code is short, so it is on one
 * page.
 */
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

describe('a damaged index', () => {
  test('succeeds or reports a remedy after any damage', { timeout: limitOf(12) }, async () => {
    let refused = 0;
    for (const seed of rounds(8)) {
      for (const run of await damageAndRun(world, seed)) {
        expect(complaintAbout(run), run.what).toBeUndefined();
        if (run.status === 0) continue;
        expect(run.isRight, run.what).toBe(true);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  test('ignores damaged parts of the log, and indexes them again', async () => {
    const cwd = copyOf(world);
    const live = join(cwd, 'index.sqlite');
    rmSync(live);
    // While a connection is open, SQLite keeps the log in a separate file.
    const reader = new Database(live);
    reader.pragma('journal_mode = wal');
    reader.prepare('select count(*) from sqlite_master').get();
    expect(await runWarm(INDEX, { cwd })).toMatchObject({ status: 0 });
    const logged = tempFolder();
    cpSync(join(cwd, 'dist'), join(logged, 'dist'), { recursive: true });
    for (const name of ['chain.tsv', 'index.sqlite', 'index.sqlite-wal'])
      copyFileSync(join(cwd, name), join(logged, name));
    reader.close();
    expect(statSync(join(logged, 'index.sqlite-wal')).size).toBeGreaterThan(100_000);
    for (const seed of [SEED, SEED + 1]) {
      const runs = await damageAndRun(logged, seed);
      for (const run of runs) expect(complaintAbout(run), run.what).toBeUndefined();
      const [, , index, build] = runs;
      expect([index?.status, build?.status, build?.isRight], `seed ${seed}`).toEqual([0, 0, true]);
    }
  });

  test('refuses to build damaged code, and keeps the served files', async () => {
    const cwd = copyOf(world);
    const path = join(cwd, 'index.sqlite');
    const where = codeIn(path);
    for (const seed of [SEED * 4, SEED * 4 + 1]) {
      copyFileSync(db, path);
      damageFile(path, seed, where);
      const result = await runWarm([...BUILD, '--full'], { cwd });
      expect(result).toMatchObject({ status: 1, stdout: '' });
      expect(result.stderr).toMatch(/^stxpress: The index index\.sqlite is damaged \(.*--rebuild/);
      expect(readTree(join(cwd, 'dist'))).toEqual(tree);
    }
    copyFileSync(db, path);
    expect(await runWarm([...BUILD, '--full'], { cwd })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(' 0 repaired'),
    });
  });

  test('reports index-corrupt for a damaged summary of a run', async () => {
    const cwd = copyOf(world);
    const sqlite = new Database(join(cwd, 'index.sqlite'));
    for (const [change, what] of [
      [`result = '{"summary": {"blocks": 1, "co'`, 'the summary of the last build run'],
      [`result = '{"startedAt": "never"}'`, 'the time of a run'],
    ]) {
      sqlite.exec(`update run set ${change} where command = 'build'`);
      expect(await runWarm(['status', '--db', 'index.sqlite'], { cwd })).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining(`The index index.sqlite is damaged (${what} is not valid)`),
      });
    }
    sqlite.close();
    expect(await runWarm(BUILD, { cwd })).toMatchObject({ status: 0 });
    expect(await runWarm(['status', '--db', 'index.sqlite'], { cwd })).toMatchObject({ status: 0 });
  });

  test('starts a fresh index with --rebuild, and keeps each damaged one', async () => {
    const cwd = copyOf(world);
    const path = join(cwd, 'index.sqlite');
    const fresh = dumpDatabase(db);
    for (const [index, range] of [{ from: 0, to: 100 }, codeIn(path)].entries()) {
      damageFile(path, 2 + index, range);
      const damaged = readFileSync(path);
      const { status, stderr } = await runWarm([...INDEX, '--rebuild'], { cwd });
      expect({ status, stderr }).toEqual({
        status: 0,
        stderr: expect.stringContaining(`index.sqlite.kept-${index + 1}`),
      });
      expect(readFileSync(`${path}.kept-${index + 1}`).equals(damaged)).toBe(true);
      expect(dumpDatabase(path)).toEqual(fresh);
    }
    expect(await runWarm(BUILD, { cwd })).toMatchObject({ status: 0 });
    expect(readTree(join(cwd, 'dist'))).toEqual(tree);
  });

  test('reports usage for --rebuild without a source', async () => {
    const cwd = copyOf(world);
    const path = join(cwd, 'index.sqlite');
    damageFile(path, 2, { from: 0, to: 100 });
    const damaged = readFileSync(path);
    const refused = (flags: readonly string[]) =>
      runWarm(['index', '--offline', '--db', 'index.sqlite', '--rebuild', ...flags], { cwd });
    expect(await refused([])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--archive, --seed or --api-url'),
    });
    expect(await refused(['--archive', 'missing.tsv'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('missing.tsv'),
    });
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });
});
