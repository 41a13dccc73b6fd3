// Tests the units for systemd, the alerts for Prometheus, and the list of examples in the README.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { OBSERVER_PATHS } from '#follow/observer-server.ts';
import { REFUSED_FOR } from '#follow/refusal.ts';
import { pathOf, read, unsupportedFlags } from '../support/example-scripts.ts';
import { FOLLOW_METRICS } from '../support/metrics.ts';
import { filesBelow } from '../support/sample.ts';

const EXAMPLES = pathOf('examples');

const KNOWN_LABELS: ReadonlySet<string | undefined> = new Set([...OBSERVER_PATHS, ...REFUSED_FOR]);

test('the README lists every example', () => {
  const files = filesBelow(EXAMPLES);
  const links = [...read('examples/README.md').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  for (const link of links) expect(files).toContain(link);
  const named = new Set(files.filter((file) => !/^(?:README\.md|.*\.dockerignore)$/.test(file)).map(topOf));
  expect(new Set(links.map(topOf))).toEqual(named);
});

/** Returns the first part of a path: a file's name, or the name of a folder. */
function topOf(path: string): string {
  return path.replace(/\/.*/, '');
}

test('the units for systemd use supported options', () => {
  const units = readdirSync(join(EXAMPLES, 'systemd')).map((unit) => read(`examples/systemd/${unit}`));
  expect([...units.join('\n').matchAll(/env stxpress /g)].length).toBeGreaterThan(3);
  expect(unsupportedFlags(units.join('\n'))).toEqual([]);
});

test('the alerts for Prometheus use metrics and labels of the follower', () => {
  const { groups } = parse(read('examples/prometheus/stxpress-follow.rules.yml')) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(4);
  for (const { alert, expr } of rules) {
    const metrics = expr.match(/\b(?:stxpress_\w+|up)\b/g) ?? [];
    expect([alert, metrics.length > 0]).toEqual([alert, true]);
    expect(metrics.filter((name) => name !== 'up' && !FOLLOW_METRICS.includes(name))).toEqual([]);
    const labelled = [...expr.matchAll(/\b(path|reason)!?="([^"]*)"/g)].map(([, , value]) => value);
    expect(labelled.filter((value) => !KNOWN_LABELS.has(value))).toEqual([]);
  }
});
