// Serves a build over HTTP on this machine, with the same code as the programs at the edge of hosts.
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
  /** Receives an error if a response fails because of it. The server continues. */
  readonly onError: (error: unknown) => void;
}

/**
 * The interval in milliseconds at which Node checks connections for progress. It closes a connection that made no
 * progress between two checks.
 */
const STALLED_MS = 25_000;
/** The maximum time in milliseconds to receive the headers of a request; `REQUEST_MS` is for the entire request. */
const HEADERS_MS = 20_000;
const REQUEST_MS = 60_000;
/** The interval in milliseconds at which Node checks both time limits of requests. */
const CHECK_MS = 5_000;

/** Starts a server, and resolves when it listens. Throws FailureError `port-in-use` or `usage`. */
export async function startServer(options: ServeOptions): Promise<Server> {
  const turns = new Turns();
  const [compressor, names] = [new Compressor(turns), new NameIndexes()];
  const connections = new Connections(turns, (request, response) =>
    respond(request, response, { ...options, turns, compressor, names }),
  );
  const times = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: CHECK_MS };
  // Requests without the header Host get the same response as other malformed requests, instead of Node's response.
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

/** Codes of errors that mean that the process or the system has too many open files. */
const TOO_MANY = new Set(['EMFILE', 'ENFILE']);

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, onError, ...tools }: ServeOptions & Tools,
): Promise<void> {
  const { rules } = tools;
  const opened = new Set<SiteFile>();
  const sending = { ...tools, onError, request, response, opened };
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

/**
 * Reads the method, path and query of a request. The target is a path, or a URL as in a request to a proxy. Any other
 * target gets the path of a malformed request.
 */
function readRequest(request: IncomingMessage) {
  const { method = 'GET', url = '', headers } = request;
  const target = url.startsWith('/') ? `http://host${url}` : url;
  const isMalformed = !hasOneHost(request) || !/^https?:\/\//i.test(target);
  const { pathname, searchParams: query } = (isMalformed ? null : URL.parse(target)) ?? MALFORMED;
  return { method, pathname, query, tags: headers['if-none-match'] };
}

/**
 * Returns true if the request has exactly one header Host. With two, this server and another one in front could each
 * use a different one (RFC 9112, 3.2).
 */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
