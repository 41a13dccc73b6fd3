// Answers a request from the files of a build, wherever they are: for the local server, and for a Worker at the edge.
// @ts-check
import { cutSlice, planList } from './list-slice.js';
import { hasForm, planAnswer } from './plan-answer.js';
import { planBatch, readBatch } from './token-batch.js';

/** @import { SiteRules } from './rules.ts' */
/** @import { Candidate } from './plan-answer.js' */

/**
 * @typedef {object} Asked
 * @property {string} method
 * @property {string} pathname As a URL has it: encoded, with a slash in front.
 * @property {URLSearchParams} query
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
  const candidates = isRead
    ? (planBatch(pathname, query, rules) ?? planAnswer(pathname, query, rules, planList))
    : [rules.methodNotAllowed];
  for (const candidate of [...candidates, rules.notFound]) {
    const { status, file, needs, version, slice, identifiers } = /** @type {Candidate} */ (candidate);
    if (needs !== undefined && needs !== file && (await files.read(needs)) === undefined) continue;
    const whole = await files.read(file);
    if (whole === undefined) continue;
    const found =
      slice !== undefined
        ? await cut(slice, whole, file, files)
        : identifiers !== undefined
          ? await bodyOf(await readBatch(identifiers, query, rules, (one) => readJson(one, files)))
          : whole;
    if (found === undefined) return answerError(503, rules);
    /** @type {Record<string, string>} */
    const headers = { ...headersOf(candidate, rules), Vary: 'Accept-Encoding' };
    // The text of a query without values ends in what would be before one.
    if (status === 200 && version !== undefined && hasForm(query.toString(), `${version.query}=`))
      headers['Cache-Control'] = version.caching;
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

/** In seconds: until a build is in place, or published. */
const RETRY_AFTER = '2';
const FAILURES = { 500: 'Internal Server Error', 503: 'Service Unavailable' };

/**
 * An answer for which no file is needed.
 * @param {keyof typeof FAILURES} status
 * @param {SiteRules} rules
 * @returns {Answer<never>}
 */
export function answerError(status, rules) {
  const retry = status === 503 ? { 'Retry-After': RETRY_AFTER } : {};
  const headers = { ...headersOf({ status }, rules), ...retry };
  return { status, headers, body: JSON.stringify({ error: FAILURES[status] }) };
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

/** Waits before the files of a list are read, in ms: a build may be replacing them. */
const WAITS = [0, 50, 200, 500];
const REPLACED = new Error('a file of a list is of another build');

/**
 * @template Body
 * @param {import('./list-slice.js').Slice} slice
 * @param {Found<Body>} first The list's manifest, as it is read at first.
 * @param {string} manifestFile
 * @param {Files<Body>} files
 * @returns {Promise<Found<string> | undefined>} Undefined while the files are of more than one build.
 */
async function cut(slice, first, manifestFile, { read, textOf }) {
  /** @param {Found<Body> | undefined} found */
  const readText = async (found) => {
    if (found === undefined) throw REPLACED;
    return await textOf(found.body);
  };
  for (const wait of WAITS) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    try {
      const manifest = await readText(wait > 0 ? await read(manifestFile) : first);
      const page = await cutSlice(slice, JSON.parse(manifest), async (file, digest) => {
        const text = await readText(await read(file));
        if ((await hashOf('SHA-256', text)).slice(0, digest?.length) !== digest) throw REPLACED;
        return JSON.parse(text);
      });
      return await bodyOf(page);
    } catch (error) {
      if (error !== REPLACED) throw error;
    }
  }
  return undefined;
}

/**
 * @template Body
 * @param {string} file
 * @param {Files<Body>} files
 * @returns {Promise<any>} Undefined for what is not there.
 */
async function readJson(file, { read, textOf }) {
  const found = await read(file);
  return found && JSON.parse(await textOf(found.body));
}

/**
 * What is in no file, as an answer.
 * @param {object} content
 * @returns {Promise<Found<string>>}
 */
async function bodyOf(content) {
  const body = JSON.stringify(content);
  return { body, tag: `"${await hashOf('SHA-1', body)}"` };
}

/**
 * @param {string} algorithm
 * @param {string} text
 */
async function hashOf(algorithm, text) {
  const bytes = new Uint8Array(await crypto.subtle.digest(algorithm, new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
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
