// Serves a build over HTTP: serve-handler sends the files, and what is here chooses the file, the status and the headers.
// serve-handler is the engine of `serve`, and compression what it compresses with: small, MIT, kept by their makers.
import { createHash } from 'node:crypto';
import { lstatSync, type Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import compression from 'compression';
import serveHandler from 'serve-handler';
import {
  type Candidate,
  cutSlice,
  headersOf,
  isAmong,
  type ListPage,
  planAnswer,
  type Slice,
} from '#hosts/edge/plan-answer.js';
import { METHODS } from '#model/answer-headers.ts';
import { stop } from '#model/failure.ts';
import type { ErrorRule } from '#model/site-rules.ts';
import { SITE_RULES } from '#routes/site-rules.ts';

export interface ServeOptions {
  /** The output folder of a build. */
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  /** An answer could not be given; the server goes on. */
  readonly onError: (error: unknown) => void;
}

const compress = compression();

/** Resolves when the server listens. Throws FailureError `port-in-use`. */
export async function startServer(options: ServeOptions): Promise<Server> {
  const server = createServer((request, response) => {
    // Before the answer is chosen, so that whatever is written goes through it.
    if (request.headers['accept-encoding'] !== undefined)
      compress(request as never, response as never, () => undefined);
    answer(request, response, options.folder).catch((error) => {
      options.onError(error);
      if (!response.headersSent) response.writeHead(500, headersOf({ status: 500, file: '' }, SITE_RULES));
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
  const { headers, methodNotAllowed } = SITE_RULES;
  if (request.method === 'OPTIONS') {
    response.writeHead(204, { ...headers.common, ...headers.preflight, Allow: METHODS }).end();
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', METHODS);
    await sendError(response, folder, methodNotAllowed);
    return;
  }
  const found = choose(plan(request.url ?? '/'), folder);
  if (found.status !== 200) await sendError(response, folder, found);
  else if (found.slice !== undefined) await sendSlice(request, response, folder, found.file, found.slice);
  else await sendFile(request, response, folder, found);
}

/** A candidate, and what the file system says of its file where that was asked. */
type Found = Candidate & { readonly stats?: Stats | undefined };

function choose(candidates: readonly Candidate[], folder: string): Found {
  for (const candidate of candidates) {
    const { needs } = candidate;
    const stats = needs === undefined ? undefined : statsOfFile(join(folder, needs));
    if (needs === undefined || stats !== undefined) return { ...candidate, stats };
  }
  throw new Error('a plan without an end');
}

/** A target that is no path, such as that of a proxy's request, is malformed. */
function plan(target: string): Candidate[] {
  const url = target.startsWith('/') ? URL.parse(`http://host${target}`) : null;
  return url === null ? [SITE_RULES.badRequest] : planAnswer(url.pathname, url.searchParams, SITE_RULES);
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  { file, stats }: Found,
): Promise<void> {
  setHeadOf(response, headersOf({ status: 200, file }, SITE_RULES), request.headers['if-none-match']);
  // What serve-handler compares is one strong tag; the comparison above knows lists and weak tags too.
  delete request.headers['if-none-match'];
  // An answer is small, and what is behind its end would be an answer of another status.
  delete request.headers.range;
  request.url = `/${file.split('/').map(encodeURIComponent).join('/')}`;
  const options = { public: folder, cleanUrls: false, directoryListing: false, etag: true };
  // The file was looked up when it was chosen.
  await serveHandler(request, response, options, { lstat: async () => stats } as never);
}

/** Gives what is sent these headers in place of those that come with it, and turns an answer whose tag the client has into 304. */
function setHeadOf(response: ServerResponse, headers: OutgoingHttpHeaders, asked: string | undefined): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((status: number, given: OutgoingHttpHeaders) => {
    // It would name the file after a part of the path that is no file name.
    const { 'Content-Disposition': _, ...kept } = given;
    const tag = kept.ETag;
    if (status !== 200 || typeof tag !== 'string' || !isAmong(tag, asked))
      return writeHead(status, { ...kept, ...headers, Vary: 'Accept-Encoding' });
    const { 'Content-Length': _length, ...ofNotModified } = kept;
    // Node sends no body with this status, whatever is written.
    return writeHead(304, { ...ofNotModified, ...headers, Vary: 'Accept-Encoding' });
  }) as typeof response.writeHead;
}

/** A part of a list, which no file holds: cut out of the list's pages. */
async function sendSlice(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  file: string,
  slice: Slice,
): Promise<void> {
  const readPage = async (page: string) => JSON.parse(await readFile(join(folder, page), 'utf8')) as ListPage;
  const { total } = await readPage(file);
  const body = Buffer.from(JSON.stringify(await cutSlice(slice, total, readPage)));
  setHeadOf(response, headersOf({ status: 200, file }, SITE_RULES), request.headers['if-none-match']);
  response.writeHead(200, {
    ETag: `"${createHash('sha1').update(body).digest('hex')}"`,
    'Content-Length': body.length,
  });
  response.end(body);
}

async function sendError(
  response: ServerResponse,
  folder: string,
  { status, file }: Pick<ErrorRule, 'status' | 'file'>,
): Promise<void> {
  const body = await readFile(join(folder, file));
  response.writeHead(status, {
    ...headersOf({ status, file }, SITE_RULES),
    'Content-Length': body.length,
  });
  response.end(body);
}

/** Undefined for what is no file, a symbolic link included: it may lead out of the folder. */
function statsOfFile(path: string): Stats | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats : undefined;
  } catch {
    return undefined; // a name that no file can have, such as a text of 10 KB
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
