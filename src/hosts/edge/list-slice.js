// Plans which pages of a list hold the part that is asked for, and cuts it out of them, where a program can.
// @ts-check

/** @import { SiteRule, SiteRules } from '#model/site-rules.ts' */
/** @import { Candidate, Query } from './plan-answer.js' */

/**
 * Part of a list, to be cut out of its pages.
 * @typedef {object} Slice
 * @property {number} limit
 * @property {number} offset
 * @property {readonly string[]} pages Files that may hold it, in order; one behind the end of the list is not there.
 * @property {number} pageSize
 * @property {number} skip How many results of the first page are before it.
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
 * @param {SiteRule} rule
 * @param {Query} query
 * @param {SiteRules} rules
 * @returns {Candidate[]}
 */
export function planList({ list, headers, answers }, query, { notFound }) {
  const file = answers.find(({ status, query: parameter }) => status === 200 && parameter === undefined)?.file;
  if (list === undefined || file === undefined) return [notFound];
  const { pageSize, largestLimit, pageFile, badRequest } = list;
  const limit = wholeNumber(query.get('limit'), pageSize);
  const offset = wholeNumber(query.get('offset'), 0);
  if (limit === undefined || limit < 1 || limit > largestLimit || offset === undefined) return [badRequest];
  const candidate = { status: 200, file, needs: file, headers };
  if (limit === pageSize && offset === 0) return [candidate, notFound];
  const first = Math.floor(offset / pageSize);
  const count = Math.ceil((offset + limit) / pageSize) - first;
  const pages = Array.from({ length: count }, (_, index) => pageFile.replace('{page}', String(first + index + 1)));
  return [{ ...candidate, slice: { limit, offset, pages, pageSize, skip: offset - first * pageSize } }, notFound];
}

/**
 * Cuts a slice out of the pages of its list, and reads only those that are there.
 * @param {Slice} slice
 * @param {number} total How long the list is, as its first page tells.
 * @param {(file: string) => ListPage | Promise<ListPage>} readPage
 * @returns {Promise<ListPage>}
 */
export async function cutSlice({ limit, offset, pages, pageSize, skip }, total, readPage) {
  const results = [];
  for (const [index, file] of pages.entries()) {
    if (offset - skip + index * pageSize < total) results.push(...(await readPage(file)).results);
  }
  return { limit, offset, total, results: results.slice(skip, skip + limit) };
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
