// Says where the file of each answer lies in the output folder: the layout of a build.

/** A path of the API with parameters in braces: `metadata/v1/ft/{principal}`. */
interface Templated {
  readonly path: string;
}

/** In the output folder, for the build alone: never served. */
export const BOOKKEEPING_FOLDER = '.stxpress';
/** Where the answer of a route without parameters is, below its path. */
const INDEX_FILE_NAME = 'index.json';
/** Top folder of the answers that a query parameter chooses. */
export const VARIANTS_FOLDER = 'variants';
/** Top folder of the answers of other statuses. */
export const ERRORS_FOLDER = 'errors';

/** The part of a route's path before its first parameter, without a slash at either end. */
export function fixedPart(route: Templated): string {
  return route.path.replace(/\/\{.*$/, '');
}

/** File of the answer of a route without parameters. */
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

/** File of the list's manifest, with digests of its files. */
export function listManifestFile(route: Templated): string {
  return `${route.path}/pages/${INDEX_FILE_NAME}`;
}

/** File of the names by which rows of a list are found. */
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

/** File of an answer with another status for exactly this path. */
export function errorFile(status: number, path: string): string {
  return `${ERRORS_FOLDER}/${status}/${path}`;
}

/** File of an answer with another status for everything below a route's fixed part, or for the whole site. */
export function generalErrorFile(
  status: number,
  route?: Templated & { readonly parameters: readonly unknown[] },
): string {
  if (route === undefined) return `${ERRORS_FOLDER}/${status}.json`;
  return route.parameters.length === 0
    ? errorFile(status, indexFile(route))
    : errorFile(status, `${fixedPart(route)}.json`);
}
