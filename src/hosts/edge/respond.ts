// Responds to requests of the Fetch API with files of a host.
import { errorResponse, type Files, type Found, handleRequest, type SiteResponse } from '#serving/handle-request.ts';
import { isCompressible } from '#serving/headers.ts';
import { NameIndexes } from '#serving/name-index.ts';
import type { SiteRules } from '#serving/rules.ts';

export type Body = ReadableStream<Uint8Array> | null;

interface Source extends Pick<Files<Body>, 'read' | 'has' | 'sends'> {
  /** Logs an error. The response is a 503 with CORS headers, which the error page of a host would lack. */
  report?(error: unknown): void;
}

// biome-ignore lint/suspicious/noConsole: programs at the edge log to the console
const logError = (error: unknown) => console.error(error);

/** Parsed names files. All requests to one instance of the program share them. */
const NAMES = new NameIndexes();

export function handleFetch(request: Request, rules: SiteRules, source: Source): Promise<SiteResponse<Body>> {
  const { pathname, searchParams: query } = new URL(request.url);
  const siteRequest = { method: request.method, pathname, query, tags: request.headers.get('If-None-Match') };
  return handleRequest<Body>(siteRequest, rules, {
    ...source,
    textOf: (body) => new Response(body).text(),
    names: NAMES,
  }).catch((error: unknown) => {
    (source.report ?? logError)(error);
    return errorResponse(503, rules);
  });
}

/** Adds the size of a file that no host compresses to the response to HEAD. */
export function responseOf(response: SiteResponse<Body>, { method }: Request): Response {
  const { status, headers, size, body = null } = response;
  if (method !== 'HEAD') return new Response(body, { status, headers });
  const isSized = size !== undefined && !isCompressible(headers['Content-Type'] ?? '');
  return new Response(null, { status, headers: isSized ? { ...headers, 'Content-Length': String(size) } : headers });
}

/**
 * Returns the file in a response of the host. Undefined if the host responded with 404; throws for any other status but
 * 200.
 */
export async function foundIn(response: Response, file: string): Promise<Found<Body> | undefined> {
  if (response.status === 200) return { body: response.body, tag: response.headers.get('ETag') };
  await response.body?.cancel();
  if (response.status === 404) return undefined;
  throw new Error(`the host responded with ${response.status} for ${file}`);
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
