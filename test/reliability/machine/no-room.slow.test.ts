import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, beforeEach, describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { openBucket, treeOf } from '../../support/bucket.ts';
import { type CliOptions, canBeBound, runCli, runWarm } from '../../support/run-cli.ts';
import { readTree } from '../../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../../support/temp-folder.ts';
import { writeManyContracts } from './many-contracts.ts';
import { mountReadOnly, mountSmallDisk, resizeDisk } from './mounts.ts';

const HOOK = new URL('./when-a-thread-writes.mjs', import.meta.url).href;
const INDEX = ['index', '--no-vm', '--offline', '--db', 'data/index.sqlite', '--archive'];
const BUILD = ['build', '--db', 'data/index.sqlite'];

/** The number of contracts. The first build has 100 of them; the rest make the next build start a thread. */
const CONTRACTS = 1_150;

const world = tempFolderForFile();
let tree: Map<string, string>;
let small: Map<string, string>;

// Makes an index of all contracts, a build of the first hundred, and a build of all.
beforeAll(async () => {
  const [first, all] = [join(world, 'first.tsv'), join(world, 'all.tsv')];
  writeManyContracts(all, CONTRACTS);
  writeFileSync(first, readFileSync(all, 'utf8').split(/(?<=\n)/)[0] ?? '');
  expect(await runWarm([...INDEX, first], { cwd: world })).toMatchObject({ status: 0 });
  expect(await runWarm(BUILD, { cwd: world })).toMatchObject({ status: 0 });
  small = readTree(join(world, 'dist'));
  expect(await runWarm([...INDEX, all], { cwd: world })).toMatchObject({ status: 0 });
  expect(await runWarm([...BUILD, '--out', 'all'], { cwd: world })).toMatchObject({ status: 0 });
  tree = readTree(join(world, 'all'));
});

function copyInto(cwd: string): string {
  mkdirSync(join(cwd, 'data'));
  copyFileSync(join(world, 'data/index.sqlite'), join(cwd, 'data/index.sqlite'));
  cpSync(join(world, 'dist'), join(cwd, 'dist'), { recursive: true });
  return cwd;
}

function smallDisk({ skip }: TestContext, size: string): string {
  return mountSmallDisk(size) ?? skip('this machine does not allow mounts');
}

/** Returns options that run a shell command when the first thread of the tested build begins to write. */
const inThread = (cwd: string, command: string): CliOptions => ({ cwd, preload: [HOOK], env: { COMMAND: command } });

/** Removes the write permission of a folder. The returned function, or the end of the test, restores the permission. */
function lockFolder(folder: string): () => void {
  chmodSync(folder, 0o555);
  const unlock = () => chmodSync(folder, 0o755);
  onTestFinished(unlock);
  return unlock;
}

const refused = (message: string) => ({
  status: message.startsWith('The disk') ? 75 : 1,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^stxpress: ${message}[^\\n]*\\n$`)),
});

const expectBuilds = async (cwd: string) => {
  expect(await runWarm(BUILD, { cwd })).toMatchObject({ status: 0, stderr: '' });
  expect(readTree(join(cwd, 'dist'))).toEqual(tree);
};

const FULL = {
  status: 75,
  stdout: '',
  stderr: 'stxpress: The disk of dist is full. All served files are complete. Free space, then build again.\n',
};

describe('a disk that is full', () => {
  test('reports a full disk during staging in threads, and keeps the served files', async (context) => {
    const cwd = copyInto(smallDisk(context, '64m'));
    const full = await runCli(BUILD, inThread(cwd, 'cat /dev/zero > full'));
    expect(full).toEqual(FULL);
    expect(readTree(join(cwd, 'dist'))).toEqual(small);
    // The disk has no space for the first page of files, so the build does not start a thread.
    expect(await runWarm(BUILD, { cwd })).toMatchObject({ status: 75, stdout: '' });
    expect(readTree(join(cwd, 'dist'))).toEqual(small);
    rmSync(join(cwd, 'full'));
    await expectBuilds(cwd);
    expect(readdirSync(join(cwd, 'dist/.stxpress'))).not.toContain('staging');
  });

  test('reports a full disk in publish, and continues later', async (context) => {
    const [cwd, bucket] = [copyInto(smallDisk(context, '64m')), await openBucket()];
    const env = { AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 'SECRET' };
    const publish = () => runCli(['publish', '--to', 's3://site', '--endpoint', bucket.url], { cwd, env });
    spawnSync('sh', ['-c', 'cat /dev/zero > full; truncate -s -100K full'], { cwd });
    expect(await publish()).toMatchObject({ status: 75, stderr: expect.stringMatching(/The disk of [^ ]* is full/) });
    rmSync(join(cwd, 'full'));
    expect(await publish()).toMatchObject({ status: 0 });
    expect(treeOf(bucket)).toEqual(small);
  });

  test('names the full disk if a build writes to two disks', async (context) => {
    const cwd = copyInto(tempFolder());
    for (const size of ['100k', '250k', '2m']) {
      const out = join(smallDisk(context, size), 'site');
      const { status, stderr } = await runWarm([...BUILD, '--out', out], { cwd });
      expect({ status, stderr }, size).toEqual({
        status: 75,
        stderr: expect.stringMatching(
          new RegExp(
            `^stxpress: The disk of ${out}[^ ]* is full` +
              '(\\. All served files are complete. Free space, then build again| or failing [^\\n]*)\\.\\n$',
          ),
        ),
      });
    }
  });

  test('builds with a warning if the index cannot record the build', async (context) => {
    const cwd = smallDisk(context, '2m');
    copyFileSync(join(world, 'data/index.sqlite'), join(cwd, 'index.sqlite'));
    // The disk has space for SQLite's shared memory, but not for a commit.
    spawnSync('sh', ['-c', 'cat /dev/zero > full; truncate -s -36K full'], { cwd });
    const out = join(tempFolder(), 'site');
    expect(await runWarm(['build', '--db', 'index.sqlite', '--out', out], { cwd })).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /^[^\n]*The index could not record the build: [^\n]*index\.sqlite is full[^\n]*\n$/,
      ),
    });
    expect(readTree(out)).toEqual(tree);
  });

  test('reports a full disk in an index run, and continues later', async (context) => {
    const cwd = smallDisk(context, '600k');
    const archive = join(world, 'all.tsv');
    expect(await runWarm([...INDEX, archive], { cwd })).toMatchObject({
      status: 75,
      stdout: '',
      stderr: expect.stringMatching(
        /^stxpress: The disk of data\/index\.sqlite is full\. Stored data stays\. Free some space, then run again\.\n$/,
      ),
    });
    resizeDisk(cwd, '64m');
    expect(await runWarm([...INDEX, archive], { cwd })).toMatchObject({ status: 0 });
    expect(await runWarm(BUILD, { cwd })).toMatchObject({ status: 0 });
    expect(readTree(join(cwd, 'dist'))).toEqual(tree);
  });
});

describe('a read-only disk', () => {
  test('reports out-unwritable without changes, and builds a read-only index', async (context) => {
    const cwd = copyInto(smallDisk(context, '64m'));
    const outAgain = mountReadOnly(join(cwd, 'dist'));
    expect(await runCli(BUILD, { cwd })).toMatchObject(
      refused('--out is dist, but dist is on a read-only file system'),
    );
    expect(readTree(join(cwd, 'dist'))).toEqual(small);
    outAgain?.();
    mountReadOnly(join(cwd, 'data'));
    await expectBuilds(cwd);
    expect(await runWarm(['status'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('permissions and failing syncs', () => {
  beforeEach(({ skip }) => skip(!canBeBound(), 'root ignores permissions here, and setpriv is missing'));

  const THREADS_FOLDER = 'dist/.stxpress/staging/extended/v1/contract';

  /** Returns a shell command that replaces the `sync` program by a script whose n-th call fails. */
  const failSync = (call: number) => `mkdir bin; cat > bin/sync <<'END'; chmod 755 bin/sync
#!/bin/sh
echo >> count
[ $(wc -l < count) -ne ${call} ] && exit 0
echo 'sync: Input/output error' >&2
exit 1
END`;
  const PER_HOST = [...BUILD, '--hosts', 'nginx'];

  // The command in `lock` runs before the tested command, or when the first thread of a build begins to write.
  test.each<[what: string, lock: string, args: readonly string[], message: string, when?: 'in a thread']>([
    [
      'an output folder',
      'rm -r dist; mkdir dist; chmod 555 dist',
      BUILD,
      '--out is dist, but this user may not write to dist',
    ],
    [
      'a folder of the index',
      'chmod 555 data',
      INDEX.slice(0, -1),
      '--db is data/index.sqlite, but this user may not write to data',
    ],
    [
      'an index',
      'chmod 000 data/index.sqlite',
      ['status'],
      'The index data/index.sqlite cannot be read .*EACCES[^\\n]*Check the path and its permissions',
    ],
    [
      'a folder that a thread writes to',
      `mkdir -p ${THREADS_FOLDER}; touch ${THREADS_FOLDER}/left; chmod 555 ${THREADS_FOLDER}`,
      BUILD,
      'The output folder cannot be written: dist/.stxpress/staging.*EACCES',
      'in a thread',
    ],
    [
      'the target of staged files',
      'chmod 555 dist/v2/contracts/interface/*',
      BUILD,
      'The output folder cannot be written: .*EACCES.*dist/v2/contracts/interface/',
      'in a thread',
    ],
    [
      'the disk before the plan is recorded',
      failSync(1),
      PER_HOST,
      'The disk of dist is full or failing.*Input/output error',
    ],
    [
      'the disk after all files were moved',
      failSync(2),
      PER_HOST,
      'The disk of dist is full or failing.*Input/output error',
    ],
    [
      'the disk of files for a host',
      failSync(3),
      PER_HOST,
      'The disk of .*dist-hosts is full or failing.*Input/output error',
    ],
  ])('reports the failure of %s, and keeps each file old or new', async (_, lock, args, message, when) => {
    const cwd = copyInto(tempFolder());
    const unlock = () => spawnSync('chmod', ['-R', 'u+rwX', '.'], { cwd });
    onTestFinished(() => void unlock());
    const { preload = [], env } = when === undefined ? {} : inThread(cwd, lock);
    if (when === undefined) spawnSync('sh', ['-c', lock], { cwd });
    const PATH = `${join(cwd, 'bin')}:${process.env.PATH}`;
    const options = { cwd, preload, env: { ...env, PATH }, boundByPermissions: true };
    expect(await runCli(args, options)).toMatchObject(refused(message));
    for (const [path, body] of readTree(join(cwd, 'dist'))) expect([small.get(path), tree.get(path)]).toContain(body);
    unlock();
    await expectBuilds(cwd);
  });

  test('builds and shows the status without write permissions', async () => {
    const cwd = copyInto(tempFolder());
    const db = join(cwd, 'data/index.sqlite');
    const written = await runWarm(['status', '--json'], { cwd });
    expect(written).toMatchObject({ status: 0, stderr: '' });
    const read = () => runCli(['status', '--json'], { cwd, boundByPermissions: true });
    const lock = lockFolder(join(cwd, 'data'));
    expect(await read()).toEqual(written);
    expect(await runCli(BUILD, { cwd, boundByPermissions: true })).toMatchObject({ status: 0, stderr: '' });
    expect(readTree(join(cwd, 'dist'))).toEqual(tree);
    expect(readdirSync(join(cwd, 'data'))).toEqual(['index.sqlite']);
    lock();

    // While a process writes to the index, other processes read its latest data from the log.
    const writer = new Database(db);
    writer.exec('create table more (x); drop table more');
    lockFolder(join(cwd, 'data'));
    expect(await read()).toEqual(written);
    // SQLite needs write access to read the log that a killed process left.
    const left = join(cwd, 'left');
    mkdirSync(join(left, 'data'), { recursive: true });
    for (const name of ['index.sqlite', 'index.sqlite-wal'])
      copyFileSync(join(cwd, 'data', name), join(left, 'data', name));
    writer.close();
    lockFolder(join(left, 'data'));
    expect(await runCli(['status'], { cwd: left, boundByPermissions: true })).toMatchObject(
      refused('The last changes of the index data/index.sqlite are in data/index.sqlite-wal'),
    );
  });
});
