import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findHost, HOSTS } from '#hosts/all.ts';
import { type Host, type HostLimit, ownErrors } from '#hosts/host.ts';
import { type Failure, FailureError } from '#model/failure.ts';
import { type Reporter, silentReporter } from '#model/reporter.ts';
import type { BuildOptions } from '#press/build-options.ts';
import { checkLimits } from '#press/check-limits.ts';
import { siteOf } from '#press/host-files.ts';
import type { PlannedTotals } from '#press/record/planned-files.ts';
import { ROUTES } from '#routes/all.ts';
import { DOCUMENTS } from '#site/documents.ts';
import { describeRoutes, SITE_RULES } from '#site/site-rules.ts';
import { buildIndex } from '../support/build-options.ts';
import { filesBelow, indexSample, readTree } from '../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

type Unit = HostLimit['of'];

/** What a site has of what hosts limit. */
type SiteFacts = PlannedTotals & { readonly conditional: readonly string[] };

const NO_FACTS: SiteFacts = {
  files: 0,
  bytes: 0,
  largestFile: { path: '', bytes: 0 },
  largestFolder: { path: '', files: 0 },
  conditional: [],
};

const english = (value: number) => value.toLocaleString('en');

/** What a reporter was told, and what the check threw. */
const check = (host: Host, facts: SiteFacts): { failure: Failure | undefined; warnings: string[] } => {
  const warnings: string[] = [];
  const reporter: Reporter = { ...silentReporter, warn: (message) => void warnings.push(message) };
  try {
    checkLimits([host], siteOf('dist', facts.conditional), facts, reporter);
    return { failure: undefined, warnings };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { failure: error.failure, warnings };
  }
};

const rulesOf = (host: Host, conditional: readonly string[]): number =>
  host.countRules?.(siteOf('dist', conditional)) ?? 0;

/** Tokens with an answer of another status. */
const errorFiles = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `errors/422/metadata/v1/ft/${index}`);

/** Facts of a site that has exactly so much of what a host limits, and little else. */
const factsWith = (host: Host, unit: Unit, value: number): SiteFacts => {
  switch (unit) {
    case 'files':
      return { ...NO_FACTS, files: value };
    case 'bytes':
      return { ...NO_FACTS, bytes: value };
    case 'bytes in a file':
      return { ...NO_FACTS, largestFile: { path: 'metadata/v1/ft/pages/7.json', bytes: value } };
    case 'files in a folder':
      return { ...NO_FACTS, largestFolder: { path: 'extended/v1/contract', files: value } };
    default:
      return { ...NO_FACTS, conditional: errorFiles(value - rulesOf(host, [])) };
  }
};

const LIMITS = HOSTS.flatMap((host) => host.limits.map((limit) => [host.name, limit.of, limit, host] as const));

describe('checkLimits', () => {
  test('default', () => {
    for (const host of HOSTS) expect(check(host, NO_FACTS)).toEqual({ failure: undefined, warnings: [] });
    expect(LIMITS.length).toBeGreaterThan(5);
  });

  test.each(LIMITS)('error: host-limit, %s: %s', (name, of, limit, host) => {
    // Key values have names, so that no number of them has a given number of bytes.
    const isCounted = of !== 'bytes of key values';
    const [at, above] = isCounted ? [limit.most, limit.most + 1] : [10_000, 100_000];
    expect(check(host, factsWith(host, of, at)).failure).toBeUndefined();
    const facts = factsWith(host, of, above);
    const { failure } = check(host, facts);
    expect(failure).toMatchObject({ code: 'host-limit', retryable: false });
    const has = isCounted ? above : rulesOf(host, facts.conditional);
    const where = { 'bytes in a file': facts.largestFile.path, 'files in a folder': facts.largestFolder.path };
    expect(failure?.message).toContain(`${name} takes at most ${english(limit.most)} ${of}, and this build has`);
    expect(failure?.message).toContain(
      `${english(has)}${of in where ? ` in ${where[of as keyof typeof where]}` : ''}.`,
    );
    expect(failure?.message).toContain(`${limit.wayOut} Nothing was written.`);
  });

  test.each(LIMITS)('behavior: the way out of %s: %s is one', (name, of, { wayOut }) => {
    expect(wayOut).toMatch(/--only tokens|--host [a-z]|another host|without this limit/);
    const named = [
      ...[...wayOut.matchAll(/--host ([a-z0-9-]+)/g)].map(([, host = '']) => host),
      ...(/without this limit: (.*?)\./.exec(wayOut)?.[1]?.split(/, | or /) ?? []),
    ];
    for (const other of named) {
      expect(other).not.toBe(name);
      expect([other, findHost(other)?.limits.filter((limit) => limit.of === of)]).toEqual([other, []]);
    }
  });

  test('behavior: what is above a plan is said, and goes on', () => {
    const host = findHost('cloudflare') as Host;
    expect(check(host, factsWith(host, 'files', 20_000)).warnings).toEqual([]);
    const { failure, warnings } = check(host, factsWith(host, 'files', 20_001));
    expect(failure).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/^cloudflare: .*20,001 files, more than 20,000: .*free plan/)]);
  });

  test('behavior: every host is checked, not only the first', () => {
    const hosts = HOSTS.filter(({ name }) => ['nginx', 'cloudflare', 'vercel'].includes(name));
    const facts = { ...NO_FACTS, files: 15_001 };
    expect(() => checkLimits(hosts, siteOf('dist', []), facts, silentReporter)).toThrow(
      'vercel takes at most 15,000 files',
    );
  });

  test('behavior: rules are counted as the files have them', () => {
    const conditional = [...errorFiles(3), 'metadata/v1/ft/xxxx', 'metadata/v1/ft/yyyyy'];
    const textOf = (host: Host, path: string) =>
      host.files(siteOf('dist', conditional)).find((file) => file.path === path)?.text ?? '';
    const [vercel, s3] = ['vercel', 's3-cloudfront'].map((name) => findHost(name)) as [Host, Host];
    const { routes } = JSON.parse(textOf(vercel, 'vercel.json')) as { routes: unknown[] };
    expect(rulesOf(vercel, conditional)).toBe(routes.length);
    const { data } = JSON.parse(textOf(s3, 'key-values.json')) as { data: unknown[] };
    expect(rulesOf(s3, conditional)).toBe(Buffer.byteLength(JSON.stringify(data)));
  });

  test('behavior: the function of CloudFront is as small as it must be', () => {
    // Larger ones are refused:
    // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
    const host = findHost('s3-cloudfront') as Host;
    const files = host.files(siteOf('dist', []));
    const viewer = files.find(({ path }) => path === 'viewer-request.js');
    expect(Buffer.byteLength(viewer?.text ?? '')).toBeLessThan(10 * 1024);
    expect(viewer?.text).toContain('variants/locale/');
    // There is room for three more.
    const others = ROUTES.slice(0, 3).map((route) => ({ ...route, path: `other/${route.path}` }));
    const more = host.files({ ...siteOf('dist', []), rules: describeRoutes([...ROUTES, ...others], DOCUMENTS) });
    const larger = more.find(({ path }) => path === 'viewer-request.js');
    expect(larger?.text).toContain('other/');
    expect(Buffer.byteLength(larger?.text ?? '')).toBeLessThan(10 * 1024);
  });
});

const tempFolderForTests = tempFolderForFile();
const sample = join(tempFolderForTests, 'index.sqlite');
beforeAll(() => indexSample(sample));

const build = (out: string, over: Partial<BuildOptions> = {}) => buildIndex(sample, out, over);

const refusal = async (run: Promise<unknown>): Promise<Failure> => {
  const error = await run.then(
    () => new Error('it was built'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof FailureError && error.failure.code === 'host-limit') return error.failure;
  throw error;
};

/** A host that takes little. */
const tiny = (of: Unit, most: number, more: Partial<HostLimit> = {}): Host => ({
  name: 'tiny',
  title: 'Tiny',
  use: 'none',
  otherwise: {},
  limits: [{ of, most, wayOut: 'Build for a host that takes more.', ...more }],
  countRules: (site) => site.rules.rules.length + ownErrors(site).length,
  files: (site) => [
    { place: 'site', path: 'tiny.txt', text: `# Rules\n${ownErrors(site).map(({ path }) => path)}\n` },
    { place: 'beside', path: 'tiny.conf', text: '# Tiny\n' },
  ],
});
const ROOMY: Host = { ...tiny('files', 1_000_000), name: 'roomy' };

/** What a build has of each unit, read from the disk. */
const measured = (out: string): Record<Unit, number> => {
  const tree = new Map(filesBelow(out).map((path) => [path, readFileSync(join(out, path)).length]));
  const folders = Map.groupBy(tree.keys(), (path) => dirname(path));
  const errors = [...tree.keys()].filter((path) => /^errors\/422\/.+\.[^/]+$/.test(path) && !path.endsWith('.json'));
  return {
    files: tree.size,
    bytes: [...tree.values()].reduce((sum, bytes) => sum + bytes, 0),
    'bytes in a file': Math.max(...tree.values()),
    'files in a folder': Math.max(...[...folders.values()].map((paths) => paths.length)),
    rules: SITE_RULES.rules.length + errors.length,
    'bytes of key values': SITE_RULES.rules.length + errors.length,
  };
};

describe('runBuild for a host with limits', () => {
  const dist = join(tempFolderForTests, 'dist');
  let whole: Record<Unit, number>;
  beforeAll(async () => {
    await build(dist, { hosts: [ROOMY] });
    whole = measured(dist);
  });

  test('default: what is measured is what is built, anew and over a build that is there', async () => {
    const out = join(tempFolder(), 'dist');
    const UNITS = Object.keys(whole) as Unit[];
    for (const of of UNITS) {
      const hosts = [tiny(of, whole[of] - 1)];
      const { message } = await refusal(build(out, { hosts }));
      expect(message).toContain(
        `tiny takes at most ${english(whole[of] - 1)} ${of}, and this build has ${english(whole[of])}`,
      );
      expect((await refusal(build(dist, { hosts, full: true }))).message).toBe(message);
    }
    const [first] = UNITS.map((of) => tiny(of, whole[of])) as [Host];
    const all = { ...first, limits: UNITS.flatMap((of) => tiny(of, whole[of]).limits) };
    await build(out, { hosts: [all] });
    expect(measured(out)).toEqual(whole);
  });

  test('behavior: a folder that was not there is not there afterwards, and an empty one is empty', async () => {
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
    // So is one with what file systems put there.
    mkdirSync(join(out, 'lost+found'));
    await refusal(build(out, { hosts }));
    expect(readdirSync(out)).toEqual(['lost+found']);
  });

  test('behavior: a build that is there is byte for byte as it was', async () => {
    const folder = tempFolder();
    const out = join(folder, 'dist');
    await build(out, { hosts: [ROOMY] });
    const before = [readTree(out), readTree(`${out}-hosts`), readFileSync(join(out, '.stxpress/changes.ndjson'))];
    const bookkeeping = readdirSync(join(out, '.stxpress')).sort();
    for (const over of [{}, { full: true, verify: true }]) {
      await refusal(build(out, { ...over, hosts: [tiny('files', 1)] }));
      expect([readTree(out), readTree(`${out}-hosts`), readFileSync(join(out, '.stxpress/changes.ndjson'))]).toEqual(
        before,
      );
      expect(readdirSync(join(out, '.stxpress')).sort()).toEqual(bookkeeping);
    }
    expect(readdirSync(folder).sort()).toEqual(['dist', 'dist-hosts']);
    // Its record is as it was, too.
    expect(await build(out, { hosts: [ROOMY] })).toMatchObject({ written: 0, removed: 0 });
    expect(await build(out, { hosts: [ROOMY], verify: true })).toMatchObject({ written: 0, mended: 0, removed: 0 });
  });

  test('behavior: what the build would remove does not count: --only tokens is a way out', async () => {
    const fresh = join(tempFolder(), 'dist');
    await build(fresh, { only: 'tokens', hosts: [ROOMY] });
    const most = measured(fresh).files;
    const host = tiny('files', most);
    const out = join(tempFolder(), 'dist');
    await build(out);
    expect((await refusal(build(out, { hosts: [host] }))).message).toContain('Nothing was written');
    await build(out, { only: 'tokens', hosts: [host] });
    expect(readTree(out)).toEqual(readTree(fresh));
  });

  test('behavior: what another index had does not count, and has no rules', async () => {
    const out = join(tempFolder(), 'dist');
    await build(out, { hosts: [ROOMY] });
    expect(readTree(out).get('tiny.txt')).toContain('pending-token');
    const empty = join(tempFolder(), 'index.sqlite');
    const fresh = join(tempFolder(), 'dist');
    await buildIndex(empty, fresh, { hosts: [ROOMY] });
    const host = tiny('files', measured(fresh).files);
    await buildIndex(empty, out, { hosts: [host], replace: true });
    expect(readTree(out).get('tiny.txt')).toBe('# Rules\n\n');
    expect(readTree(out)).toEqual(readTree(fresh));
  });

  test('behavior: a folder of somebody else is refused before any limit is', async () => {
    const out = tempFolder();
    writeFileSync(join(out, 'thesis.txt'), 'mine');
    await expect(build(out, { hosts: [tiny('files', 1)] })).rejects.toMatchObject({ failure: { code: 'out-foreign' } });
    expect(readdirSync(out)).toEqual(['thesis.txt']);
  });
});
