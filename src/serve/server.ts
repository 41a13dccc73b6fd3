// Serves a build over HTTP: reads and sends the files with which the program of a host's edge answers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { stop } from '#model/failure.ts';
import { type Answer, answerError, answerRequest } from '#serving/answer-request.ts';
import type { SiteRules } from '#serving/rules.ts';
import { chooseEncoding } from './compress.ts';
import { streamOf } from './open-file.ts';
import { NoRoomError, RequestFiles, type SiteBody } from './request-files.ts';
import { SiteFiles } from './site-files.ts';

export interface ServeOptions {
  /** The output folder of a build. */
  readonly folder: string;
  readonly rules: SiteRules;
  readonly host: string;
  readonly port: number;
  /** An answer could not be given; the server goes on. */
  readonly onError: (error: unknown) => void;
}

/** What waits for a slow reader, in bytes a connection; it is never the whole of a large body. */
const HIGH_WATER_MARK = 16_384;
const MOST_WAITING = 32;
/** How long a connection may stand still, in milliseconds. Node itself limits how long a request may take to come. */
const STALLED_MS = 60_000;

/** Resolves when the server listens. Throws FailureError `port-in-use`. */
export async function startServer(options: ServeOptions): Promise<Server> {
  const site = new SiteFiles(options.folder);
  // What is wrong with a Host is answered like all that is malformed.
  const server = createServer({ highWaterMark: HIGH_WATER_MARK, requireHostHeader: false }, (request, response) => {
    const start = () => void respond(request, response, site, options);
    // Of a connection, one answer is at work at a time.
    if (response.socket !== null) start();
    else waitForTurn(request, response, start);
  });
  server.timeout = STALLED_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, options)));
    server.listen(options.port, options.host, resolve);
  });
  return server;
}

/** How many requests of a connection wait behind the one that is answered. */
const waiting = new WeakMap<Socket, number>();

/** A request that is sent before the last one is answered waits; who sends too many of them loses the connection. */
function waitForTurn({ socket }: IncomingMessage, response: ServerResponse, start: () => void): void {
  const count = (waiting.get(socket) ?? 0) + 1;
  if (count > MOST_WAITING) socket.destroy();
  waiting.set(socket, count);
  response.once('socket', () => {
    waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
    start();
  });
}

/** Resolves when the answer is sent, or nobody waits for it any more. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  site: SiteFiles,
  { rules, onError }: ServeOptions,
): Promise<void> {
  const files = new RequestFiles(site, chooseEncoding(request.headers['accept-encoding']));
  try {
    await send(await answerRequest(readRequest(request), rules, files), response, files);
  } catch (error) {
    const isFull = error instanceof NoRoomError;
    // Of a client that goes before it has everything, a server has nothing to say.
    if (!isFull && (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') onError(error);
    if (!response.headersSent) await send(answerError(isFull ? 503 : 500, rules), response, files);
    // So that a client sees that it does not have everything.
    else response.destroy();
  } finally {
    files.release();
  }
}

const MALFORMED = { pathname: '/%', searchParams: new URLSearchParams() };

/** A target is a path, or the whole URL that a proxy is asked for. Any other form is malformed. */
function readRequest(request: IncomingMessage) {
  const { method = 'GET', url = '', headers } = request;
  const target = url.startsWith('/') ? `http://host${url}` : url;
  const isMalformed = !hasOneHost(request) || !/^https?:\/\//i.test(target);
  const { pathname, searchParams: query } = (isMalformed ? null : URL.parse(target)) ?? MALFORMED;
  return { method, pathname, query, tags: headers['if-none-match'] };
}

/** Two servers in a row could each believe in another one of two (RFC 9112, 3.2). */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

async function send(
  { status, headers, body = '' }: Answer<SiteBody>,
  response: ServerResponse,
  files: RequestFiles,
): Promise<void> {
  if (response.destroyed) return;
  const isFile = typeof body !== 'string' && !Buffer.isBuffer(body);
  const length = isFile ? body.size : Buffer.byteLength(body);
  const hasBody = status !== 204 && status !== 304;
  response.writeHead(status, hasBody ? { ...headers, 'Content-Length': length } : headers);
  if (isFile && length > 0 && response.req.method !== 'HEAD') {
    files.handOver(body);
    const stream = streamOf(body);
    await pipeline(stream, response, { end: false });
    if (stream.bytesRead < length) throw new Error('a file was cut short while it was sent');
  }
  const closed = new Promise((resolve) => response.once('close', resolve));
  response.end(isFile ? undefined : body);
  await closed;
}

function explainListenError(error: NodeJS.ErrnoException, { host, port }: ServeOptions): unknown {
  switch (error.code) {
    case 'EADDRINUSE':
      return stop(
        'port-in-use',
        `Port ${port} of ${host} is in use by another program. Choose another with --port.`,
        error,
      );
    case 'EACCES':
      return stop('usage', `Port ${port} may not be opened by this user. Choose one above 1023 with --port.`, error);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return stop('usage', `${host} is no address of this machine. Choose another with --host.`, error);
    default:
      return error;
  }
}
