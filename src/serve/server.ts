// Serves a build over HTTP on this machine: the program of a host's edge, with the files of a folder.
import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen } from '#net/listen.ts';
import { type Answer, answerError, answerRequest, type Files } from '#serving/answer-request.ts';
import { isCompressible } from '#serving/headers.ts';
import type { SiteRules } from '#serving/rules.ts';
import { chooseEncoding, compress } from './compress.ts';
import { findRoot, readSiteFile } from './read-file.ts';

interface ServeOptions {
  /** The output folder of a build. */
  readonly folder: string;
  readonly rules: SiteRules;
  readonly host: string;
  readonly port: number;
  /** An answer could not be given; the server goes on. */
  readonly onError: (error: unknown) => void;
}

/** How long a connection may stand still, in milliseconds. Node itself limits how long a request may take to come. */
const STALLED_MS = 60_000;

/** Below it, compressing saves no packet. */
const LEAST_COMPRESSED_BYTES = 1_024;

/** Resolves when the server listens. Throws FailureError `port-in-use` or `usage`. */
export async function startServer(options: ServeOptions): Promise<Server> {
  // A wrong Host is answered like all that is malformed.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    void respond(request, response, options);
  });
  server.timeout = STALLED_MS;
  await listen(server, options, { host: '--host', port: '--port' });
  return server;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, rules, onError }: ServeOptions,
): Promise<void> {
  try {
    const files = openFiles(folder, request.headers['accept-encoding']);
    send(await answerRequest(readRequest(request), rules, files), response);
  } catch (error) {
    onError(error);
    send(answerError(500, rules), response);
  }
}

/** For one request: no answer mixes two sites. */
function openFiles(folder: string, accepted: string | undefined): Files<Buffer> {
  const [root, encoding] = [findRoot(folder), chooseEncoding(accepted)];
  return {
    async read(name) {
      const body = root === undefined ? undefined : readSiteFile(root, name);
      return body && { body, tag: `"${hash('sha1', body)}"` };
    },
    textOf: (body) => body.toString(),
    async encode(body, tag, type) {
      const plain = typeof body === 'string' ? Buffer.from(body) : body;
      if (encoding === undefined || plain.length < LEAST_COMPRESSED_BYTES || !isCompressible(type))
        return { body: plain, tag };
      const compressed = await compress(plain, encoding);
      if (compressed.length >= plain.length) return { body: plain, tag };
      return { body: compressed, tag: tag.replace(/"$/, `-${encoding}"`), encoding };
    },
  };
}

function send({ status, headers, body = '' }: Answer<Buffer>, response: ServerResponse): void {
  const hasBody = status !== 204 && status !== 304;
  response.writeHead(status, hasBody ? { ...headers, 'Content-Length': Buffer.byteLength(body) } : headers);
  response.end(body);
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
