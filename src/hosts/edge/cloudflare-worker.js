// Answers requests from a build at Cloudflare's edge: from the Worker's own assets (binding ASSETS), or from an R2 bucket (binding SITE).
// @ts-check
import { cutSlice, headersOf, isAmong, planAnswer } from './plan-answer.js';
import { METHODS, RULES } from './rules.js';

/**
 * @typedef {object} Environment
 * @property {{ fetch(request: Request): Promise<Response> }} [ASSETS]
 * @property {{ get(key: string): Promise<StoredObject | null> }} [SITE]
 */

/**
 * @typedef {object} StoredObject
 * @property {ReadableStream} body
 * @property {string} httpEtag
 */

/**
 * A file of the build.
 * @typedef {object} Found
 * @property {ReadableStream | null} body
 * @property {string | null} tag
 */

/** Of a key in R2. */
const MOST_KEY_BYTES = 1_024;

/** @type {{ fetch(request: Request, environment: Environment): Promise<Response> }} */
const worker = {
  async fetch(request, environment) {
    const { common, preflight } = RULES.headers;
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: { ...common, ...preflight, Allow: METHODS } });
    const { origin, pathname, searchParams } = new URL(request.url);
    /** @param {string} file */
    const read = (file) => readFile(environment, origin, file);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const candidates = isRead ? planAnswer(pathname, searchParams, RULES) : [RULES.methodNotAllowed];
    for (const candidate of candidates) {
      const file = 'needs' in candidate ? candidate.needs : undefined;
      const needed = file === undefined ? undefined : await read(file);
      if (file !== undefined && needed === undefined) continue;
      const found = needed !== undefined && file === candidate.file ? needed : await read(candidate.file);
      if (found === undefined) continue;
      const slice = 'slice' in candidate ? candidate.slice : undefined;
      return respond(request, candidate, slice === undefined ? found : await cut(slice, found, read));
    }
    return new Response('{"error":"Not Found"}', { status: 404, headers: headersOf({ status: 404, file: '' }, RULES) });
  },
};
// biome-ignore lint/style/noDefaultExport: this is how a Worker says what it does
export default worker;

/**
 * @param {Environment} environment
 * @param {string} origin
 * @param {string} file
 * @returns {Promise<Found | undefined>}
 */
async function readFile({ ASSETS, SITE }, origin, file) {
  if (SITE !== undefined) {
    // R2 throws for a name that no object can have.
    if (new TextEncoder().encode(file).length > MOST_KEY_BYTES) return undefined;
    const stored = await SITE.get(file);
    return stored === null ? undefined : { body: stored.body, tag: stored.httpEtag };
  }
  const path = file.split('/').map(encodeURIComponent).join('/');
  const asset = await ASSETS?.fetch(new Request(`${origin}/${path}`));
  return asset?.status === 200 ? { body: asset.body, tag: asset.headers.get('ETag') } : undefined;
}

/**
 * @param {import('./plan-answer.js').Slice} slice
 * @param {Found} first The first page of the list, which tells how long it is.
 * @param {(file: string) => Promise<Found | undefined>} read
 * @returns {Promise<Found>}
 */
async function cut(slice, first, read) {
  /**
   * @param {Found | undefined} found
   * @returns {Promise<import('./plan-answer.js').ListPage>}
   */
  const parse = async (found) => JSON.parse(await new Response(found?.body).text());
  const { total } = await parse(first);
  const text = JSON.stringify(await cutSlice(slice, total, async (file) => parse(await read(file))));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text)));
  const tag = `"${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
  return { body: new Response(text).body, tag };
}

/**
 * @param {Request} request
 * @param {Pick<import('./plan-answer.js').Candidate, 'status' | 'file'>} answer
 * @param {Found} found
 * @returns {Response}
 */
function respond(request, answer, { body, tag }) {
  const headers = new Headers(headersOf(answer, RULES));
  // The edge compresses what it sends.
  headers.set('Vary', 'Accept-Encoding');
  if (answer.status === 405) headers.set('Allow', METHODS);
  if (answer.status === 200 && tag !== null) {
    headers.set('ETag', tag);
    if (isAmong(tag, request.headers.get('If-None-Match'))) return new Response(null, { status: 304, headers });
  }
  return new Response(request.method === 'HEAD' ? null : body, { status: answer.status, headers });
}
