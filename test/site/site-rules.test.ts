// The rules of a site: what hosts count on in their patterns and answers.
import { expect, test } from 'vitest';
import { SITE_RULES } from '#site/site-rules.ts';

test('default', () => {
  for (const { match, path, isFolder, answers } of SITE_RULES.rules) {
    // One group, which is the path: hosts count on it.
    expect([match, new RegExp(`^(?:${match})$|`).exec('')?.length]).toEqual([match, 2]);
    if (!isFolder) expect(new RegExp(`^(?:${match})$`).exec(path)?.[1]).toBe(path);
    // The last one answers whatever is there, and the others do not.
    expect(answers.map(({ needs }) => needs === undefined)).toEqual(answers.map((_, at) => at === answers.length - 1));
    expect(Object.keys(SITE_RULES.errors)).toContain(answers.at(-1)?.file);
  }
});

test('behavior: what a query chooses is one group, where its file has a place for it', () => {
  const chosen = SITE_RULES.rules.flatMap(({ answers }) => answers.filter(({ query }) => query !== undefined));
  expect(chosen.length).toBeGreaterThan(10);
  for (const { file, query = {} } of chosen) {
    const groups = Object.values(query).map((pattern) => (new RegExp(`${pattern}|`).exec('')?.length ?? 0) - 1);
    expect([file, groups.reduce((sum, one) => sum + one, 0)]).toEqual([file, file.includes('{value}') ? 1 : 0]);
  }
});
