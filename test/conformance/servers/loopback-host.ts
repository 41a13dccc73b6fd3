// Serves the answers of a function over HTTP on this machine, for hosts that only their owner can run, with what every
// CDN does to an answer before it leaves: conditional requests, compression, no body for HEAD.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { chooseEncoding } from '#serve/compress.ts';
import { freePort } from './free-port.ts';
import type { RunningHost } from './running-host.ts';

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
  /** Made on the way by the host's own code: neither tagged nor compressed. */
  readonly asIs?: boolean;
}

const COMPRESSIBLE = /^(text\/|application\/(json|javascript|xml|manifest\+json)|image\/svg\+xml)/;

export function textReply(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: Buffer.from(text) };
}

export async function startLoopback(
  answer: (request: IncomingMessage) => Promise<Reply>,
  compressed: Compressed,
): Promise<RunningHost> {
  const server = createServer((request, response) => {
    request.resume();
    answer(request)
      .then((reply) => {
        const { status, headers, body } = finishReply(request, reply, compressed);
        response.writeHead(status, { ...headers }).end(body);
      })
      .catch((error: unknown) => {
        // A test that sees it fails, and says why.
        response.writeHead(500, { 'Content-Type': 'text/plain' });
        response.end(error instanceof Error ? error.stack : String(error));
      });
  });
  const port = await freePort();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${port}`, stop };
}

function finishReply(request: IncomingMessage, reply: Reply, compressed: Compressed): Reply {
  const tagged = reply.status === 200 && reply.asIs !== true ? withTag(reply) : reply;
  const whole = tagged.asIs === true ? withLength(tagged) : compress(request, tagged, compressed);
  const sent = isKnown(request.headers['if-none-match'], whole) ? notModified(whole) : whole;
  return request.method === 'HEAD' ? { ...sent, body: Buffer.alloc(0) } : sent;
}

function withTag(reply: Reply): Reply {
  const etag = `"${createHash('md5').update(reply.body).digest('hex')}"`;
  return { ...reply, headers: { etag, ...reply.headers } };
}

/** RFC 9110, 13.1.2: a list, weak comparison, or `*`. */
function isKnown(asked: string | undefined, { status, headers: { etag } }: Reply): boolean {
  if (asked === undefined || etag === undefined || status !== 200) return false;
  const tags = asked.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}

function notModified({ headers }: Reply): Reply {
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith('content-'));
  return { status: 304, headers: Object.fromEntries(kept), body: Buffer.alloc(0) };
}

function compress(request: IncomingMessage, reply: Reply, { from, to }: Compressed): Reply {
  const { headers, body } = reply;
  const fits = body.length >= from && body.length <= to && COMPRESSIBLE.test(headers['content-type'] ?? '');
  if (!fits || headers['content-encoding'] !== undefined) return withLength(reply);
  const varying = { ...reply, headers: { ...headers, vary: 'Accept-Encoding' } };
  const encoding = chooseEncoding(request.headers['accept-encoding']?.toString());
  if (encoding === undefined) return withLength(varying);
  const { etag } = headers;
  return withLength({
    ...varying,
    headers: {
      ...varying.headers,
      'content-encoding': encoding,
      // The bytes are others than those that the tag was made of.
      ...(etag === undefined ? {} : { etag: etag.replace(/^(W\/)?/, 'W/') }),
    },
    body: encoding === 'br' ? brotliCompressSync(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } }) : gzipSync(body),
  });
}

function withLength(reply: Reply): Reply {
  if (reply.status === 204 || reply.status === 304) return reply;
  return { ...reply, headers: { ...reply.headers, 'content-length': String(reply.body.length) } };
}
