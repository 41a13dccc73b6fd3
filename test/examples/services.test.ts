// Tests the units for systemd, the alerts for Prometheus, and the list of examples in the README.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { OBSERVER_PATHS, REFUSED_FOR } from '#follow/observer-server.ts';
import { pathOf, read, unsupportedFlags } from '../support/example-scripts.ts';
import { FOLLOW_METRICS } from '../support/metrics.ts';
import { filesBelow } from '../support/sample.ts';

const EXAMPLES = pathOf('examples');

const KNOWN_LABELS: ReadonlySet<string | undefined> = new Set([...OBSERVER_PATHS, ...REFUSED_FOR]);

describe('examples/README.md', () => {
  test('default', () => {
    const files = filesBelow(EXAMPLES);
    const links = [...read('examples/README.md').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    for (const link of links) expect(files).toContain(link);
    const named = new Set(files.filter((file) => !/^(?:README\.md|.*\.dockerignore)$/.test(file)).map(topOf));
    expect(new Set(links.map(topOf))).toEqual(named);
  });
});

/** Returns the first part of a path: a file's name, or the name of a folder. */
function topOf(path: string): string {
  return path.replace(/\/.*/, '');
}

describe('examples/systemd', () => {
  const units = readdirSync(join(EXAMPLES, 'systemd'));

  test('uses existing options, and systemd accepts the units', () => {
    expect(units.length).toBeGreaterThan(2);
    const calls = units.map((unit) => read(`examples/systemd/${unit}`)).join('\n');
    expect([...calls.matchAll(/env stxpress /g)].length).toBeGreaterThan(3);
    expect(unsupportedFlags(calls)).toEqual([]);
    const paths = units.map((unit) => join(EXAMPLES, 'systemd', unit));
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    // Without systemd on this machine, `error` is set and this is not checked.
    if (error === undefined) expect([status, stderr]).toEqual([0, '']);
  });
});

describe('examples/prometheus', () => {
  const path = 'examples/prometheus/stxpress-follow.rules.yml';

  test('alerts are complete, and use metrics of the follower', () => {
    const { groups } = parse(read(path)) as {
      groups: { rules: { alert: string; expr: string; labels: object; annotations: { summary: string } }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(4);
    for (const { alert, expr, labels, annotations } of rules) {
      expect([alert, labels, annotations.summary.length < 120]).toEqual([
        expect.stringMatching(/^[A-Z][A-Za-z]+$/),
        { severity: expect.stringMatching(/^(page|ticket)$/) },
        true,
      ]);
      const metrics = expr.match(/\b(?:stxpress_\w+|up)\b/g) ?? [];
      expect([alert, metrics.length > 0]).toEqual([alert, true]);
      expect(metrics.filter((name) => name !== 'up' && !FOLLOW_METRICS.includes(name))).toEqual([]);
      const labelled = [...expr.matchAll(/\b(path|reason)!?="([^"]*)"/g)].map(([, , value]) => value);
      expect(labelled.filter((value) => !KNOWN_LABELS.has(value))).toEqual([]);
    }
    const { error, status, stdout } = spawnSync('promtool', ['check', 'rules', pathOf(path)], { encoding: 'utf8' });
    // Without Prometheus on this machine, `error` is set and this is not checked.
    if (error === undefined) expect([status, stdout]).toEqual([0, expect.stringContaining(`${rules.length} rules`)]);
  });
});
