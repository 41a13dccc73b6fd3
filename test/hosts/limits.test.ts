// Tests the limits of hosts. A build above a limit fails with advice; above a lower limit, such as a free plan's, it
// warns.
import { expect, test } from 'vitest';
import { checkLimits } from '#generator/check-limits.ts';
import type { Measures } from '#generator/record/recorded-files.ts';
import { findHost, HOSTS } from '#hosts/all.ts';
import type { Host, HostLimit } from '#hosts/host.ts';
import { type Failure, FailureError } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { silentReporter } from '../support/silent-reporter.ts';

type Unit = HostLimit['of'];

const NO_FACTS: Measures = {
  files: 0,
  bytes: 0,
  largestFile: { path: '', bytes: 0 },
  largestFolder: { path: '', files: 0 },
};

const english = (value: number) => value.toLocaleString('en');

/** Checks a build against the limits of a host. Returns the warnings and the failure. */
const check = (host: Host, facts: Measures): { failure: Failure | undefined; warnings: string[] } => {
  const warnings: string[] = [];
  const reporter: Reporter = { ...silentReporter, warn: (message) => void warnings.push(message) };
  try {
    checkLimits([host], facts, reporter);
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
  expect(advice).toMatch(/--only tokens|--hosts [a-z]|another host|without this limit/);
  const named = [
    ...[...advice.matchAll(/--hosts ([a-z0-9-]+)/g)].map(([, host = '']) => host),
    ...(/without this limit: (.*?)\./.exec(advice)?.[1]?.split(/, | or /) ?? []),
  ];
  for (const other of named) {
    expect(other).not.toBe(name);
    expect([other, findHost(other)?.limits.filter((limit) => limit.of === of)]).toEqual([other, []]);
  }
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
  expect(() => checkLimits(hosts, facts, silentReporter)).toThrow('vercel takes at most 15,000 files');
});
