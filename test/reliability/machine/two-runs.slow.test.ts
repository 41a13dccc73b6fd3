import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { endOf, runWarm, type Started, startCli, untilPrinted } from '../../support/run-cli.ts';
import { readTree, SAMPLE, SAMPLE_ARCHIVE } from '../../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../../support/temp-folder.ts';
import { blockLine, deployJson } from '../../support/transactions.ts';
import { writeManyContracts } from './many-contracts.ts';

const INDEX_LOCK = 'data/index.sqlite.lock.holder';
const BUILD_LOCK = 'dist/.stxpress/lock.sqlite.holder';
const INDEX = ['index', '--no-vm', '--offline'];

const folder = tempFolderForFile();
let tree: Map<string, string>;

beforeAll(async () => {
  const archive = writeManyContracts(join(folder, 'chain.tsv'), 300);
  expect(await runWarm([...INDEX, '--archive', archive], { cwd: folder })).toMatchObject({ status: 0 });
  expect(await runWarm(['build'], { cwd: folder })).toMatchObject({ status: 0 });
  tree = readTree(join(folder, 'dist'));
});

function indexedFolder(): string {
  const cwd = tempFolder();
  cpSync(join(folder, 'data/index.sqlite'), join(cwd, 'data/index.sqlite'), { recursive: true });
  return cwd;
}

/** Waits until a lock file contains the id of this process and the time since when it holds the lock. */
const untilHeld = (path: string, { child }: Started) =>
  vi.waitUntil(() => existsSync(path) && readFileSync(path, 'utf8').includes(`process ${child.pid}, since 2`), WAIT);
const WAIT = { timeout: 100_000, interval: 2 };

/** Starts a build, and pauses its process while the build holds its lock. */
async function stoppedBuild(cwd: string): Promise<Started> {
  const build = startCli(['build', '--full'], { cwd });
  onTestFinished(() => void build.child.kill('SIGKILL'));
  await untilHeld(join(cwd, BUILD_LOCK), build);
  build.child.kill('SIGSTOP');
  return build;
}

/** Starts an index run that waits on standard input for the rest of its archive. */
async function waitingIndex(cwd: string): Promise<Started> {
  const index = startCli([...INDEX, '--archive', '-'], { cwd });
  onTestFinished(() => void index.child.kill('SIGKILL'));
  index.child.stdin?.write(readFileSync(SAMPLE_ARCHIVE).subarray(0, 5_000));
  await untilHeld(join(cwd, INDEX_LOCK), index);
  return index;
}

/**
 * Returns the expected result of a run that fails because another run holds the lock. The message names the other run.
 */
const refused = (cwd: string, lock: string, { child }: Started) => ({
  status: 75,
  stdout: '',
  stderr: expect.stringMatching(
    new RegExp(
      `^stxpress: [^\\n]*\\(process ${child.pid}, since ${readFileSync(join(cwd, lock), 'utf8').split('since ')[1]?.replace(')', '')}\\)[^\\n]*\\n$`,
    ),
  ),
});

const BUILD_OFTEN = fileURLToPath(new URL('./build-often.mjs', import.meta.url));

/** Starts a process that builds repeatedly until its standard input ends. */
function buildOften(cwd: string, out: string): Started {
  const child = spawn(process.execPath, [BUILD_OFTEN, out], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended: endOf(child) };
}

describe('two runs at once', () => {
  test('refuses a second build with the holder of the lock, and finishes the first', async () => {
    const cwd = indexedFolder();
    const first = await stoppedBuild(cwd);
    expect(await runWarm(['build'], { cwd })).toMatchObject(refused(cwd, BUILD_LOCK, first));
    expect(await runWarm(['build', '--full'], { cwd })).toMatchObject(refused(cwd, BUILD_LOCK, first));
    first.child.kill('SIGCONT');
    expect(await first.ended).toMatchObject({ status: 0, stderr: '' });
    expect(readTree(join(cwd, 'dist'))).toEqual(tree);
  });

  test('refuses a second index run, also with --rebuild, and finishes the first', async () => {
    const cwd = tempFolder();
    const first = await waitingIndex(cwd);
    const again = [...INDEX, '--archive', SAMPLE_ARCHIVE];
    expect(await runWarm(again, { cwd })).toMatchObject(refused(cwd, INDEX_LOCK, first));
    expect(await runWarm([...again, '--rebuild'], { cwd })).toMatchObject(refused(cwd, INDEX_LOCK, first));
    expect(existsSync(join(cwd, 'data/index.sqlite.kept-1'))).toBe(false);
    first.child.stdin?.end(readFileSync(SAMPLE_ARCHIVE).subarray(5_000));
    const all = `Indexed ${SAMPLE.contracts} deploys`;
    expect(await first.ended).toMatchObject({ status: 0, stdout: expect.stringContaining(all) });
  });

  test('runs builds in a loop next to an index run of many small archives', async () => {
    const cwd = tempFolder();
    const [first = '', ...archives] = Array.from({ length: 150 }, (_, at) => {
      const path = join(cwd, `${at}.tsv`);
      const transactions = [deployJson(`small-${at}`, '(define-constant n u1)')];
      writeFileSync(path, blockLine({ id: at, parent: at - 1, height: at, transactions }));
      return path;
    });
    expect(await runWarm([...INDEX, '--archive', first], { cwd })).toMatchObject({ status: 0 });
    const builders = ['left', 'right'].map((out) => buildOften(cwd, out));
    await Promise.all(builders.map(({ child }) => untilPrinted(child.stdout, /built/)));
    const index = await runWarm([...INDEX, ...archives.flatMap((path) => ['--archive', path])], { cwd });
    expect(index).toMatchObject({ status: 0, stdout: expect.stringContaining('Indexed 149 deploys') });
    for (const { child, ended } of builders) {
      child.stdin?.end();
      expect(await ended).toMatchObject({ status: 0, stderr: '' });
    }
  });
});
