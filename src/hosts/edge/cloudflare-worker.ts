// Answers requests at Cloudflare's edge, from the Worker's own assets (binding ASSETS) or from an R2 bucket (SITE).
import { answerError, answerRequest, type Found } from '#serving/answer-request.ts';
import { NameIndexes } from '#serving/name-index.ts';
import type { SiteRules } from '#serving/rules.ts';

/** Declared by a build, before the bundled program. */
declare const RULES: SiteRules;

interface Environment {
  readonly ASSETS?: { fetch(request: Request): Promise<Response> };
  readonly SITE?: { get(key: string): Promise<{ readonly body: ReadableStream; readonly httpEtag: string } | null> };
}

interface Context {
  waitUntil(work: Promise<unknown>): void;
}

/** All requests to one instance of the Worker share it. */
const NAMES = new NameIndexes();

/** R2 takes no longer key. */
const MAX_KEY_BYTES = 1_024;

const worker = {
  async fetch(request: Request, environment: Environment, context: Context): Promise<Response> {
    const { origin, pathname, searchParams: query } = new URL(request.url);
    const asked = { method: request.method, pathname, query, tags: request.headers.get('If-None-Match') };
    const { status, headers, body } = await answerRequest<ReadableStream | null>(asked, RULES, {
      read: (file) => readFile(environment, origin, file),
      textOf: (found) => new Response(found).text(),
      bytesOf: async (found) => new Uint8Array(await new Response(found).arrayBuffer()),
      names: NAMES,
    }).catch((error: unknown) => {
      // Storage fails now and then. The log gets the error: other sites could not read a page of Cloudflare.
      context.waitUntil(Promise.reject(error));
      return answerError(503, RULES);
    });
    return new Response(request.method === 'HEAD' ? null : body, { status, headers });
  },
};
// biome-ignore lint/style/noDefaultExport: this is how a Worker says what it does
export default worker;

async function readFile(
  { ASSETS, SITE }: Environment,
  origin: string,
  file: string,
): Promise<Found<ReadableStream | null> | undefined> {
  if (SITE !== undefined) {
    // R2 throws for a name that no object can have.
    if (new TextEncoder().encode(file).length > MAX_KEY_BYTES) return undefined;
    const stored = await SITE.get(file);
    return stored === null ? undefined : { body: stored.body, tag: stored.httpEtag };
  }
  const path = file.split('/').map(encodeURIComponent).join('/');
  const asset = await ASSETS?.fetch(new Request(`${origin}/${path}`));
  if (asset?.status === 200) return { body: asset.body, tag: asset.headers.get('ETag') };
  await asset?.body?.cancel();
  if (asset?.status === 404) return undefined;
  throw new Error(
    `ASSETS responded with ${asset?.status ?? 'nothing'} for ${path}. Check the binding in wrangler.jsonc.`,
  );
}
