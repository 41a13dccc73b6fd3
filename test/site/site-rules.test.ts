import { expect, test } from 'vitest';
import { conditionalPlaces } from '#hosts/host.ts';
import { ROUTES } from '#routes/all.ts';
import type { Route } from '#routes/route.ts';
import { planList } from '#serving/list-slice.ts';
import { planAnswer } from '#serving/plan-answer.ts';
import type { SiteRules } from '#serving/rules.ts';
import { describeRoutes, SITE_RULES } from '#site/site-rules.ts';

const filesOf = (path: string, rules: SiteRules): string[] =>
  planAnswer(path, new URLSearchParams(), rules, planList).map(({ status, file }) => `${status} ${file}`);

const routeOf = (id: string): Route => ROUTES.find((route) => route.id === id) as Route;

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

test('behavior: what hosts must be told of is what decides between answers, and no more', () => {
  expect(conditionalPlaces(SITE_RULES)).toEqual([
    'errors/422/metadata/v1/ft/',
    'errors/422/metadata/v1/nft/',
    'errors/422/metadata/v1/sft/',
    'metadata/v1/ft/index.json',
    'metadata/v1/ft/pages/20/',
    'metadata/v1/ft/pages/60/',
    'metadata/v1/nft/index.json',
    'metadata/v1/nft/pages/60/',
    'metadata/v1/sft/index.json',
    'metadata/v1/sft/pages/60/',
    'variants/locale/',
    'variants/tip/',
  ]);
});

test('behavior: routes with one and with two parameters below one path', () => {
  const one = { ...routeOf('contract-info'), path: 'nft/{a}', parameters: [{ name: 'a', pattern: /^[A-Z]+$/ }] };
  const two = {
    ...routeOf('token-metadata'),
    path: 'nft/{a}/{b}',
    parameters: [...one.parameters, { name: 'b', pattern: /^(0|[1-9]\d*)$/ }],
  };
  const rules = describeRoutes([one, two], []);
  expect(filesOf('/nft/ABC', rules)).toEqual(['200 nft/ABC', '404 errors/404/nft.json']);
  expect(filesOf('/nft/ABC/7', rules)).toEqual([
    '200 nft/ABC/7',
    '422 errors/422/nft/ABC/7',
    '404 errors/404/nft.json',
  ]);
  expect(filesOf('/nft/abc', rules)).toEqual(['400 errors/400/nft.json']);
  expect(filesOf('/nft/ABC/07', rules)).toEqual(['400 errors/400/nft.json']);
  expect(filesOf('/nft/ABC/7/1', rules)).toEqual(['404 errors/404/nft.json']);
  expect(filesOf('/nft', rules)).toEqual(['404 errors/404.json']);
});
