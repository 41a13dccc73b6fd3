// Sends the answers of a function over HTTP, for hosts that only their owner can run, with what every CDN does to an
// answer before it leaves: conditional requests, compression, no body for HEAD.
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseEncoding, compress } from '#serve/compress.ts';

/** Sizes in bytes between which the host compresses. */
export interface Compressed {
  readonly from: number;
  readonly to: number;
}

export interface Reply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const COMPRESSIBLE = /^(text\/|application\/(json|javascript|xml|manifest\+json)|image\/svg\+xml)/;

export function textReply(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: Buffer.from(text) };
}

/** Answers each request, and with 500 and the error where the function throws: a test that sees it fails. */
export function requestListener(answer: (request: IncomingMessage) => Promise<Reply>, compressed: Compressed) {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    const { status, headers, body } = await answer(request)
      .then((reply) => finishReply(request, reply, compressed))
      .catch((error: unknown) => textReply(500, error instanceof Error ? `${error.stack}` : String(error)));
    response.statusCode = status;
    // Node adds the length, and leaves out the body where none may be.
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
    // The bytes are others than those that the tag was made of.
    ...(encoding && status === 200 && { etag: etag.replace(/^(W\/)?/, 'W/') }),
  };
  if (status === 200 && isKnown(request.headers['if-none-match'], etag)) {
    const kept = Object.entries(sent).filter(([name]) => !name.startsWith('content-'));
    return { status: 304, headers: Object.fromEntries(kept), body: Buffer.alloc(0) };
  }
  return { status, headers: sent, body: encoding === undefined ? body : await compress(body, encoding) };
}

/** RFC 9110, 13.1.2: a list, weak comparison, or `*`. */
function isKnown(asked: string | undefined, etag: string): boolean {
  const tags = asked?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}
