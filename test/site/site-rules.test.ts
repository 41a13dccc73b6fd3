// Tests properties of a site's rules on which the adapters of hosts rely.
import { expect, test } from 'vitest';
import { SITE_RULES } from '#site/site-rules.ts';

test('default', () => {
  for (const { match, path, isFolder, responses } of SITE_RULES.rules) {
    // A pattern must have a single group, which matches the path.
    expect([match, new RegExp(`^(?:${match})$|`).exec('')?.length]).toEqual([match, 2]);
    if (!isFolder) expect(new RegExp(`^(?:${match})$`).exec(path)?.[1]).toBe(path);
    // The last response of a rule has no condition, and each response before it has one.
    expect(responses.map(({ needs }) => needs === undefined)).toEqual(
      responses.map((_, at) => at === responses.length - 1),
    );
    expect(Object.keys(SITE_RULES.errors)).toContain(responses.at(-1)?.file);
  }
});

test('a query has a single group if its file contains {value}, otherwise no group', () => {
  const variants = SITE_RULES.rules.flatMap(({ responses }) => responses.filter(({ query }) => query !== undefined));
  expect(variants.length).toBeGreaterThan(10);
  for (const { file, query = {} } of variants) {
    const groups = Object.values(query).map((pattern) => (new RegExp(`${pattern}|`).exec('')?.length ?? 0) - 1);
    expect([file, groups.reduce((sum, count) => sum + count, 0)]).toEqual([file, file.includes('{value}') ? 1 : 0]);
  }
});
