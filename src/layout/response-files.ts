// Computes the paths of response files in the output folder.

/** A path of the API with parameters in braces: `metadata/v1/ft/{principal}`. */
interface Templated {
  readonly path: string;
}

/** Folder for the build's own records, which are not served. */
export const BOOKKEEPING_FOLDER = '.stxpress';
/** File name of the response of a route without parameters, in the folder of its path. */
const INDEX_FILE_NAME = 'index.json';
/** Top folder of the responses that a query parameter selects. */
export const VARIANTS_FOLDER = 'variants';
/** Top folder of the responses with a status other than 200. */
export const ERRORS_FOLDER = 'errors';

/** Returns the part of a route's path before its first parameter, without a slash at either end. */
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

/** Returns the file of a list's manifest, which has digests of the list's files. */
export function listManifestFile(route: Templated): string {
  return `${route.path}/pages/${INDEX_FILE_NAME}`;
}

/** Returns the file of the names used to find rows of a list. */
export function listNamesFile(route: Templated): string {
  return `${route.path}/names.json`;
}

/** Fills in the parameters of a route's path; the values must have passed their patterns. */
export function fillPath(route: Templated, values: Readonly<Record<string, string>>): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

export function variantFile(parameter: string, value: string, path: string): string {
  return `${VARIANTS_FOLDER}/${parameter}/${value}/${path}`;
}

/** Returns the file of a response with a status other than 200 for one path. */
export function errorFile(status: number, path: string): string {
  return `${ERRORS_FOLDER}/${status}/${path}`;
}

/**
 * Returns the file of a response with a status other than 200 for all paths below a route's fixed part, or for the
 * whole site if the route is undefined.
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
