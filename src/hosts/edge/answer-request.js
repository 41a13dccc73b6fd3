// Answers a request from the files of a build, wherever they are: for the local server, and for a Worker at the edge.
// @ts-check
import { cutSlice, planList } from './list-slice.js';
import { planAnswer } from './plan-answer.js';

/** @import { SiteRules } from '#model/site-rules.ts' */
/** @import { Candidate, Query } from './plan-answer.js' */

/**
 * @typedef {object} Asked
 * @property {string} method
 * @property {string} pathname As a URL has it: encoded, with a slash in front.
 * @property {Query} query
 * @property {string | null | undefined} tags What the client sent as If-None-Match.
 */

/**
 * A file of the build: its body in whatever form the caller sends it, and its ETag.
 * @template Body
 * @typedef {object} Found
 * @property {Body} body
 * @property {string | null} tag
 */

/**
 * @template Body
 * @typedef {object} Files
 * @property {(file: string) => Promise<Found<Body> | undefined>} read Undefined for what is not there.
 * @property {(body: Body) => string | Promise<string>} textOf
 * @property {(body: Body | string, tag: string, type: string) => Promise<Encoded<Body>>} [encode] Puts a body into the
 *   form in which it is sent, which has a tag of its own, where no server in front does.
 */

/**
 * @template Body
 * @typedef {object} Encoded
 * @property {Body} body
 * @property {string} tag
 * @property {string} [encoding] As Content-Encoding has it.
 */

/**
 * @template Body
 * @typedef {object} Answer
 * @property {number} status
 * @property {Record<string, string>} headers
 * @property {Body | string} [body]
 */

/**
 * @template Body
 * @param {Asked} asked
 * @param {SiteRules} rules
 * @param {Files<Body>} files
 * @returns {Promise<Answer<Body>>}
 */
export async function answerRequest({ method, pathname, query, tags }, rules, files) {
  const { common, preflight } = rules.headers;
  if (method === 'OPTIONS') return { status: 204, headers: { ...common, ...preflight } };
  const isRead = method === 'GET' || method === 'HEAD';
  const candidates = isRead ? planAnswer(pathname, query, rules, planList) : [rules.methodNotAllowed];
  for (const candidate of [...candidates, rules.notFound]) {
    const { status, file, needs, slice } = /** @type {Candidate} */ (candidate);
    if (needs !== undefined && needs !== file && (await files.read(needs)) === undefined) continue;
    const whole = await files.read(file);
    if (whole === undefined) continue;
    const found = slice === undefined ? whole : await cut(slice, whole, files);
    if (found === undefined) return answerError(503, rules);
    /** @type {Record<string, string>} */
    const headers = { ...headersOf(candidate, rules), Vary: 'Accept-Encoding' };
    if (status === 405) headers.Allow = preflight.Allow;
    if (status !== 200 || found.tag === null) return { status, headers, body: found.body };
    const type = headers['Content-Type'] ?? '';
    const encoded = await files.encode?.(found.body, found.tag, type);
    headers.ETag = encoded?.tag ?? found.tag;
    if (isAmong(headers.ETag, tags)) return { status: 304, headers };
    if (encoded?.encoding !== undefined) headers['Content-Encoding'] = encoded.encoding;
    return { status, headers, body: (encoded ?? found).body };
  }
  // Every build has the answer for what is not there: this is none, or one that is on its way.
  return answerError(503, rules);
}

const FAILURES = { 500: 'Internal Server Error', 503: 'Service Unavailable' };

/**
 * An answer for which no file is needed.
 * @param {keyof typeof FAILURES} status
 * @param {SiteRules} rules
 * @returns {Answer<never>}
 */
export function answerError(status, rules) {
  return { status, headers: headersOf({ status }, rules), body: JSON.stringify({ error: FAILURES[status] }) };
}

/**
 * Headers of an answer, apart from those that its bytes decide.
 * @param {Pick<Candidate, 'status' | 'headers'>} answer
 * @param {SiteRules} rules
 * @returns {Record<string, string>}
 */
export function headersOf({ status, headers }, { headers: { common, answer, error } }) {
  return { ...common, ...(status === 200 ? (headers ?? answer) : error) };
}

const GONE = new Error('a page of a list is gone');

/**
 * @template Body
 * @param {import('./list-slice.js').Slice} slice
 * @param {Found<Body>} first The first page of the list, which tells how long it is.
 * @param {Files<Body>} files
 * @returns {Promise<Found<string> | undefined>} Undefined if a page is gone: a build has just made the list shorter.
 */
async function cut(slice, first, { read, textOf }) {
  /**
   * @param {Found<Body> | undefined} found
   * @returns {Promise<any>}
   */
  const parse = async (found) => {
    if (found === undefined) throw GONE;
    return JSON.parse(await textOf(found.body));
  };
  const { total } = await parse(first);
  const page = await cutSlice(slice, total, async (file) => parse(await read(file))).catch((error) => {
    if (error !== GONE) throw error;
  });
  if (page === undefined) return undefined;
  const body = JSON.stringify(page);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(body)));
  return { body, tag: `"${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}"` };
}

/**
 * Whether a client has the answer with this tag (RFC 9110, 13.1.2: a list, weak comparison, or `*`).
 * @param {string} tag
 * @param {string | null | undefined} asked
 */
function isAmong(tag, asked) {
  const tags = asked?.split(',').map(withoutWeakness) ?? [];
  return tags.includes('*') || tags.includes(withoutWeakness(tag));
}

/** @param {string} tag */
function withoutWeakness(tag) {
  return tag.trim().replace(/^W\//, '');
}
