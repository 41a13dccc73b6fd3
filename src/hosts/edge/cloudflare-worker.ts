// Responds to requests at Cloudflare's edge from the assets of the Worker (binding ASSETS) or from an R2 bucket (SITE).
import type { Found } from '#serving/handle-request.ts';
import type { SiteRules } from '#serving/rules.ts';
import { type Body, encodePath, foundIn, handleFetch, responseOf } from './respond.ts';

/** The rules of the site. A build defines this constant before the bundled program. */
declare const RULES: SiteRules;

interface Environment {
  readonly ASSETS?: { fetch(request: Request): Promise<Response> };
  readonly SITE?: { get(key: string): Promise<StoredObject | null> };
}

interface StoredObject {
  readonly body: ReadableStream;
  readonly httpEtag: string;
  readonly size: number;
}

interface Context {
  waitUntil(work: Promise<unknown>): void;
}

/** The maximum size of an object's key in R2, in bytes. */
const MAX_KEY_BYTES = 1_024;

const worker = {
  async fetch(request: Request, environment: Environment, context: Context): Promise<Response> {
    const response = await handleFetch(request, RULES, {
      read: (file) => readFile(environment, request.url, file),
      report: (error) => context.waitUntil(Promise.reject(error)),
    });
    return responseOf(response, request);
  },
};
// biome-ignore lint/style/noDefaultExport: Cloudflare requires a default export
export default worker;

async function readFile({ ASSETS, SITE }: Environment, url: string, file: string): Promise<Found<Body> | undefined> {
  if (SITE !== undefined) {
    // R2 throws for a key that is too long.
    if (new TextEncoder().encode(file).length > MAX_KEY_BYTES) return undefined;
    const stored = await SITE.get(file);
    return stored === null ? undefined : { body: stored.body, tag: stored.httpEtag, size: stored.size };
  }
  if (ASSETS === undefined) throw new Error('The Worker has no binding ASSETS. Deploy it with its wrangler.jsonc.');
  return await foundIn(await ASSETS.fetch(new Request(new URL(`/${encodePath(file)}`, url))), file);
}
