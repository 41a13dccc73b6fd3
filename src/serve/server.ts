// Serves a build over HTTP: reads and sends the files with which the program of a host's edge answers.
// compression is what `serve` compresses with: small, MIT, kept by its makers.
import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import compression from 'compression';
import { answerRequest, headersOf } from '#hosts/edge/answer-request.js';
import { stop } from '#model/failure.ts';
import type { SiteRules } from '#model/site-rules.ts';

export interface ServeOptions {
  /** The output folder of a build. */
  readonly folder: string;
  readonly rules: SiteRules;
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
    answer(request, response, options).catch((error) => {
      options.onError(error);
      if (!response.headersSent) response.writeHead(500, headersOf({ status: 500 }, options.rules));
      response.end(response.headersSent ? undefined : '{"error":"Internal Server Error"}');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, options)));
    server.listen(options.port, options.host, resolve);
  });
  return server;
}

/** A target that is no path, such as that of a proxy's request, is malformed. */
const MALFORMED = { pathname: '/%', searchParams: new URLSearchParams() };

async function answer(
  { method = 'GET', url = '', headers: sent }: IncomingMessage,
  response: ServerResponse,
  { folder, rules }: ServeOptions,
): Promise<void> {
  const { pathname, searchParams: query } = (url.startsWith('/') ? URL.parse(`http://host${url}`) : null) ?? MALFORMED;
  const asked = { method, pathname, query, tags: sent['if-none-match'] };
  const { status, headers, body } = await answerRequest(asked, rules, {
    read: (file) => readIfThere(join(folder, file)),
    textOf: (bytes: Buffer) => bytes.toString(),
  });
  response.writeHead(status, body === undefined ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

/** Undefined for what is no file, a symbolic link included: it may lead out of the folder. */
async function readIfThere(path: string): Promise<{ readonly body: Buffer; readonly tag: string } | undefined> {
  // There may be no such name either, such as a text of 10 KB.
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isFile() !== true) return undefined;
  const body = await readFile(path);
  return { body, tag: `"${createHash('sha1').update(body).digest('hex')}"` };
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
