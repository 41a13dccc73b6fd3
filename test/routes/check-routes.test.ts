import { expect, test } from 'vitest';
import { ROUTES } from '#routes/all.ts';
import type { Route } from '#routes/route.ts';
import { checkRoutes } from './check-routes.ts';

const [tokenMetadata, tokenList] = ['token-metadata', 'token-list'].map((id) =>
  ROUTES.find((route) => route.id === id),
) as [Route, Route];

/** A route with the parameters that its path names, each of which takes letters. */
const routeAt = (path: string, pattern = /^[a-z]+$/): Route => ({
  ...tokenMetadata,
  id: 'new',
  path,
  parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, pattern })),
});

const problem = (...routes: Route[]): string => {
  try {
    checkRoutes(routes);
    return '';
  } catch (error) {
    return String(error);
  }
};

test('default: the routes, and more beside each other', () => {
  const beside = ['metadata/v1/ft-holders/{principal}/{holder}', 'metadata/v1/xft', 'metadata/v1/xft/{principal}'];
  expect(problem(...ROUTES, ...beside.map((path) => routeAt(path)))).toBe('');
});

test.each([
  ['below the answers of another', 'metadata/v1/ft/{principal}/{holder}'],
  ['where another has its answers', 'metadata/v1/ft/{other}'],
  ['below what another answers at one path', 'metadata/v1/ft/ST000000000000000000002Q6VF78.token'],
])('error: a route %s', (_, path) => {
  expect(problem(...ROUTES, routeAt(path))).toMatch(/routes token-metadata \(.*\) and new \(.*\) cannot both be built/);
});

test.each(['pages', 'index.json', 'names.json'])('error: a route that may take %s for a parameter', (name) => {
  const route = routeAt('metadata/v1/ft/{name}', new RegExp(`^${name}$`));
  expect(problem(tokenList, route)).toMatch(/token-list .* and new .* cannot both be built/);
});

test('error: parameters that are not at the end of the path', () => {
  expect(problem(routeAt('metadata/v1/ft/{principal}/holders'))).toContain('must end in its parameters');
  expect(problem({ ...routeAt('metadata/v1/{a}/{b}'), parameters: [] })).toContain('must end in its parameters');
});
