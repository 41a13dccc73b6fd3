// Plans which part of a list is asked for, finds its rows and takes them out of the pages, where a program can: all of
// them from the files of one build, whose manifest has their digests.
// @ts-check

/** @import { ListRule, SiteRule } from './rules.ts' */
/** @import { Candidate, Query } from './plan-answer.js' */
import { hasForm } from './plan-answer.js';

/**
 * Part of a list, to be taken out of its pages.
 * @typedef {object} Slice
 * @property {number} limit
 * @property {number} offset
 * @property {Search} [search] Which of its rows are meant, and in what order, where it is not the list as it is.
 * @property {ListRule} list
 */

/**
 * By what rows are found and sorted: texts that are empty where they are not asked for.
 * @typedef {object} Search
 * @property {string} name Part of a name.
 * @property {string} symbol
 * @property {string} address What a principal begins with: that of the deployer, or more.
 * @property {boolean} withMetadata Whether a row must have metadata.
 * @property {1 | 2} column Which of a row's names it is sorted by.
 * @property {1 | -1} direction
 */

/**
 * What the files of a list are in one build, by the digests of their texts.
 * @typedef {object} Manifest
 * @property {number} total
 * @property {string} [names]
 * @property {readonly string[]} pages Those of the largest size.
 */

/**
 * What a row is found by: its contract, its name and its symbol, empty for none.
 * @typedef {readonly [principal: string, name: string, symbol: string, hasMetadata: boolean]} Names
 */

/**
 * A page that is a file answers as it is; there is none behind the end of the list.
 * @param {SiteRule} rule
 * @param {Query} query
 * @param {Candidate[]} whole
 * @param {string} path
 * @returns {Candidate[]}
 */
export function planList({ list, headers, answers }, query, whole, path) {
  const own = answers
    .find((answer) => answer.status === 200 && answer.query === undefined)
    ?.file.replace('{path}', path);
  const [first] = whole;
  if (list === undefined || own === undefined || first?.file === own) return whole;
  const slice = readSlice({ ...list, pageFile: list.pageFile.replace('{path}', path) }, query);
  if (slice === undefined) return [list.badRequest];
  const file = list.manifestFile.replace('{path}', path);
  const cut = { status: 200, file, needs: file, headers, slice };
  return [...(first?.status === 200 ? [first] : []), cut, ...whole.slice(-1)];
}

/**
 * @param {ListRule} list
 * @param {Query} query
 * @returns {Slice | undefined}
 */
function readSlice(list, query) {
  const [standard = 0] = list.pageSizes;
  const limit = wholeNumber(query.get('limit'), standard);
  const offset = wholeNumber(query.get('offset'), 0);
  if (limit === undefined || limit < 1 || limit > largestPage(list) || offset === undefined) return undefined;
  /** @param {string} parameter */
  const asked = (parameter) => query.get(parameter) ?? '';
  for (const [parameter, form] of Object.entries(list.search?.forms ?? {}))
    if (asked(parameter) !== '' && !hasForm(asked(parameter), form)) return undefined;
  /** @type {Search} */
  const search = {
    name: asked('name'),
    symbol: asked('symbol'),
    address: asked('address'),
    withMetadata: asked('valid_metadata_only') === 'true',
    column: asked('order_by') === 'symbol' ? 2 : 1,
    direction: asked('order') === 'desc' ? -1 : 1,
  };
  const finds = search.name + search.symbol + search.address !== '' || search.withMetadata;
  const isPlain = list.search === undefined || (!finds && search.column === 1 && search.direction === 1);
  return isPlain ? { limit, offset, list } : { limit, offset, search, list };
}

/**
 * Takes a slice out of the pages of its list, and reads only those that it needs.
 * @param {Slice} slice
 * @param {Manifest} manifest
 * @param {(file: string, digest: string | undefined) => Promise<any>} readJson Throws for a file with another digest.
 */
export async function cutSlice({ limit, offset, search, list }, manifest, readJson) {
  const found = search && findRows(await readJson(list.search?.file ?? '', manifest.names), search);
  const total = found?.length ?? manifest.total;
  const size = largestPage(list);
  /** @type {Map<number, { readonly results: readonly unknown[] }>} */
  const pages = new Map();
  const results = [];
  for (let index = offset; index < Math.min(offset + limit, total); index++) {
    const row = found?.[index] ?? index;
    const number = Math.floor(row / size);
    const file = list.pageFile.replace('{limit}', String(size)).replace('{offset}', String(number * size));
    const page = pages.get(number) ?? (await readJson(file, manifest.pages[number]));
    pages.set(number, page);
    results.push(page.results[row % size]);
  }
  return { limit, offset, total, results };
}

/**
 * The rows that are asked for, in their order; without a name they come last.
 * @param {readonly Names[]} names Of each row of the list, which is sorted by name.
 * @param {Search} search
 */
function findRows(names, { name, symbol, address, withMetadata, column, direction }) {
  const [part, whole] = [name.toLowerCase(), symbol.toLowerCase()];
  const found = names.flatMap((row, index) => {
    const [principal, ofRow, symbolOfRow, hasMetadata] = row;
    const isMeant =
      ofRow.toLowerCase().includes(part) &&
      (whole === '' || symbolOfRow.toLowerCase() === whole) &&
      principal.startsWith(address) &&
      (hasMetadata || !withMetadata);
    const key = row[column];
    return isMeant ? [{ index, key, lower: key.toLowerCase(), isBlank: key.trim() === '' }] : [];
  });
  found.sort((left, right) => {
    if (left.isBlank || right.isBlank) return Number(left.isBlank) - Number(right.isBlank);
    if (left.lower !== right.lower) return left.lower < right.lower ? -direction : direction;
    return left.key === right.key ? 0 : left.key < right.key ? -direction : direction;
  });
  return found.map(({ index }) => index);
}

/** @param {ListRule} list */
function largestPage({ pageSizes }) {
  return pageSizes.at(-1) ?? 0;
}

/**
 * @param {string | null} text
 * @param {number} otherwise Where there is no text.
 * @returns {number | undefined}
 */
function wholeNumber(text, otherwise) {
  if (text === null || text === '') return otherwise;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
