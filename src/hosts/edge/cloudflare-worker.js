// Answers requests at Cloudflare's edge, from the Worker's own assets (binding ASSETS) or from an R2 bucket (SITE).
// @ts-check
import { answerRequest } from '#serving/answer-request.js';
import { RULES } from './rules.js';

/**
 * @typedef {object} Environment
 * @property {{ fetch(request: Request): Promise<Response> }} [ASSETS]
 * @property {{ get(key: string): Promise<{ body: ReadableStream, httpEtag: string } | null> }} [SITE]
 */

/** Of a key in R2. */
const MAX_KEY_BYTES = 1_024;

/** @type {{ fetch(request: Request, environment: Environment): Promise<Response> }} */
const worker = {
  async fetch(request, environment) {
    const { origin, pathname, searchParams: query } = new URL(request.url);
    const asked = { method: request.method, pathname, query, tags: request.headers.get('If-None-Match') };
    const { status, headers, body } = await answerRequest(asked, RULES, {
      read: (file) => readFile(environment, origin, file),
      textOf: (found) => new Response(found).text(),
    });
    return new Response(request.method === 'HEAD' ? null : body, { status, headers });
  },
};
// biome-ignore lint/style/noDefaultExport: this is how a Worker says what it does
export default worker;

/**
 * @param {Environment} environment
 * @param {string} origin
 * @param {string} file
 * @returns {Promise<{ body: ReadableStream | null, tag: string | null } | undefined>}
 */
async function readFile({ ASSETS, SITE }, origin, file) {
  if (SITE !== undefined) {
    // R2 throws for a name that no object can have.
    if (new TextEncoder().encode(file).length > MAX_KEY_BYTES) return undefined;
    const stored = await SITE.get(file);
    return stored === null ? undefined : { body: stored.body, tag: stored.httpEtag };
  }
  const path = file.split('/').map(encodeURIComponent).join('/');
  const asset = await ASSETS?.fetch(new Request(`${origin}/${path}`));
  return asset?.status === 200 ? { body: asset.body, tag: asset.headers.get('ETag') } : undefined;
}
