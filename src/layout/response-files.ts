// Computes the paths of response files in the output folder.

/** A path of the API with parameters in braces: `metadata/v1/ft/{principal}`. */
interface Templated {
  readonly path: string;
}

/** Folder for the records of a build, which are not served. */
export const BOOKKEEPING_FOLDER = '.stxpress';
/** The name of a route's file if the route has no parameters. Its folder is the path of the route. */
const INDEX_FILE_NAME = 'index.json';
/** The folder of responses that a query parameter selects, at the top of the site. */
export const VARIANTS_FOLDER = 'variants';
/** The folder of responses with a status other than 200, at the top of the site. */
export const ERRORS_FOLDER = 'errors';

/** Returns the part of a route's path before its first parameter, without slashes at its ends. */
export function fixedPart(route: Templated): string {
  return route.path.replace(/\/\{.*$/, '');
}

/** Returns the response file of a route without parameters. */
export function indexFile(route: Templated & { readonly isFile?: true }): string {
  return route.isFile ? route.path : `${route.path}/${INDEX_FILE_NAME}`;
}

export function listPageFile(
  route: Templated,
  limit: number | '{limit}',
  offset: number | '{offset}' | '{value}',
): string {
  return `${route.path}/pages/${limit}/${offset}.json`;
}

/** Returns the path of a list's manifest, which contains digests of the list's files. */
export function listManifestFile(route: Templated): string {
  return `${route.path}/pages/${INDEX_FILE_NAME}`;
}

/** Returns the path of a list's names file, which is used to find rows of the list. */
export function listNamesFile(route: Templated): string {
  return `${route.path}/names.json`;
}

/** Replaces the parameters in a route's path by values, which must match the patterns of the parameters. */
export function fillPath(route: Templated, values: Readonly<Record<string, string>>): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

export function variantFile(parameter: string, value: string, path: string): string {
  return `${VARIANTS_FOLDER}/${parameter}/${value}/${path}`;
}

/** Returns the path of an error response for one request path. */
export function errorFile(status: number, path: string): string {
  return `${ERRORS_FOLDER}/${status}/${path}`;
}

/**
 * Returns the path of an error response for all request paths below the fixed part of a route. Without a route, it is
 * for the whole site.
 */
export function generalErrorFile(
  status: number,
  route?: Templated & { readonly parameters: readonly unknown[] },
): string {
  if (route === undefined) return `${ERRORS_FOLDER}/${status}.json`;
  return route.parameters.length === 0
    ? errorFile(status, indexFile(route))
    : errorFile(status, `${fixedPart(route)}.json`);
}
