// The limits of hosts: what is above one is refused with a way out, and what is above a plan is said.
import { expect, test } from 'vitest';
import { findHost, HOSTS } from '#hosts/all.ts';
import type { Host, HostLimit } from '#hosts/host.ts';
import { type Failure, FailureError } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { checkLimits } from '#press/check-limits.ts';
import { siteOf } from '#press/host-files.ts';
import type { PlannedTotals } from '#press/record/planned-files.ts';
import { ROUTES } from '#routes/all.ts';
import { DOCUMENTS } from '#site/documents.ts';
import { describeRoutes } from '#site/site-rules.ts';
import { silentReporter } from '../support/silent-reporter.ts';

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
  const facts: Partial<Record<Unit, Partial<SiteFacts>>> = {
    files: { files: value },
    bytes: { bytes: value },
    'bytes in a file': { largestFile: { path: 'metadata/v1/ft/pages/7.json', bytes: value } },
    'files in a folder': { largestFolder: { path: 'extended/v1/contract', files: value } },
  };
  return { ...NO_FACTS, ...(facts[unit] ?? { conditional: errorFiles(value - rulesOf(host, [])) }) };
};

const LIMITS = HOSTS.flatMap((host) => host.limits.map((limit) => [host.name, limit.of, limit, host] as const));

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
  expect(failure?.message).toContain(`${english(has)}${of in where ? ` in ${where[of as keyof typeof where]}` : ''}.`);
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
