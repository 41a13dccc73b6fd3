// No two routes conflict: a file of one where another has a folder, or two files with one name.
import { expect, test } from 'vitest';
import { fixedPart, indexFile, listManifestFile, listNamesFile, listPageFile } from '#layout/response-files.ts';
import { ROUTES } from '#routes/all.ts';
import type { Route } from '#routes/route.ts';

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

/** Names routes that cannot be built, if there are any. */
function problem(...routes: Route[]): string {
  for (const [index, route] of routes.entries()) {
    const { path, parameters } = route;
    if (
      !path.endsWith(parameters.map(({ name }) => `/{${name}}`).join('')) ||
      path.split('{').length > parameters.length + 1
    )
      return `The path ${path} of the route ${route.id} must end in its parameters, in their order`;
    for (const other of routes.slice(index + 1)) {
      const clash = filesOf(route).flatMap((file) => filesOf(other).filter((one) => areInTheWay(file, one)))[0];
      const errors = [route, other].map((one) => JSON.stringify([one.notFound, one.badRequest]));
      if (
        parameters.length * other.parameters.length > 0 &&
        fixedPart(route) === fixedPart(other) &&
        errors[0] !== errors[1]
      )
        return `The routes ${route.id} and ${other.id} must have the same errors: they share their files`;
      if (clash !== undefined)
        return (
          `The routes ${route.id} (${path}) and ${other.id} (${other.path}) cannot both be built: ` +
          'a file of one would have the path of a file of the other, or of a folder that it is in'
        );
    }
  }
  return '';
}

/** Part of a path, or the pattern of a parameter. */
type Part = string | RegExp;

/** Files of a route, one of each kind. */
function filesOf(route: Route): Part[][] {
  const { path, parameters, list } = route;
  const fixed = path.split('/').slice(0, path.split('/').length - parameters.length);
  const own = [...fixed, ...parameters.map(({ pattern }) => pattern)];
  if (route.isFile || (parameters.length > 0 && list === undefined)) return [own];
  const here = { path: '.' };
  const ofList = [listNamesFile(here), listManifestFile(here), listPageFile(here, 20, 0)];
  const files = [indexFile(here), ...(list === undefined ? [] : ofList)];
  return files.map((file) => [...own, ...file.split('/').slice(1)]);
}

/** True if one path may equal the other, or be a prefix of it. */
function areInTheWay(left: readonly Part[], right: readonly Part[]): boolean {
  const length = Math.min(left.length, right.length);
  return left.slice(0, length).every((part, index) => mayBeOne(part, right[index] as Part));
}

/** The overlap of two patterns is unknown, so it counts as a conflict. */
function mayBeOne(left: Part, right: Part): boolean {
  if (typeof left === 'string') return typeof right === 'string' ? left === right : right.test(left);
  return typeof right === 'string' ? left.test(right) : true;
}
