// Tests output folders that a build rejects without changing them: with the site of another index, with foreign files,
// or with occupied paths.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findHosts } from '#hosts/all.ts';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import type { Reporter } from '#model/reporter.ts';
import { indexLines } from '../support/archives.ts';
import { buildIndex } from '../support/build-options.ts';
import { buildSample, copyIndex, filesBelow, indexSample, readTree, sampleIndex } from '../support/sample.ts';
import { sampleBlock } from '../support/sample-block.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { addressOn, blockLine, callJson, deployJson } from '../support/transactions.ts';

const sample = sampleIndex();

const expectFailure = (run: Promise<unknown>, code: string, message: string) =>
  expect(run).rejects.toMatchObject({ failure: { code, message: expect.stringContaining(message) } });

/** Indexes an archive in which each block deploys one contract. */
const indexDeploys = (db: string, names: readonly string[]) => {
  const lines = names.map((name, at) => {
    const transactions = [deployJson(name, `(define-constant ${name} u1)`, { clarityVersion: 2 })];
    return blockLine({ id: name, parent: names[at - 1] ?? 'none', height: name.charCodeAt(0), transactions });
  });
  return indexLines(db, lines.join(''));
};

test('reports other-index, unless --replace is set', async () => {
  const folder = tempFolder();
  const out = join(folder, 'dist');
  const db = join(folder, 'other.sqlite');
  const deploy = deployJson('one', '(define-constant a u1)', { clarityVersion: 2, chainId: 1 });
  await indexLines(db, blockLine({ id: 1, parent: 0, height: 1, transactions: [deploy] }));
  await buildIndex(db, out, { indexFile: db });
  const tree = readTree(out);
  // The build is rejected because its index has another chain, even if the path of the index is the same.
  for (const indexFile of [join(folder, 'sample.sqlite'), db])
    await expectFailure(buildIndex(sample, out, { indexFile }), 'other-index', `${db} of chain 0x00000001`);
  expect(readTree(out)).toEqual(tree);
  await buildIndex(sample, out, { indexFile: join(folder, 'sample.sqlite'), replace: true });
  // No option is needed to replace the site of the bundled sample.
  const infos: string[] = [];
  const reporter = { ...silentReporter, info: (message: string) => infos.push(message) };
  await buildIndex(db, out, { indexFile: db, reporter });
  expect(infos).toEqual([`${out} holds the site of the bundled sample. This build replaces it.`]);
  expect(filesBelow(out).filter((path) => /^(extended|metadata\/v1\/ft\/SP|v2)/.test(path))).toEqual([
    expect.stringMatching(/^extended\/v1\/contract\/.*\.one$/),
  ]);
});

test('accepts a new index at the same path, and rejects it at another path', async () => {
  const folder = tempFolder();
  const [db, out] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
  const { files } = await buildIndex(sample, out, { indexFile: db });
  await indexSample(db, { vm: false });
  await expectFailure(buildIndex(db, out, { indexFile: join(folder, 'elsewhere.sqlite') }), 'other-index', '');
  expect(await buildIndex(db, out, { indexFile: db })).toMatchObject({
    files: expect.toSatisfy((now) => now < files),
  });
});

test.each([
  ['has no later blocks', []],
  ['has the same revision', ['c']],
  ['has a later revision', ['c', 'd', 'e', 'f']],
])('renders everything for a restored copy of the index that %s', async (_, more) => {
  const folder = tempFolder();
  const [db, copy, out] = [join(folder, 'index.sqlite'), join(folder, 'copy.sqlite'), join(folder, 'dist')];
  const hosts = findHosts(['s3-cloudfront']);
  await indexDeploys(db, ['a']);
  copyIndex(db, copy);
  await indexDeploys(db, ['b']);
  await buildIndex(db, out, { hosts });
  copyIndex(copy, db);
  await indexDeploys(db, more);
  await buildIndex(db, out, { hosts });
  const fresh = join(folder, 'fresh/dist');
  await buildIndex(db, fresh, { hosts });
  expect(readTree(out)).toEqual(readTree(fresh));
  const beside = (site: string) =>
    [...readTree(`${site}-hosts`)].map(([path, text]) => [path, text.replaceAll(site, '')]);
  expect(beside(out)).toEqual(beside(fresh));
  // This build is incremental, although the build before replaced the site of another index.
  await indexDeploys(db, ['g']);
  const rendered = async (full: boolean) => {
    let entries = 0;
    const progress: Reporter['progress'] = ({ total = 0 }) => {
      entries = total;
    };
    await buildIndex(db, out, { hosts, full, reporter: { ...silentReporter, progress } });
    return entries;
  };
  const some = await rendered(false);
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(await rendered(true));
});

test('reports out-foreign', async () => {
  const out = tempFolder();
  writeFileSync(join(out, 'thesis.txt'), 'mine');
  await expectFailure(buildIndex(sample, out), 'out-foreign', 'thesis.txt');
  expect(readdirSync(out)).toEqual(['thesis.txt']);
});

test('accepts a folder with files that only the system made', async () => {
  const out = tempFolder();
  for (const name of ['lost+found', '.Trash-1000', '.Spotlight-V100', 'System Volume Information'])
    mkdirSync(join(out, name));
  for (const name of ['.DS_Store', '._dist', 'Thumbs.db', 'Desktop.ini']) writeFileSync(join(out, name), 'system');
  const before = readdirSync(out);
  expect(await buildIndex(sample, out)).toMatchObject({ removed: 0 });
  expect(readdirSync(out)).toEqual(expect.arrayContaining(before));
  for (const name of ['.DS_Store.txt', '.git', '.env', 'thumbs', '._']) {
    const foreign = tempFolder();
    writeFileSync(join(foreign, name), 'mine');
    await expectFailure(buildIndex(sample, foreign), 'out-foreign', name);
  }
});

test('reports out-foreign, for a symbolic link inside the output folder', async () => {
  const folder = tempFolder();
  const out = join(folder, 'dist');
  const elsewhere = join(folder, 'elsewhere');
  await buildSample(out);
  mkdirSync(elsewhere);
  rmSync(join(out, 'metadata'), { recursive: true });
  symlinkSync(elsewhere, join(out, 'metadata'));
  await expectFailure(buildIndex(sample, out, { full: true }), 'out-foreign', 'symbolic link');
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('reports path-collision with a file that no build wrote', async () => {
  const folder = tempFolder();
  const db = copyIndex(sample, join(folder, 'index.sqlite'));
  const out = join(folder, 'dist');
  await buildSample(out);
  const call = callJson({ chainId: SAMPLE_CHAIN_ID });
  const deploy = deployJson('fresh', '(define-constant a u1)', { chainId: SAMPLE_CHAIN_ID, clarityVersion: 2 });
  await indexLines(db, sampleBlock([deploy, call], []));
  const tree = readTree(out);
  const taken = filesBelow(out).length;
  const path = join(out, 'extended/v1/contract');
  const contractId = `${addressOn(SAMPLE_CHAIN_ID)}.fresh`;
  writeFileSync(join(path, contractId), 'mine');
  await expectFailure(buildIndex(db, out), 'path-collision', contractId);
  expect(readFileSync(join(path, contractId), 'utf8')).toBe('mine');
  unlinkSync(join(path, contractId));
  expect(readTree(out)).toEqual(tree);
  expect(filesBelow(out)).toHaveLength(taken);
  await buildIndex(db, out);
  expect(JSON.parse(readFileSync(join(path, contractId), 'utf8'))).toMatchObject({ contract_id: contractId });
});

test('reports out-unwritable', async () => {
  await expectFailure(buildIndex(sample, '/dev/null/dist'), 'out-unwritable', '/dev/null');
});

test('reports out-foreign, before a file is removed through a symbolic link', async () => {
  const folder = tempFolder();
  const [out, elsewhere] = [join(folder, 'dist'), join(folder, 'elsewhere')];
  await buildSample(out);
  renameSync(join(out, 'graph'), elsewhere);
  symlinkSync(elsewhere, join(out, 'graph'));
  const before = readTree(elsewhere);
  await expectFailure(buildIndex(sample, out, { only: 'ft' }), 'out-foreign', 'symbolic link');
  expect(readTree(elsewhere)).toEqual(before);
});

test('removes the staged files of a killed build', async () => {
  const out = join(tempFolder(), 'dist');
  await buildSample(out);
  const staged = join(out, '.stxpress/staging/metadata/v1');
  mkdirSync(staged, { recursive: true });
  for (const name of ['index.json', 'foreign.json']) writeFileSync(join(staged, name), 'half');
  await buildIndex(sample, out, { only: 'ft' });
  const fresh = join(tempFolder(), 'dist');
  await buildIndex(sample, fresh, { only: 'ft' });
  expect(readTree(out)).toEqual(readTree(fresh));
});
