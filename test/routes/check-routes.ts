// Rejects routes whose files conflict: a file where another route has a folder, or two files with one name.

import type { Route } from '#routes/route.ts';
import { fixedPart, indexFile, listManifestFile, listNamesFile, listPageFile } from '#serving/layout.ts';

/** Throws an error that names routes that cannot be built. */
export function checkRoutes(routes: readonly Route[]): void {
  for (const [index, route] of routes.entries()) {
    const { path, parameters } = route;
    if (
      !path.endsWith(parameters.map(({ name }) => `/{${name}}`).join('')) ||
      path.split('{').length > parameters.length + 1
    )
      throw new Error(`The path ${path} of the route ${route.id} must end in its parameters, in their order`);
    for (const other of routes.slice(index + 1)) {
      const clash = filesOf(route).flatMap((file) => filesOf(other).filter((one) => areInTheWay(file, one)))[0];
      const errors = [route, other].map((one) => JSON.stringify([one.notFound, one.badRequest]));
      if (
        parameters.length * other.parameters.length > 0 &&
        fixedPart(route) === fixedPart(other) &&
        errors[0] !== errors[1]
      )
        throw new Error(`The routes ${route.id} and ${other.id} must have the same errors: they share their files`);
      if (clash !== undefined)
        throw new Error(
          `The routes ${route.id} (${path}) and ${other.id} (${other.path}) cannot both be built: ` +
            'a file of one would have the path of a file of the other, or of a folder that it is in',
        );
    }
  }
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
