// Tests the documented commands from end to end, as processes of a copy of the project: an index of the sample, its site
// and its seed, an index of that seed, published sites, a followed node, and a restored backup.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type Bucket, openBucket, treeOf } from '../support/bucket.ts';
import { copyProject, pathOf } from '../support/example-scripts.ts';
import { type CliResult, expectRefused, okOf, post, runCli, spawnCli, untilPrinted } from '../support/run-cli.ts';
import { offlineSample, readTree } from '../support/sample.ts';
import { sampleBlock } from '../support/sample-block.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';
import { addressOn, blockJson, deployJson, hashOf } from '../support/transactions.ts';

const CHAIN = { chainId: 0x53545850, clarityVersion: 2 };
const PATIENCE = { timeout: 300_000, interval: 200 };
vi.setConfig({ testTimeout: 1_000_000, hookTimeout: 1_000_000 });

interface Started {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

const [root, first] = [tempFolderForFile(), tempFolderForFile()];
const copy = join(root, 'copy');
const archive = join(copy, 'data/sample/chain.tsv');
let site: ReadonlyMap<string, string>;

/** Runs a command, which is written as in a shell, and waits until it has ended. */
const run = (line: string, options: Started): Promise<CliResult> =>
  runCli(line.split(' '), { ...options, entry: join(copy, 'bin/stxpress.mjs') });

/** Runs a command that must succeed. Returns its output. */
const must = async (line: string, options: Started) => okOf(await run(line, options));

/** Runs a command until it is stopped. `found` is the first match of the pattern in its output. */
async function startServer(line: string, pattern: RegExp, options: Started) {
  const child = spawnCli(line.split(' '), { ...options, entry: join(copy, 'bin/stxpress.mjs'), detached: true });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
  });
  child.stderr?.resume();
  const [, found = ''] = pattern.exec(await untilPrinted(child.stdout, pattern)) ?? [];
  const stop = async () => {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  };
  return { found, stop };
}

/** Serves a folder until the test has ended, and returns the URL. */
async function serve(cwd: string, out: string): Promise<string> {
  return (await startServer(`serve --port 0 --out ${out}`, /(http:\/\/127\.0\.0\.1:\d+)\/\n/, { cwd })).found;
}

/** Runs a program that must succeed. */
function program(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

/** Links the packages into a copy of the project. */
const linkPackages = (to: string) => symlinkSync(pathOf('node_modules'), join(to, 'node_modules'));

/** Makes the seed, and builds the site with it. */
async function buildWithSeed(options: Started, archives: readonly string[]): Promise<void> {
  await must(['seed', ...archives.map((path) => `--archive ${path}`)].join(' '), options);
  await must('build --with-seed data/seed', options);
}

/** Returns a copy of the first index, with its site and its seed. */
function copyOfFirst(): Started {
  const cwd = tempFolder();
  cpSync(first, cwd, { recursive: true, preserveTimestamps: true });
  return { cwd };
}

/** Returns options for commands that publish to a bucket on loopback. */
function publishingTo(bucket: Bucket, options: Started): Started {
  const env = { AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 'SECRET', STXPRESS_ENDPOINT: bucket.url };
  return { ...options, env };
}

const withoutSeed = (tree: ReadonlyMap<string, string>) =>
  new Map([...tree].filter(([path]) => !path.startsWith('seed/')));
const treeIn = ({ cwd }: Started, path: string) => readTree(join(cwd, path));
const tipOf = (text: string): unknown => {
  const { chain_tip: served, tip = served } = JSON.parse(text) as Record<string, Record<string, unknown>>;
  return tip?.index_block_hash;
};

beforeAll(async () => {
  copyProject(copy);
  linkPackages(copy);
  // Each npm command makes the bundles. It would also install packages, into the linked folder.
  program(process.execPath, join(copy, 'scripts/bundle.mjs'));
  await must('index --offline', { cwd: first });
  await buildWithSeed({ cwd: first }, []);
  site = treeIn({ cwd: first }, 'dist');
});

test('a fresh copy builds the site of the sample, with its seed', async () => {
  for (const [path, body] of await offlineSample()) expect([path, site.get(path)]).toEqual([path, body]);
  expect(JSON.parse(site.get('seed/index.json') ?? '')).toMatchObject({ tip: { block_height: 7 } });
});

test('an index of the served seed has the same responses', async () => {
  const other = { cwd: tempFolder() };
  const url = await serve(first, 'dist');
  await must(`index --db other.sqlite --seed ${url} --no-vm`, other);
  await must('index --db other.sqlite --offline', other);
  await must('build --db other.sqlite', other);
  expect(treeIn(other, 'dist')).toEqual(withoutSeed(site));
});

test('a bucket has all files of the site and of the seed', async () => {
  const bucket = await openBucket();
  await must('publish --to s3://site', publishingTo(bucket, copyOfFirst()));
  expect(treeOf(bucket)).toEqual(site);
});

test('a followed node updates the published site and its seed, also after a fork', async () => {
  const [options, other, bucket] = [copyOfFirst(), { cwd: tempFolder() }, await openBucket()];
  const { env } = publishingTo(bucket, options);
  const line = 'follow --listen 127.0.0.1:0 --every 1s --write-seed data/seed --publish s3://site';
  const follower = await startServer(line, /Listening at (\S+) for/, {
    ...options,
    env: { ...env, STXPRESS_OFFLINE: '1' },
  });
  const readPublic = (path: string) => treeOf(bucket).get(path) ?? '{}';
  const postBlock = async (id: string, parent: unknown, height: number) => {
    const transactions = [deployJson(id, `(define-constant id "${id}")`, { ...CHAIN, nonce: height })];
    const block = blockJson({
      id,
      parent: '',
      height,
      burnHeight: 100 + height,
      burnTime: 1_704_072_000,
      transactions,
    });
    const body = JSON.stringify({ ...block, parent_index_block_hash: parent });
    expect(await post(`http://${follower.found}`, { path: '/new_block', body })).toBe(true);
  };
  const untilPublished = (id: string) =>
    vi.waitFor(() => {
      for (const path of ['metadata/v1/index.json', 'seed/index.json'])
        expect([path, tipOf(readPublic(path))]).toEqual([path, hashOf(id)]);
      expect(treeOf(bucket)).toEqual(treeIn(options, 'dist'));
    }, PATIENCE);
  const tip = tipOf(site.get('seed/index.json') ?? '');
  await postBlock('abandoned', tip, 8);
  await untilPublished('abandoned');
  const url = await serve(options.cwd, 'dist');
  const readSeed = () => must(`index --db other.sqlite --seed ${url} --no-vm`, other);
  expect(await readSeed()).toMatch(/^Indexed \d+ deploys in 10 new blocks\.$/m);

  await postBlock('sibling', tip, 8);
  await postBlock('child', hashOf('sibling'), 9);
  await untilPublished('child');
  await follower.stop();
  const isCanonical = (id: string) =>
    JSON.parse(readPublic(`extended/v1/contract/${addressOn(CHAIN.chainId)}.${id}`)).canonical;
  expect(['abandoned', 'sibling', 'child'].map(isCanonical)).toEqual([false, true, true]);
  expect(await readSeed()).toMatch(/^Indexed \d+ deploys in 2 new blocks\.$/m);
  await must('index --db other.sqlite --offline', other);
  await must('build --db other.sqlite', other);
  expect(treeIn(other, 'dist')).toEqual(withoutSeed(treeOf(bucket)));
});

test('a restored backup loses no data, and does not replace the seed by an older one', async () => {
  const bucket = await openBucket();
  const options = publishingTo(bucket, copyOfFirst());
  const [db, backup] = ['data/index.sqlite', 'backup.sqlite'].map((path) => join(options.cwd, path)) as [
    string,
    string,
  ];
  const next = join(options.cwd, 'next.tsv');
  // No command runs, so the index is a single file.
  copyFileSync(db, backup);
  writeFileSync(next, sampleBlock([deployJson('next', '(define-constant one u1)', CHAIN)], []));
  const runAgain = async () => {
    await must(`index --archive ${next} --offline`, options);
    await buildWithSeed(options, [archive, next]);
    await must('publish --to s3://site', options);
    return [treeOf(bucket), treeIn(options, 'data/seed')];
  };
  const expected = await runAgain();
  expect(expected[0]).not.toEqual(site);

  copyFileSync(backup, db);
  expectRefused(await run('seed', options), 'has a seed up to height 8, but the index ends at 7. Nothing was changed.');
  expect(treeIn(options, 'data/seed')).toEqual(expected[1]);
  // The older index is built and published before it has caught up.
  await must('build --with-seed data/seed', options);
  await must('publish --to s3://site', options);
  expect(await runAgain()).toEqual(expected);
});
