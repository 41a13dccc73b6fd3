// Tests builds into folders that cannot hold all contracts: on disks that ignore case, and on Windows. On a disk that
// respects case, the build finds a file with the probed name, so it treats the folder as one that ignores case.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLeftOut } from '#generator/left-out.ts';
import { nothingStaged, stageFiles } from '#generator/stage-entries.ts';
import { hasDeviceName } from '#layout/device-names.ts';
import type { Reporter } from '#model/reporter.ts';
import { indexLines, newIndex, writeArchive } from '../support/archives.ts';
import { buildIndex } from '../support/build-options.ts';
import { indexInto } from '../support/index-options.ts';
import { COLLECTION_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { okOf, runWarm } from '../support/run-cli.ts';
import { readTree } from '../support/sample.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { tokenSource } from '../support/token-source.ts';
import { deployJson, idOf, type Json, lineAt } from '../support/transactions.ts';

const token = (name: string) =>
  deployJson(name, tokenSource({ 'get-name': `(ok "${name}")` }), { interface: TOKEN_INTERFACE });
const plain = (name: string, source = `(define-constant ${name} u1)`) =>
  deployJson(name, source, { clarityVersion: 2 });

/** Makes the folder look like one on a disk that ignores case. */
function ignoreCase(out: string): string {
  mkdirSync(join(out, '.stxpress'), { recursive: true });
  writeFileSync(join(out, PROBED), '');
  return out;
}

const PROBED = '.stxpress/LOCK.SQLITE';

/** Returns an index and an output folder. `add` indexes blocks; `build` builds, and compares with a new folder. */
function world() {
  const folder = tempFolder();
  const [db, out] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
  let builds = 0;
  return {
    ...{ folder, db, out },
    add: (...lines: readonly string[]) => indexInto(db, { archives: [writeArchive(lines.join(''))], vm: true }),
    async build(over: Parameters<typeof buildIndex>[2] = {}) {
      const fresh = ignoreCase(join(folder, `fresh-${builds++}`));
      const [summary, expected] = [await buildIndex(db, out, over), await buildIndex(db, fresh, over)];
      expect(readTree(out)).toEqual(readTree(fresh));
      expect(summary).toMatchObject({ leftOut: expected.leftOut, siteHash: expected.siteHash });
      return { ...summary, tree: readTree(out) };
    },
  };
}

const infoOf = (out: string, name: string) => join(out, `extended/v1/contract/${idOf(name)}`);

/** Returns a reporter, and a list: for each removal of files, true if the contract has a file after it. */
function atRemovals(out: string, name: string) {
  const seen: boolean[] = [];
  const progress: Reporter['progress'] = ({ task }) => {
    if (task === 'remove') seen.push(existsSync(infoOf(out, name)));
  };
  return { seen, reporter: { ...silentReporter, progress } };
}

const contractsIn = (tree: ReadonlyMap<string, string>) =>
  [...tree.keys()].flatMap((path) => /^extended\/v1\/contract\/[^.]+\.(.+)$/.exec(path)?.[1] ?? []).sort();

test('writes the contract that was deployed first, and leaves out its twins', async () => {
  const { add, build, out, folder, db } = world();
  const calls = plain('caller', `(contract-call? '${idOf('Press')} a) (contract-call? '${idOf('zeta')} a)`);
  const collection = (name: string) => deployJson(name, '', { interface: COLLECTION_INTERFACE });
  await add(
    lineAt(1, [token('pRess'), collection('nft')]),
    lineAt(2, [plain('zeta'), token('Press'), collection('NFT')]),
    lineAt(3, [plain('PRESS'), calls]),
  );
  ignoreCase(out);
  const { leftOut, tree } = await build({ dump: true });
  expect(leftOut).toEqual(['NFT', 'PRESS', 'Press'].map(idOf));
  expect(contractsIn(tree)).toEqual(['caller', 'nft', 'pRess', 'zeta']);
  // No list, search file or status names a contract that was left out. The call graph names all called contracts.
  const naming = [...tree].filter(([path, text]) => /RAVG4\.(NFT|P(ress|RESS))\b/.test(path + text));
  expect(naming.map(([path]) => path.replace(/\/.*/, ''))).toEqual(['extended', 'graph']);
  expect(tree.get('metadata/v1/ft/index.json')).toContain(idOf('pRess'));
  expect(JSON.parse(tree.get('metadata/v1/index.json') ?? '')).toMatchObject({
    contracts: 4,
    ft_states: { partial: 1 },
  });
  const folded = [...tree.keys()].map((path) => path.toLowerCase());
  expect(new Set(folded).size).toBe(folded.length);
  // A disk that respects case holds all of them.
  const all = await buildIndex(db, join(folder, 'all'));
  expect([all.leftOut, contractsIn(readTree(join(folder, 'all'))).length]).toEqual([[], 7]);
});

test('compares only contracts that --only selects', async () => {
  const { add, build, out } = world();
  await add(lineAt(1, [plain('press')]), lineAt(2, [token('Press')]));
  ignoreCase(out);
  const { leftOut, tree } = await build({ only: 'tokens' });
  expect([leftOut, contractsIn(tree)]).toEqual([[], ['Press']]);
});

test('replaces the files of a contract if a fork deploys its twin first', async () => {
  const { add, build, out } = world();
  const [first, second] = [[token('press')], [token('Press')]];
  await add(lineAt(1, [plain('base')]), lineAt(2, first), lineAt(3, second));
  ignoreCase(out);
  expect(contractsIn((await build()).tree)).toEqual(['base', 'press']);
  expect(await build()).toMatchObject({ written: 0, removed: 0 });
  const fork = (height: number, transactions: readonly Json[]) => lineAt(height, transactions, { forkedAt: 2 });
  await add(fork(2, second), fork(3, first), fork(4, []), fork(5, [plain('later')]));
  // On the disk that ignores case, removing the twin's files later would remove the new files.
  const { seen, reporter } = atRemovals(out, 'Press');
  const { leftOut, tree } = await build({ reporter });
  expect([leftOut, contractsIn(tree), seen[0]]).toEqual([[idOf('press')], ['Press', 'base', 'later'], false]);
  expect(await build()).toMatchObject({ written: 0, removed: 0 });
  expect(await build({ full: true })).toMatchObject({ written: 0, removed: 0, repaired: 0 });
});

test('repairs a site that was copied to or from a disk that ignores case', async () => {
  const { add, build, out, db } = world();
  await add(lineAt(1, [token('press')]), lineAt(2, [token('Press'), plain('other')]));
  await buildIndex(db, out);
  const respecting = readTree(out);
  // On the disk that ignores case, the last copied file of two has the name of the first.
  ignoreCase(out);
  renameSync(infoOf(out, 'Press'), infoOf(out, 'press'));
  writeFileSync(infoOf(out, 'other'), 'lost');
  const { seen, reporter } = atRemovals(out, 'press');
  const { leftOut, tree } = await build({ reporter });
  expect([leftOut, contractsIn(tree), seen[0]]).toEqual([[idOf('Press')], ['other', 'press'], false]);
  rmSync(join(out, PROBED));
  writeFileSync(infoOf(out, 'other'), 'lost');
  expect(await buildIndex(db, out)).toMatchObject({ leftOut: [], repaired: 1 });
  expect(readTree(out)).toEqual(respecting);
});

test('warns of contracts that were left out, and names them in the status', async () => {
  const cwd = tempFolder();
  await indexLines(join(cwd, 'data/index.sqlite'), lineAt(1, [plain('Twin'), plain('twin'), plain('TWIN')]));
  ignoreCase(join(cwd, 'dist'));
  const { status, stderr } = await runWarm(['build'], { cwd });
  expect([status, stderr]).toEqual([0, expect.stringContaining('dist cannot hold 2 contracts')]);
  const listed = `Left out   2 contracts that dist cannot hold:\n           ${idOf('TWIN')}\n           ${idOf('twin')}`;
  expect(okOf(await runWarm(['status'], { cwd }))).toContain(listed);
  const { lastBuild } = JSON.parse(okOf(await runWarm(['status', '--json'], { cwd })));
  expect(lastBuild.summary.leftOut).toEqual([idOf('TWIN'), idOf('twin')]);
});

test('leaves out names of devices on Windows', async () => {
  const { add, db } = world();
  await add(lineAt(1, [plain('aux'), plain('Aux'), plain('auxiliary'), plain('LPT1'), plain('con-sole')]));
  const store = await newIndex(db);
  const options = { only: undefined };
  const devices = [idOf('Aux'), idOf('LPT1'), idOf('aux')];
  expect(await readLeftOut(store, { ignoresCase: true, hasDevices: true }, options)).toMatchObject({
    leftOut: devices,
  });
  expect(await readLeftOut(store, { ignoresCase: false, hasDevices: false }, options)).toMatchObject({ leftOut: [] });

  const files = ['variants/locale/nul/a', 'variants/locale/null/a'].map((path) => ({ path, body: '' }));
  const target = { staging: join(tempFolder(), 'staging'), folder: undefined, comparesBytes: false };
  const staged = nothingStaged();
  stageFiles(staged, { ...target, hasDevices: true }, { route: 'a', key: '', files }, []);
  expect(staged.files.map(({ path }) => path)).toEqual(['variants/locale/null/a']);
});

test.each([
  ['aux', true],
  ['a/CON/b', true],
  ['nul.json', true],
  ['a/Com7.tar.gz', true],
  ['lpt1', true],
  ['com', false],
  ['com10', false],
  ['SP00.aux', false],
  ['auxiliary', false],
  ['con-', false],
])('tells whether %s is a device name: %s', (path, expected) => expect(hasDeviceName(path)).toBe(expected));
