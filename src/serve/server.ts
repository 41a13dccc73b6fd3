// Serves a build over HTTP on this machine: the program of a host's edge, with the files of a folder.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen } from '#net/listen.ts';
import { errorResponse, handleRequest } from '#serving/handle-request.ts';
import { NameIndexes } from '#serving/name-index.ts';
import type { SiteRules } from '#serving/rules.ts';
import { chooseEncoding } from './compress.ts';
import { Compressor } from './compressor.ts';
import { Connections } from './connections.ts';
import { openFiles } from './open-files.ts';
import { sendResponse } from './send-response.ts';
import type { SiteFile } from './site-file.ts';
import { Turns } from './turns.ts';

interface ServeOptions {
  /** The output folder of a build. */
  readonly folder: string;
  readonly rules: SiteRules;
  readonly host: string;
  readonly port: number;
  /** An answer could not be given; the server goes on. */
  readonly onError: (error: unknown) => void;
}

/** The time in milliseconds between checks for progress: Node closes a connection after one or two without any. */
const STALLED_MS = 25_000;
/** How long the headers of a request, and a whole request, may take to come, in milliseconds. */
const HEADERS_MS = 20_000;
const REQUEST_MS = 60_000;
/** How often these times are checked, in milliseconds. */
const CHECK_MS = 5_000;

/** Resolves when the server listens. Throws FailureError `port-in-use` or `usage`. */
export async function startServer(options: ServeOptions): Promise<Server> {
  const turns = new Turns();
  const [compressor, names] = [new Compressor(turns), new NameIndexes()];
  const connections = new Connections(turns, (request, response) =>
    respond(request, response, { ...options, turns, compressor, names }),
  );
  const times = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: CHECK_MS };
  // A wrong Host is answered like all that is malformed.
  const server = createServer({ requireHostHeader: false, ...times });
  server.on('connection', (socket) => connections.open(socket));
  server.on('request', (request, response) => connections.add(request, response));
  server.timeout = STALLED_MS;
  await listen(server, options, { host: '--host', port: '--port' });
  return server;
}

interface Tools {
  readonly turns: Turns;
  readonly compressor: Compressor;
  readonly names: NameIndexes;
}

/** Errors of a process, or a system, that has no file handle left. */
const TOO_MANY = new Set(['EMFILE', 'ENFILE']);

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, onError, ...tools }: ServeOptions & Tools,
): Promise<void> {
  const { rules } = tools;
  const opened = new Set<SiteFile>();
  const sending = { ...tools, request, response, opened };
  try {
    const { range, 'accept-encoding': accepted } = request.headers;
    const encoding = range === undefined ? chooseEncoding(accepted) : undefined;
    const files = openFiles({ ...tools, folder, encoding, opened });
    sendResponse(await handleRequest(readRequest(request), rules, files), sending);
  } catch (error) {
    const isBusy = TOO_MANY.has((error as NodeJS.ErrnoException).code ?? '');
    if (!isBusy) onError(error);
    if (response.headersSent) response.destroy();
    else sendResponse(errorResponse(isBusy ? 503 : 500, rules), sending);
  } finally {
    for (const file of opened) file.close();
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
