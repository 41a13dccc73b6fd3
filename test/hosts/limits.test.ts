// Tests the limits of hosts. A build above a limit fails with advice; above a lower limit, such as a free plan's, it
// warns.
import { expect, test } from 'vitest';
import { checkCounts, checkLimits, type SiteCounts } from '#generator/check-limits.ts';
import type { Measures } from '#generator/record/recorded-files.ts';
import { findHost, HOSTS } from '#hosts/all.ts';
import type { Host, HostLimit } from '#hosts/host.ts';
import { type Failure, FailureError } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import type { Only } from '#model/token.ts';
import { silentReporter } from '../support/silent-reporter.ts';

type Unit = HostLimit['of'];

const NO_FACTS: Measures = {
  files: 0,
  bytes: 0,
  largestFile: { path: '', bytes: 0 },
  largestFolder: { path: '', files: 0 },
};

const NO_COUNTS: SiteCounts = {
  contracts: 0,
  served: { 'sip-009': 0, 'sip-010': 0, 'sip-013': 0 },
  numbered: { 'sip-009': 0, 'sip-013': 0 },
  largestCollection: 0,
};

const english = (value: number) => value.toLocaleString('en');

/** Checks a build against the limits of a host. Returns the warnings and the failure. */
const check = (host: Host, facts: Measures): { failure: Failure | undefined; warnings: string[] } => {
  const warnings: string[] = [];
  const reporter: Reporter = { ...silentReporter, warn: (message) => void warnings.push(message) };
  try {
    checkLimits({ hosts: [host], only: undefined, counts: NO_COUNTS }, facts, reporter);
    return { failure: undefined, warnings };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { failure: error.failure, warnings };
  }
};

/** Returns the totals of a site that has this value in this unit. */
const factsWith = (unit: Unit, value: number): Measures => {
  const facts: Record<Unit, Partial<Measures>> = {
    files: { files: value },
    bytes: { bytes: value },
    'bytes in a file': { largestFile: { path: 'metadata/v1/ft/pages/7.json', bytes: value } },
    'files in a folder': { largestFolder: { path: 'extended/v1/contract', files: value } },
  };
  return { ...NO_FACTS, ...facts[unit] };
};

const LIMITS = HOSTS.flatMap((host) => host.limits.map((limit) => [host.name, limit.of, limit, host] as const));

test('default', () => {
  for (const host of HOSTS) expect(check(host, NO_FACTS)).toEqual({ failure: undefined, warnings: [] });
  expect(LIMITS.length).toBeGreaterThan(5);
});

test.each(LIMITS)('reports host-limit, %s: %s', (name, of, limit, host) => {
  expect(check(host, factsWith(of, limit.max)).failure).toBeUndefined();
  const facts = factsWith(of, limit.max + 1);
  const { failure } = check(host, facts);
  expect(failure).toMatchObject({ code: 'host-limit', retryable: false });
  const where = { 'bytes in a file': facts.largestFile.path, 'files in a folder': facts.largestFolder.path };
  expect(failure?.message).toContain(`${name} takes at most ${english(limit.max)} ${of}, and this build has`);
  expect(failure?.message).toContain(
    `${english(limit.max + 1)}${of in where ? ` in ${where[of as keyof typeof where]}` : ''}.`,
  );
  expect(failure?.message).toContain(`${limit.advice} Nothing was written.`);
});

test.each(LIMITS)('the advice for %s: %s is possible', (name, of, { advice }) => {
  expect(advice).toMatch(/--hosts [a-z]|without this limit/);
  const named = [
    ...[...advice.matchAll(/--hosts ([a-z0-9-]+)/g)].map(([, host = '']) => host),
    ...(/without this limit: (.*?)\./.exec(advice)?.[1]?.split(/, | or /) ?? []),
  ];
  for (const other of named) {
    expect(other).not.toBe(name);
    expect([other, findHost(other)?.limits.filter((limit) => limit.of === of)]).toEqual([other, []]);
  }
});

/** Counts of a chain with this number of contracts, fungible tokens, and collections with tokens of NFTs. */
const chain = (contracts: number, ft: number, nft: number, numbered: number): SiteCounts => ({
  contracts,
  served: { 'sip-009': nft, 'sip-010': ft, 'sip-013': 0 },
  numbered: { 'sip-009': numbered, 'sip-013': 0 },
  largestCollection: Math.min(numbered, 50_000),
});
const MAINNET = chain(109_482, 5_600, 6_400, 3_000_000);

test.each<[string, Only | undefined, SiteCounts, string]>([
  ['vercel', undefined, MAINNET, 'at least 3,133,482. Build for a host without this limit: HOSTS. Nothing'],
  ['vercel', 'ft', MAINNET, 'at least 16,800. Build for a host without this limit: HOSTS. Nothing'],
  ['vercel', undefined, chain(20_000, 1_000, 100, 500), 'HOSTS. Or build a part of the site: --only tokens. Nothing'],
  ['vercel', 'tokens', chain(20_000, 900, 100, 30_000), 'HOSTS. Or build a part of the site: --only ft. Nothing'],
  [
    'vercel',
    undefined,
    chain(20_000, 2_300, 300, 200),
    'HOSTS. Or build a part of the site: --only ft or --only nft. N',
  ],
  ['netlify', undefined, MAINNET, 'HOSTS. Or build a part of the site: --only ft. Nothing'],
  ['cloudflare', undefined, MAINNET, 'serves a bucket. Or build a part of the site: --only ft. Nothing'],
])('advises %s with --only %s to build only parts that fit (%#)', (name, only, counts, text) => {
  const hosts = HOSTS.filter((host) => host.name === name);
  const expected = text.replace('HOSTS', 'nginx, caddy, apache, cloudflare-r2 or s3-cloudfront');
  expect(() => checkCounts({ hosts, only, counts })).toThrow(expected);
});

test('warns above the limit of a plan, and continues', () => {
  const host = findHost('cloudflare') as Host;
  expect(check(host, factsWith('files', 20_000)).warnings).toEqual([]);
  const { failure, warnings } = check(host, factsWith('files', 20_001));
  expect(failure).toBeUndefined();
  expect(warnings).toEqual([expect.stringMatching(/^cloudflare: .*20,001 files, more than 20,000: .*free plan/)]);
});

test('checks every host', () => {
  const hosts = HOSTS.filter(({ name }) => ['nginx', 'cloudflare', 'vercel'].includes(name));
  const facts = { ...NO_FACTS, files: 15_001 };
  const check = { hosts, only: undefined, counts: NO_COUNTS };
  expect(() => checkLimits(check, facts, silentReporter)).toThrow('vercel takes at most 15,000 files');
});
