// The rules of a site: what hosts count on in their patterns and responses.
import { expect, test } from 'vitest';
import { SITE_RULES } from '#site/site-rules.ts';

test('default', () => {
  for (const { match, path, isFolder, responses } of SITE_RULES.rules) {
    // One group, which is the path: hosts count on it.
    expect([match, new RegExp(`^(?:${match})$|`).exec('')?.length]).toEqual([match, 2]);
    if (!isFolder) expect(new RegExp(`^(?:${match})$`).exec(path)?.[1]).toBe(path);
    // The last one responses whatever is there, and the others do not.
    expect(responses.map(({ needs }) => needs === undefined)).toEqual(
      responses.map((_, at) => at === responses.length - 1),
    );
    expect(Object.keys(SITE_RULES.errors)).toContain(responses.at(-1)?.file);
  }
});

test('behavior: what a query chooses is one group, where its file has a place for it', () => {
  const chosen = SITE_RULES.rules.flatMap(({ responses }) => responses.filter(({ query }) => query !== undefined));
  expect(chosen.length).toBeGreaterThan(10);
  for (const { file, query = {} } of chosen) {
    const groups = Object.values(query).map((pattern) => (new RegExp(`${pattern}|`).exec('')?.length ?? 0) - 1);
    expect([file, groups.reduce((sum, one) => sum + one, 0)]).toEqual([file, file.includes('{value}') ? 1 : 0]);
  }
});
