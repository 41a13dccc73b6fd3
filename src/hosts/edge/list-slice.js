// Plans which part of a list is asked for, finds its rows and takes them out of the pages, where a program can.
// @ts-check

/** @import { ListRule, SiteRule } from '#model/site-rules.ts' */
/** @import { Candidate, Query } from './plan-answer.js' */

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
 * @property {string} address Of the deployer.
 * @property {1 | 2} column Which of a row's names it is sorted by.
 * @property {1 | -1} direction
 */

/**
 * A page of a list, as its file holds it.
 * @typedef {object} ListPage
 * @property {number} limit
 * @property {number} offset
 * @property {number} total
 * @property {readonly unknown[]} results
 */

/**
 * What a row is found by: its contract, its name and its symbol, empty for none.
 * @typedef {readonly [principal: string, name: string, symbol: string]} Names
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
  const cut = { status: 200, file: own, needs: own, headers, slice };
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
  if (list.namesFile === undefined) return { limit, offset, list };
  const [name = '', symbol = '', address = '', orderBy, order] = ['name', 'symbol', 'address', 'order_by', 'order'].map(
    (parameter) => query.get(parameter) || undefined,
  );
  if (!['name', 'symbol', undefined].includes(orderBy) || !['asc', 'desc', undefined].includes(order)) return undefined;
  /** @type {Search} */
  const search = { name, symbol, address, column: orderBy === 'symbol' ? 2 : 1, direction: order === 'desc' ? -1 : 1 };
  const isPlain = name + symbol + address === '' && search.column === 1 && search.direction === 1;
  return isPlain ? { limit, offset, list } : { limit, offset, search, list };
}

/**
 * Takes a slice out of the pages of its list, and reads only those that it needs.
 * @param {Slice} slice
 * @param {number} total How long the list is, as its first page tells.
 * @param {(file: string) => Promise<any>} readJson
 * @returns {Promise<ListPage>}
 */
export async function cutSlice({ limit, offset, search, list }, total, readJson) {
  const found = search === undefined ? undefined : findRows(await readJson(list.namesFile ?? ''), search);
  const count = found?.length ?? total;
  const size = largestPage(list);
  /** @type {Map<number, ListPage>} */
  const pages = new Map();
  const results = [];
  for (let index = offset; index < Math.min(offset + limit, count); index++) {
    const row = found?.[index] ?? index;
    const start = row - (row % size);
    const file = list.pageFile.replace('{limit}', String(size)).replace('{offset}', String(start));
    const page = pages.get(start) ?? (await readJson(file));
    pages.set(start, page);
    // A build may be replacing the pages just now.
    if (row - start < page.results.length) results.push(page.results[row - start]);
  }
  return { limit, offset, total: count, results };
}

/**
 * The rows that are asked for, in their order; without a name they come last.
 * @param {readonly Names[]} names Of each row of the list, which is sorted by name.
 * @param {Search} search
 */
function findRows(names, { name, symbol, address, column, direction }) {
  const [part, whole] = [name.toLowerCase(), symbol.toLowerCase()];
  const found = names.flatMap((row, index) => {
    const [principal, ofRow, symbolOfRow] = row;
    const isMeant =
      ofRow.toLowerCase().includes(part) &&
      (whole === '' || symbolOfRow.toLowerCase() === whole) &&
      (address === '' || principal.startsWith(`${address}.`));
    const key = row[column];
    return isMeant ? [{ index, key, isBlank: key.trim() === '' }] : [];
  });
  found.sort((left, right) => {
    if (left.isBlank || right.isBlank) return Number(left.isBlank) - Number(right.isBlank);
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
