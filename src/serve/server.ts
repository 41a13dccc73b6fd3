// Serves a build over HTTP: serve-handler sends the files, and what is here chooses the file, the status and the headers.
// serve-handler is the engine of `serve`: small, MIT, kept by its makers.
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import serveHandler from 'serve-handler';
import { answerHeaders, CACHE_ERROR, COMMON_HEADERS, CONTENT_TYPE } from '#model/answer-headers.ts';
import { stop } from '#model/failure.ts';
import { GENERAL_ERRORS, ROUTES } from '#routes/all.ts';
import { generalErrorFile } from '#routes/route.ts';
import { type Answer, findAnswer } from './find-answer.ts';

export interface ServeOptions {
  /** The output folder of a build. */
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  /** An answer could not be given; the server goes on. */
  readonly onError: (error: unknown) => void;
}

const METHODS = 'GET, HEAD, OPTIONS';

/** Resolves when the server listens. Throws FailureError `port-in-use`. */
export async function startServer(options: ServeOptions): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, response, options.folder).catch((error) => {
      options.onError(error);
      if (!response.headersSent)
        response.writeHead(500, { 'Content-Type': CONTENT_TYPE, 'Cache-Control': CACHE_ERROR });
      response.end(response.headersSent ? undefined : '{"error":"Internal Server Error"}');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, options)));
    server.listen(options.port, options.host, resolve);
  });
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, folder: string): Promise<void> {
  for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
  if (request.method === 'OPTIONS') {
    const allowed = {
      Allow: METHODS,
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': '*',
      'Access-Control-Max-Age': '86400',
    };
    response.writeHead(204, allowed).end();
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', METHODS);
    const { status } = GENERAL_ERRORS.methodNotAllowed;
    await sendError(response, folder, { status, file: generalErrorFile(status) });
    return;
  }
  const [path = '', ...query] = (request.url ?? '/').split('?');
  const found = findAnswer(decodeSegments(path), new URLSearchParams(query.join('?')), ROUTES, (file) =>
    isFile(join(folder, file)),
  );
  if (found.status === 200) await sendFile(request, response, folder, found.file);
  else await sendError(response, folder, found);
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  file: string,
): Promise<void> {
  const asked = request.headers['if-none-match'];
  answerNotModified(response, asked);
  // What serve-handler compares is one strong tag; the comparison above knows lists and weak tags too.
  delete request.headers['if-none-match'];
  request.url = `/${file.split('/').map(encodeURIComponent).join('/')}`;
  await serveHandler(request, response, {
    public: folder,
    cleanUrls: false,
    directoryListing: false,
    etag: true,
    headers: [
      {
        source: '**',
        headers: [
          ...Object.entries(answerHeaders(file)).map(([key, value]) => ({ key, value })),
          // It would name the file after a part of the path that is no file name.
          { key: 'Content-Disposition', value: null as unknown as string },
        ],
      },
    ],
  });
}

/** Turns an answer whose tag the client has into 304 (RFC 9110, 13.1.2: a list, weak comparison, or `*`). */
function answerNotModified(response: ServerResponse, asked: string | undefined): void {
  if (asked === undefined) return;
  const tags = new Set(asked.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((status: number, headers: OutgoingHttpHeaders) => {
    const tag = headers.ETag;
    if (status !== 200 || typeof tag !== 'string' || !(tags.has('*') || tags.has(tag)))
      return writeHead(status, headers);
    // Node sends no body with this status, whatever is written.
    return writeHead(304, { ETag: tag, 'Cache-Control': headers['Cache-Control'] });
  }) as typeof response.writeHead;
}

async function sendError(response: ServerResponse, folder: string, { status, file }: Answer): Promise<void> {
  const body = await readFile(join(folder, file));
  response.writeHead(status, {
    'Content-Type': CONTENT_TYPE,
    'Content-Length': body.length,
    'Cache-Control': CACHE_ERROR,
  });
  response.end(body);
}

/** The parts between the slashes, decoded one by one: an encoded slash is part of a name. */
function decodeSegments(path: string): string[] | undefined {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // a name that no file can have, such as a text of 10 KB
  }
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
