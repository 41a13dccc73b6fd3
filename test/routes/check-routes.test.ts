// Tests that two routes never have files with the same path, and that no route has a file where another has a folder.
import { expect, test } from 'vitest';
import { fixedPart, indexFile, listManifestFile, listNamesFile, listPageFile } from '#layout/response-files.ts';
import { ROUTES } from '#routes/all.ts';
import type { Route } from '#routes/route.ts';

const [tokenMetadata, tokenList] = ['token-metadata', 'token-list'].map((id) =>
  ROUTES.find((route) => route.id === id),
) as [Route, Route];

/** Makes a route. Its parameters are the names in braces in the path, and their values are letters. */
const routeAt = (path: string, pattern = /^[a-z]+$/): Route => ({
  ...tokenMetadata,
  id: 'new',
  path,
  parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, pattern })),
});

test('accepts the routes of the API, and routes that do not conflict', () => {
  const beside = ['metadata/v1/ft-holders/{principal}/{holder}', 'metadata/v1/xft', 'metadata/v1/xft/{principal}'];
  expect(problem(...ROUTES, ...beside.map((path) => routeAt(path)))).toBe('');
});

test.each([
  ['below the files of another route', 'metadata/v1/ft/{principal}/{holder}'],
  ['with the paths of another route', 'metadata/v1/ft/{other}'],
  ['below a single file of another route', 'metadata/v1/ft/ST000000000000000000002Q6VF78.token'],
])('rejects a route %s', (_, path) => {
  expect(problem(...ROUTES, routeAt(path))).toMatch(/routes token-metadata \(.*\) and new \(.*\) cannot both be built/);
});

test.each(['pages', 'index.json', 'names.json'])('rejects a route whose parameter matches %s', (name) => {
  const route = routeAt('metadata/v1/ft/{name}', new RegExp(`^${name}$`));
  expect(problem(tokenList, route)).toMatch(/token-list .* and new .* cannot both be built/);
});

test('rejects parameters that are not at the end of the path', () => {
  expect(problem(routeAt('metadata/v1/ft/{principal}/holders'))).toContain('must end in its parameters');
  expect(problem({ ...routeAt('metadata/v1/{a}/{b}'), parameters: [] })).toContain('must end in its parameters');
});

/** Returns a description of the first conflict between the routes; an empty text if there is no conflict. */
function problem(...routes: Route[]): string {
  for (const [index, route] of routes.entries()) {
    const { path, parameters } = route;
    if (
      !path.endsWith(parameters.map(({ name }) => `/{${name}}`).join('')) ||
      path.split('{').length > parameters.length + 1
    )
      return `The path ${path} of the route ${route.id} must end in its parameters, in their order`;
    for (const other of routes.slice(index + 1)) {
      const clash = filesOf(route).flatMap((file) =>
        filesOf(other).filter((otherFile) => mayConflict(file, otherFile)),
      )[0];
      const errors = [route, other].map(({ notFound, badRequest }) => JSON.stringify([notFound, badRequest]));
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

/** A part of a path: a fixed text, or the pattern of a parameter. */
type Part = string | RegExp;

/** Returns the paths of a route's files, one for each kind of file. A path is a list of its parts. */
function filesOf(route: Route): Part[][] {
  const { path, parameters, list } = route;
  const fixed = path.split('/').slice(0, path.split('/').length - parameters.length);
  const routeParts = [...fixed, ...parameters.map(({ pattern }) => pattern)];
  if (route.isFile || (parameters.length > 0 && list === undefined)) return [routeParts];
  const here = { path: '.' };
  const listFiles = [listNamesFile(here), listManifestFile(here), listPageFile(here, 20, 0)];
  const files = [indexFile(here), ...(list === undefined ? [] : listFiles)];
  return files.map((file) => [...routeParts, ...file.split('/').slice(1)]);
}

/** Returns true if files with these paths may conflict: the paths may be equal, or one may be a folder of the other. */
function mayConflict(left: readonly Part[], right: readonly Part[]): boolean {
  const length = Math.min(left.length, right.length);
  return left.slice(0, length).every((part, index) => mayBeEqual(part, right[index] as Part));
}

/** Returns true if two parts may be the same text. Two patterns always count as the same. */
function mayBeEqual(left: Part, right: Part): boolean {
  if (typeof left === 'string') return typeof right === 'string' ? left === right : right.test(left);
  return typeof right === 'string' ? left.test(right) : true;
}
