// Tests builds for a host with limits. A build compares its planned files with the limits, and changes nothing if it
// fails.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { BuildOptions } from '#generator/build-options.ts';
import type { Host, HostLimit } from '#hosts/host.ts';
import type { Failure, FailureError } from '#model/failure.ts';
import { buildIndex } from '../support/build-options.ts';
import { filesBelow, readTree, sampleIndex } from '../support/sample.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

type Unit = HostLimit['of'];

const english = (value: number) => value.toLocaleString('en');

const sample = sampleIndex();

const build = (out: string, over: Partial<BuildOptions> = {}) => buildIndex(sample, out, over);

const refusal = async (run: Promise<unknown>): Promise<Failure> => {
  const error: unknown = await run.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ failure: { code: 'host-limit' } });
  return (error as FailureError).failure;
};

/** Makes a host with one limit. */
const tiny = (of: Unit, max: number, more: Partial<HostLimit> = {}): Host => ({
  name: 'tiny',
  title: 'Tiny',
  instructions: 'none',
  deviations: {},
  limits: [{ of, max, advice: 'Build for a host that takes more.', ...more }],
  files: () => [
    { where: 'site', path: 'tiny.txt', text: '# Tiny\n' },
    { where: 'outside', path: 'tiny.conf', text: '# Tiny\n' },
  ],
});
const ROOMY: Host = { ...tiny('files', 1_000_000), name: 'roomy' };

/** Measures a build on the disk. Returns its size in each unit of limits. */
const measured = (out: string): Record<Unit, number> => {
  const tree = new Map(filesBelow(out).map((path) => [path, readFileSync(join(out, path)).length]));
  const folders = Map.groupBy(tree.keys(), (path) => dirname(path));
  return {
    files: tree.size,
    bytes: [...tree.values()].reduce((sum, bytes) => sum + bytes, 0),
    'bytes in a file': Math.max(...tree.values()),
    'files in a folder': Math.max(...[...folders.values()].map((paths) => paths.length)),
  };
};

const dist = join(tempFolderForFile(), 'dist');
let measuredSite: Record<Unit, number>;
beforeAll(async () => {
  await build(dist, { hosts: [ROOMY] });
  measuredSite = measured(dist);
});

test('measures the planned files, of a first build and over an earlier build', async () => {
  const out = join(tempFolder(), 'dist');
  const UNITS = Object.keys(measuredSite) as Unit[];
  for (const of of UNITS) {
    const hosts = [tiny(of, measuredSite[of] - 1)];
    const { message } = await refusal(build(out, { hosts }));
    // The message has "at least" if the counts of the index already exceed the limit. The build then fails before it
    // measures files.
    expect(message.replace('at least ', '')).toContain(
      `tiny takes at most ${english(measuredSite[of] - 1)} ${of}, and this build has ${english(measuredSite[of])}`,
    );
    expect((await refusal(build(dist, { hosts, full: true }))).message).toBe(message);
  }
  const [first] = UNITS.map((of) => tiny(of, measuredSite[of])) as [Host];
  const all = { ...first, limits: UNITS.flatMap((of) => tiny(of, measuredSite[of]).limits) };
  await build(out, { hosts: [all] });
  expect(measured(out)).toEqual(measuredSite);
});

test('a failed build removes a new folder, and leaves an empty one empty', async () => {
  const folder = tempFolder();
  const hosts = [tiny('files', 1)];
  for (const out of ['dist', 'a/b/dist']) {
    await refusal(build(join(folder, out), { hosts }));
    expect(readdirSync(folder)).toEqual([]);
  }
  const out = join(folder, 'dist');
  mkdirSync(out);
  await refusal(build(out, { hosts }));
  expect([readdirSync(folder), readdirSync(out)]).toEqual([['dist'], []]);
  // A folder counts as empty if it contains only a name that file systems create.
  mkdirSync(join(out, 'lost+found'));
  await refusal(build(out, { hosts }));
  expect(readdirSync(out)).toEqual(['lost+found']);
});

test('a failed build leaves an earlier build unchanged', async () => {
  const folder = tempFolder();
  const out = join(folder, 'dist');
  await build(out, { hosts: [ROOMY] });
  const before = [readTree(out), readTree(`${out}-hosts`)];
  const bookkeeping = readdirSync(join(out, '.stxpress')).sort();
  for (const over of [{}, { full: true }]) {
    await refusal(build(out, { ...over, hosts: [tiny('files', 1)] }));
    expect([readTree(out), readTree(`${out}-hosts`)]).toEqual(before);
    expect(readdirSync(join(out, '.stxpress')).sort()).toEqual(bookkeeping);
  }
  expect(readdirSync(folder).sort()).toEqual(['dist', 'dist-hosts']);
  // The failed builds left the record unchanged, so this build has nothing to write.
  expect(await build(out, { hosts: [ROOMY] })).toMatchObject({ written: 0, removed: 0 });
  expect(await build(out, { hosts: [ROOMY], full: true })).toMatchObject({ written: 0, repaired: 0, removed: 0 });
});

test('does not count files that the build removes, for example with --only tokens', async () => {
  const fresh = join(tempFolder(), 'dist');
  await build(fresh, { only: 'tokens', hosts: [ROOMY] });
  const fileCount = measured(fresh).files;
  const host = tiny('files', fileCount);
  const out = join(tempFolder(), 'dist');
  await build(out);
  expect((await refusal(build(out, { hosts: [host] }))).message).toContain('Nothing was written');
  await build(out, { only: 'tokens', hosts: [host] });
  expect(readTree(out)).toEqual(readTree(fresh));
});

test('does not count files of a replaced index', async () => {
  const out = join(tempFolder(), 'dist');
  await build(out, { hosts: [ROOMY] });
  const empty = join(tempFolder(), 'index.sqlite');
  const fresh = join(tempFolder(), 'dist');
  await buildIndex(empty, fresh, { hosts: [ROOMY] });
  const host = tiny('files', measured(fresh).files);
  await buildIndex(empty, out, { hosts: [host], replace: true });
  expect(readTree(out)).toEqual(readTree(fresh));
});

test('reports a foreign folder before any limit', async () => {
  const out = tempFolder();
  writeFileSync(join(out, 'thesis.txt'), 'mine');
  await expect(build(out, { hosts: [tiny('files', 1)] })).rejects.toMatchObject({ failure: { code: 'out-foreign' } });
  expect(readdirSync(out)).toEqual(['thesis.txt']);
});

test.each<[Unit, Partial<BuildOptions>]>([
  ['files', {}],
  ['files in a folder', {}],
  ['files', { only: 'tokens' }],
  ['files', { only: 'nft' }],
])('reports %s above the limit before it renders anything, if the counts prove it (%o)', async (of, over) => {
  const fresh = join(tempFolder(), 'dist');
  await build(fresh, over);
  const out = join(tempFolder(), 'dist');
  const rendered: unknown[] = [];
  const reporter = { ...silentReporter, progress: (report: unknown) => void rendered.push(report) };
  const { message } = await refusal(build(out, { ...over, hosts: [tiny(of, 2)], reporter }));
  const [, least = ''] =
    /^tiny takes at most 2 .*, and this build has at least (\d+)\. Build for a host/.exec(message) ?? [];
  expect(Number(least)).toBeGreaterThan(2);
  expect(Number(least)).toBeLessThanOrEqual(measured(fresh)[of]);
  expect(rendered).toEqual([]);
});
