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
  for (const candidate of candidates) {
    const { status, file, needs, slice } = /** @type {Candidate} */ (candidate);
    if (needs !== undefined && needs !== file && (await files.read(needs)) === undefined) continue;
    const whole = await files.read(file);
    if (whole === undefined) continue;
    const { body, tag } = slice === undefined ? whole : await cut(slice, whole, files);
    /** @type {Record<string, string>} */
    const headers = { ...headersOf(candidate, rules), Vary: 'Accept-Encoding' };
    if (status === 405) headers.Allow = preflight.Allow;
    if (status !== 200 || tag === null) return { status, headers, body };
    headers.ETag = tag;
    return isAmong(tag, tags) ? { status: 304, headers } : { status, headers, body };
  }
  return { status: 404, headers: headersOf({ status: 404 }, rules), body: '{"error":"Not Found"}' };
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

/**
 * @template Body
 * @param {import('./list-slice.js').Slice} slice
 * @param {Found<Body>} first The first page of the list, which tells how long it is.
 * @param {Files<Body>} files
 * @returns {Promise<Found<string>>}
 */
async function cut(slice, first, { read, textOf }) {
  /**
   * @param {Found<Body> | undefined} found
   * @returns {Promise<any>}
   */
  const parse = async (found) => JSON.parse(found === undefined ? '' : await textOf(found.body));
  const { total } = await parse(first);
  const body = JSON.stringify(await cutSlice(slice, total, async (file) => parse(await read(file))));
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
