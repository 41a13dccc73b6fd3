// Answers a request of the Fetch API, as Workers, edge functions and middleware receive it, from files that the host has.
import { type Answer, errorResponse, type Files, type Found, handleRequest } from '#serving/handle-request.ts';
import { NameIndexes } from '#serving/name-index.ts';
import type { SiteRules } from '#serving/rules.ts';

export type Body = ReadableStream<Uint8Array> | null;

interface Source extends Pick<Files<Body>, 'read' | 'has' | 'sends'> {
  /** Logs the error of a storage that failed: other sites could not read an error page of the host. */
  report?(error: unknown): void;
}

// biome-ignore lint/suspicious/noConsole: this is how a program logs at the edge
const logError = (error: unknown) => console.error(error);

/** All requests to one instance of the program share it. */
const NAMES = new NameIndexes();

export function handleFetch(request: Request, rules: SiteRules, source: Source): Promise<Answer<Body>> {
  const { pathname, searchParams: query } = new URL(request.url);
  const asked = { method: request.method, pathname, query, tags: request.headers.get('If-None-Match') };
  return handleRequest<Body>(asked, rules, {
    ...source,
    textOf: (body) => new Response(body).text(),
    bytesOf: async (body) => new Uint8Array(await new Response(body).arrayBuffer()),
    names: NAMES,
  }).catch((error: unknown) => {
    (source.report ?? logError)(error);
    return errorResponse(503, rules);
  });
}

export function responseOf({ status, headers, body = null }: Answer<Body>, { method }: Request): Response {
  return new Response(method === 'HEAD' ? null : body, { status, headers });
}

/** A file of the build, by the host's response for it. Throws for a response that is neither the file nor a 404. */
export async function foundIn(response: Response, file: string): Promise<Found<Body> | undefined> {
  if (response.status === 200) return { body: response.body, tag: response.headers.get('ETag') };
  await response.body?.cancel();
  if (response.status === 404) return undefined;
  throw new Error(`the host responded with ${response.status} for ${file}`);
}

/** The URL of a file of the build. A page has that of its folder, to which some hosts redirect. */
export function fileUrl(file: string, base: string): URL {
  const path = file.replace(/(^|\/)index\.html$/, '$1');
  return new URL(`/${encodePath(path)}`, base);
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
