// Sends the response that a function returns. Adds the behavior of all CDNs: conditional requests, compression, and no
// body for HEAD.
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseEncoding, compress } from '#serve/compress.ts';

/** The smallest and largest size, in bytes, of bodies that the host compresses. */
export interface Compressed {
  readonly from: number;
  readonly to: number;
}

export interface Reply {
  readonly status: number;
  /** The header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const COMPRESSIBLE = /^(text\/|application\/(json|javascript|xml|manifest\+json)|image\/svg\+xml)/;

export function textReply(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: Buffer.from(text) };
}

/**
 * Returns a listener that sends the response of a function. If the function throws, sends status 500 with the error.
 */
export function requestListener(respondTo: (request: IncomingMessage) => Promise<Reply>, compressed: Compressed) {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    const { status, headers, body } = await respondTo(request)
      .then((reply) => finishReply(request, reply, compressed))
      .catch((error: unknown) => textReply(500, error instanceof Error ? `${error.stack}` : String(error)));
    response.statusCode = status;
    // Node omits the body for HEAD and 304, and adds the Content-Length for other methods than HEAD.
    if (request.method === 'HEAD' && status === 200) response.setHeader('Content-Length', body.length);
    response.setHeaders(new Map(Object.entries(headers))).end(body);
  };
  return (request: IncomingMessage, response: ServerResponse) => void respond(request, response);
}

async function finishReply(request: IncomingMessage, reply: Reply, { from, to }: Compressed): Promise<Reply> {
  const { status, body } = reply;
  const etag = reply.headers.etag ?? `"${hash('md5', body)}"`;
  const headers = status === 200 ? { etag, ...reply.headers } : reply.headers;
  const fits = body.length >= from && body.length <= to && COMPRESSIBLE.test(headers['content-type'] ?? '');
  const varies = fits && headers['content-encoding'] === undefined;
  const encoding = varies ? chooseEncoding(request.headers['accept-encoding']?.toString()) : undefined;
  const sent: Record<string, string> = {
    ...headers,
    ...(varies && { vary: 'Accept-Encoding' }),
    ...(encoding && { 'content-encoding': encoding }),
    // Makes the tag weak, since it was computed from the uncompressed body.
    ...(encoding && status === 200 && { etag: etag.replace(/^(W\/)?/, 'W/') }),
  };
  if (status === 200 && isKnown(request.headers['if-none-match'], etag)) {
    const headersOf304 = Object.entries(sent).filter(([name]) => !name.startsWith('content-'));
    return { status: 304, headers: Object.fromEntries(headersOf304), body: Buffer.alloc(0) };
  }
  return { status, headers: sent, body: encoding === undefined ? body : compress(body, encoding) };
}

/** True if If-None-Match contains `*` or the tag, compared weakly (RFC 9110, 13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}
