// Tests publishing to a folder: after kills, after power cuts, and to invalid folders.
import fs, { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdCompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openFolderTarget } from '#publish/folder-target.ts';
import { mountSmallDisk } from '../reliability/machine/mounts.ts';
import { runCli } from '../support/run-cli.ts';
import { expectRefused, runWarm } from '../support/run-warm.ts';
import { filesBelow, readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { newBuild } from './versions.ts';

const PRELOAD = fileURLToPath(new URL('./die-while-writing.mjs', import.meta.url));
/** Creates a working folder. Its build in `dist` was never published. */
const newFolder = () => join(newBuild(), '..');
const publish = (cwd: string, to: string, ...more: string[]) => runWarm(['publish', '--to', to, ...more], { cwd });

// The order of writes is: the lock twice, the list of files, the files of the site, the list again. Renames move the
// site's files.
test.each([
  ['DIE_AT_WRITE', '1', 1],
  ['DIE_AT_WRITE', '2', 2],
  ['DIE_AT_WRITE', '3', 3],
  ['DIE_AT_WRITE', '40', 40],
  ['DIE_AT_WRITE', 'the last one', Number.POSITIVE_INFINITY],
  ['DIE_AT_RENAME', '5', 5],
  ['DIE_AT_RENAME', '60', 60],
])('behavior: serves only complete files and continues after a kill by %s at %s', async (name, _, number) => {
  const cwd = newFolder();
  const at = Math.min(number, readTree(join(cwd, 'dist')).size + 5);
  const args = ['publish', '--to', `file:${join(cwd, 'public')}`];
  expect(await runCli(args, { cwd, env: { [name]: `${at}` }, preload: [PRELOAD] })).toMatchObject({ status: null });
  const whole = readTree(join(cwd, 'dist'));
  const served = readTree(join(cwd, 'public'));
  expect([...served].filter(([path, text]) => text !== whole.get(path))).toEqual([]);
  expect(served.size).toBe(at > whole.size ? whole.size : Math.min(served.size, at));
  // Either another machine takes over, or the machine that was killed continues.
  cpSync(join(cwd, 'public'), join(cwd, 'copy'), { recursive: true });
  const ended = [
    await publish(newFolder(), `file:${join(cwd, 'copy')}`, '--take-over'),
    await publish(cwd, `file:${join(cwd, 'public')}`),
  ];
  expect(ended).toMatchObject([{ status: 0 }, { status: 0 }]);
  for (const folder of ['copy', 'public']) {
    expect(readTree(join(cwd, folder))).toEqual(whole);
    expect(readdirSync(join(cwd, folder, '.stxpress')).toSorted()).toEqual(['files.zst', 'site.json']);
  }
});

test('behavior: lets one of many concurrent conditional writes of a key succeed, with a complete object', async () => {
  const target = openFolderTarget(tempFolder());
  const write = (text: string) =>
    target.write({ key: 'a/b', body: Buffer.from(text), headers: {} as never }, { onlyIfNew: true });
  const results = await Promise.all(Array.from({ length: 20 }, (_, index) => write(`${index}`.repeat(10_000))));
  expect(results.filter((result) => result === 'written').length).toBe(1);
  expect((await target.read('a/b'))?.toString()).toBe(`${results.indexOf('written')}`.repeat(10_000));
});

test('behavior: flushes an object, its name and the names of new folders to the disk', async () => {
  const [root, synced] = [tempFolder(), new Set<unknown>()];
  const { open } = fs.promises;
  onTestFinished(() => {
    fs.promises.open = open;
    syncBuiltinESMExports();
  });
  fs.promises.open = async (path, ...more) => {
    const file = await open(path, ...more);
    const sync = file.sync.bind(file);
    file.sync = () => {
      synced.add(`${path}`.endsWith('.part') ? 'file' : path);
      return sync();
    };
    return file;
  };
  syncBuiltinESMExports();
  await openFolderTarget(root).write({ key: 'a/b/c', body: Buffer.from('x'), headers: {} as never });
  expect(synced).toEqual(new Set(['file', root, join(root, 'a'), join(root, 'a/b')]));
});

test('behavior: writes files one by one if no command can flush many to the disk', async () => {
  const [out, to, path] = [newBuild(), join(tempFolder(), 'public'), process.env.PATH];
  onTestFinished(() => {
    process.env.PATH = path;
  });
  process.env.PATH = '';
  const target = openFolderTarget(to);
  const objects = [...readTree(out)].map(([key, text]) => ({ key, body: Buffer.from(text), headers: {} as never }));
  await target.writeRun?.(objects);
  expect(readTree(to)).toEqual(readTree(out));
  expect(readdirSync(join(to, '.stxpress'))).toEqual([]);
});

test('error: rejects the folder of the build, its parents and its subfolders, also through links', async () => {
  const cwd = newFolder();
  symlinkSync('dist', join(cwd, 'link'));
  symlinkSync('.', join(cwd, 'here'));
  const before = filesBelow(join(cwd, 'dist/.stxpress'));
  for (const to of [
    'file:dist',
    'file:dist/public/x',
    'file:.',
    'file:link',
    'file:link/x',
    'file:here/dist',
    'file:here',
  ])
    expectRefused(await publish(cwd, to), 'and the build in dist overlap');
  expect(filesBelow(join(cwd, 'dist/.stxpress'))).toEqual(before);
  expect(existsSync(join(cwd, 'dist/public'))).toBe(false);
  expect(await publish(cwd, 'file:dist-public')).toMatchObject({ status: 0 });
});

test('error: names another build, a file, and a folder without write access', async () => {
  const [cwd, other] = [newFolder(), newFolder()];
  rmSync(join(other, 'dist/index.html'));
  expectRefused(await publish(cwd, `file:${join(other, 'dist')}`), 'holds files that stxpress did not publish');
  writeFileSync(join(cwd, 'file'), '');
  for (const to of ['file:file', 'file:file/below', 'file:/sys/none']) {
    const { status, stderr } = await publish(cwd, to);
    expect([to, status, stderr]).toEqual([to, 1, expect.stringContaining(`${to} cannot be used (E`)]);
  }
  mkdirSync(join(cwd, 'public/index.html'), { recursive: true });
  expect((await publish(cwd, 'file:public')).stderr).toContain('file:public cannot be used (EISDIR');
});

test.each(['../mine.txt', 'a/../../mine.txt', './x', 'a//x'])(
  'error: rejects a list that contains %s',
  async (path) => {
    const cwd = newFolder();
    const state = join(cwd, 'public/.stxpress');
    writeFileSync(join(cwd, 'mine.txt'), '');
    expect(await publish(cwd, 'file:public')).toMatchObject({ status: 0 });
    writeFileSync(join(state, 'files.zst'), zstdCompressSync(`${'0'.repeat(16)}  ${path}\n`));
    // A machine that has not published this site reads the list in the folder.
    expectRefused(
      await publish(newFolder(), `file:${join(cwd, 'public')}`),
      `names ${path}, which is not a file of a site`,
    );
    expect(existsSync(join(cwd, 'mine.txt'))).toBe(true);
  },
);

test('rejects a lock that names a file outside of the folder', async () => {
  const cwd = newFolder();
  const to = `file:${join(cwd, 'public')}`;
  writeFileSync(join(cwd, 'mine.txt'), '');
  expect(await publish(cwd, to)).toMatchObject({ status: 0 });
  const head = JSON.stringify({ token: 'a', by: 'another', since: '2026-01-02T03:04:05Z' });
  writeFileSync(join(cwd, 'public/.stxpress/publishing.zst'), zstdCompressSync(`${head}\n../mine.txt\n`));
  expectRefused(await publish(newFolder(), to, '--take-over'), 'has a .stxpress/publishing.zst that stxpress did not');
  expect(existsSync(join(cwd, 'mine.txt'))).toBe(true);
});

test('error: replaces the site of another chain only with --replace', async () => {
  const [cwd, other] = [newFolder(), newFolder()];
  const record = new Database(join(other, 'dist/.stxpress/record.sqlite'));
  record.prepare("update info set value = json_set(value, '$.chainId', 1) where key = 'origin'").run();
  record.close();
  const to = `file:${join(cwd, 'public')}`;
  expect(await publish(cwd, to)).toMatchObject({ status: 0 });
  const message = /has the site of chain \S+, and dist has the site of chain 0x00000001\. .*--replace/;
  expectRefused(await publish(other, to), message);
  expect(await publish(other, to, '--replace')).toMatchObject({ status: 0 });
  expect((await publish(cwd, to)).stderr).toContain('has the site of chain 0x00000001');
});

test('error: target-refused, if a subfolder is on another disk', async ({ skip }) => {
  const [folder, disk] = [tempFolder(), mountSmallDisk('1m') ?? skip('no file system can be mounted here')];
  symlinkSync(disk, join(folder, 'metadata'));
  const write = openFolderTarget(folder).write({ key: 'metadata/a', body: Buffer.from('a'), headers: {} as never });
  const message = /EXDEV.*A folder in it is on another file system.*Keep the whole folder on one file system\.$/;
  await expect(write).rejects.toMatchObject({
    failure: { code: 'target-refused', message: expect.stringMatching(message) },
  });
});
