// Responds to requests of the Fetch API, which Workers, edge functions and middleware receive, from files of the host.
import { errorResponse, type Files, type Found, handleRequest, type SiteResponse } from '#serving/handle-request.ts';
import { NameIndexes } from '#serving/name-index.ts';
import type { SiteRules } from '#serving/rules.ts';

export type Body = ReadableStream<Uint8Array> | null;

interface Source extends Pick<Files<Body>, 'read' | 'has' | 'sends'> {
  /** Logs an error. The response is then a 503 with CORS headers, which an error page of the host lacks. */
  report?(error: unknown): void;
}

// biome-ignore lint/suspicious/noConsole: programs at the edge log to the console
const logError = (error: unknown) => console.error(error);

/** Indexes of names files, shared by all requests to an instance of the program. */
const NAMES = new NameIndexes();

export function handleFetch(request: Request, rules: SiteRules, source: Source): Promise<SiteResponse<Body>> {
  const { pathname, searchParams: query } = new URL(request.url);
  const siteRequest = { method: request.method, pathname, query, tags: request.headers.get('If-None-Match') };
  return handleRequest<Body>(siteRequest, rules, {
    ...source,
    textOf: (body) => new Response(body).text(),
    bytesOf: async (body) => new Uint8Array(await new Response(body).arrayBuffer()),
    names: NAMES,
  }).catch((error: unknown) => {
    (source.report ?? logError)(error);
    return errorResponse(503, rules);
  });
}

export function responseOf({ status, headers, body = null }: SiteResponse<Body>, { method }: Request): Response {
  return new Response(method === 'HEAD' ? null : body, { status, headers });
}

/** Returns the file in a response of the host; undefined for a 404. Throws for any other status. */
export async function foundIn(response: Response, file: string): Promise<Found<Body> | undefined> {
  if (response.status === 200) return { body: response.body, tag: response.headers.get('ETag') };
  await response.body?.cancel();
  if (response.status === 404) return undefined;
  throw new Error(`the host responded with ${response.status} for ${file}`);
}

/** Returns the URL of a file of the build; for a page the URL of its folder, since some hosts redirect to it. */
export function fileUrl(file: string, base: string): URL {
  const path = file.replace(/(^|\/)index\.html$/, '$1');
  return new URL(`/${encodePath(path)}`, base);
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
