// Responds to one request with files of a site. Small files are read into memory, and larger ones are sent in pieces.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { errorResponse, type Files, handleRequest, type SiteResponse } from '#serving/handle-request.ts';
import { isCompressible } from '#serving/headers.ts';
import type { NameIndexes } from '#serving/name-index.ts';
import type { SiteRules } from '#serving/rules.ts';
import { chooseEncoding, compress, createCompressor, type Encoding } from './compress.ts';
import { nextTurn } from './next-turn.ts';
import { chooseRange, type Range } from './range.ts';
import { readRequest } from './read-request.ts';
import { findRoot, MAX_READ_BYTES, openSiteFile, SiteFile } from './site-file.ts';

/** The content of a response: its bytes, or an open file that is too large for memory. */
type Content = Buffer | SiteFile;

export interface ServedSite {
  /** The output folder of a build. */
  readonly folder: string;
  readonly rules: SiteRules;
  readonly names: NameIndexes;
  /** Receives an error if a response fails because of it. The server continues. */
  readonly onError: (error: unknown) => void;
}

/** The minimum size of a body that is compressed, in bytes. A smaller body fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_024;
/** The size of a piece of a large file, in bytes. A client that stops reading keeps one piece in memory. */
const PIECE_BYTES = 32_768;
/** The maximum number of bodies that are compressed while they are sent. More bodies are sent uncompressed. */
const MAX_COMPRESSORS = 16;
let compressors = 0;
/** Codes of errors that mean that the process or the system has too many open files. */
const TOO_MANY = new Set(['EMFILE', 'ENFILE']);

/** Sends the response to a request. Resolves when its last bytes are handed to the connection. */
export async function respond(request: IncomingMessage, response: ServerResponse, site: ServedSite): Promise<void> {
  const opened: Pick<SiteFile, 'close'>[] = [];
  try {
    const found = await handleRequest(readRequest(request), site.rules, openFiles(request, site, opened));
    await send(cutRange(found, request, site.rules), request, response);
  } catch (error) {
    const isBusy = TOO_MANY.has((error as NodeJS.ErrnoException).code ?? '');
    if (!isBusy) site.onError(error);
    if (response.headersSent) response.destroy();
    else await send(errorResponse(isBusy ? 503 : 500, site.rules), request, response);
  } finally {
    for (const file of opened) file.close();
  }
}

/**
 * Returns functions that open files for one request. A link to the folder is followed once, so that the response never
 * mixes two sites. The caller closes the files that are added to `opened`.
 */
function openFiles(
  { headers }: IncomingMessage,
  { folder, names }: ServedSite,
  opened: Pick<SiteFile, 'close'>[],
): Files<Content> {
  const root = findRoot(folder);
  const encoding = headers.range === undefined ? chooseEncoding(headers['accept-encoding']) : undefined;
  return {
    async read(name) {
      const file = root === undefined ? undefined : openSiteFile(root, name);
      if (file === undefined) return undefined;
      opened.push(file);
      return { body: file.bytes ?? file, tag: file.tag };
    },
    textOf: (body) => bytesOf(body).toString(),
    names,
    async encode(body, tag, type) {
      const plain = typeof body === 'string' ? Buffer.from(body) : body;
      if (encoding === undefined || sizeOf(plain) < MIN_COMPRESSED_BYTES || !isCompressible(type))
        return { body: plain, tag };
      const encoded = { tag: tag.replace(/"$/, `-${encoding}"`), encoding };
      if (plain instanceof SiteFile || isLarge(plain)) {
        if (compressors >= MAX_COMPRESSORS) return { body: plain, tag };
        compressors++;
        opened.push({ close: () => void compressors-- });
        return { body: plain, ...encoded };
      }
      const compressed = compress(plain, encoding);
      return compressed.length >= plain.length ? { body: plain, tag } : { body: compressed, ...encoded };
    },
  };
}

function bytesOf(body: Content): Buffer {
  return body instanceof SiteFile ? body.readAll() : body;
}

/** Returns true for a body that is sent in pieces if it is a file, and compressed while it is sent. */
function isLarge(body: Content | string): boolean {
  return sizeOf(body) > MAX_READ_BYTES;
}

function sizeOf(body: Content | string): number {
  return body instanceof SiteFile ? body.size : Buffer.byteLength(body);
}

type RangedResponse = SiteResponse<Content> & { readonly range?: Range };

/**
 * Reduces a response to the range that the client requests. Compressed bodies are always sent entirely, since another
 * version of zlib compresses to other bytes.
 */
function cutRange(found: SiteResponse<Content>, request: IncomingMessage, rules: SiteRules): RangedResponse {
  const { status, headers, body = '' } = found;
  if (status !== 200) return found;
  const ranged = { ...found, headers: { ...headers, 'Accept-Ranges': 'bytes' } };
  if (request.method !== 'GET' || headers['Content-Encoding'] !== undefined) return ranged;
  const size = sizeOf(body);
  const range = chooseRange(request.headers, headers.ETag, size);
  if (range === undefined) return ranged;
  if (range === null) {
    const refused = errorResponse(416, rules);
    return { ...refused, headers: { ...refused.headers, 'Content-Range': `bytes */${size}` } };
  }
  const contentRange = `bytes ${range.start}-${range.end - 1}/${size}`;
  return { ...ranged, status: 206, headers: { ...ranged.headers, 'Content-Range': contentRange }, range };
}

async function send(
  { status, headers, body = '', range }: RangedResponse,
  { method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (response.destroyed) return;
  const hasBody = status !== 204 && status !== 304;
  const encoding = isLarge(body) ? (headers['Content-Encoding'] as Encoding | undefined) : undefined;
  const { start, end } = range ?? { start: 0, end: sizeOf(body) };
  const hasLength = hasBody && encoding === undefined;
  response.writeHead(status, hasLength ? { ...headers, 'Content-Length': end - start } : headers);
  if (!hasBody || method === 'HEAD') response.end();
  else if (encoding !== undefined) await sendCompressed(body, encoding, response);
  else if (body instanceof SiteFile) await sendPieces(body, { start, end }, response);
  else response.end((typeof body === 'string' ? Buffer.from(body) : body).subarray(start, end));
}

async function sendCompressed(body: Content | string, encoding: Encoding, response: ServerResponse): Promise<void> {
  const pieces = body instanceof SiteFile ? piecesOf(body, { start: 0, end: body.size }) : [body];
  try {
    await pipeline(pieces, createCompressor(encoding), response);
  } catch (error) {
    // A client may close the connection at any time.
    if (!(error as NodeJS.ErrnoException).code?.startsWith('ERR_STREAM_')) throw error;
  }
}

async function sendPieces(file: SiteFile, range: Range, response: ServerResponse): Promise<void> {
  for await (const piece of piecesOf(file, range)) {
    // The callback is not called if the connection was closed before.
    if (response.socket?.destroyed !== false) return;
    await new Promise<unknown>((resolve) => {
      response.write(piece, resolve);
    });
  }
  response.end();
}

/**
 * Reads a range of a file, one piece after the other. Throws before the last piece if the file was changed, so that the
 * client notices.
 */
async function* piecesOf(file: SiteFile, { start, end }: Range): AsyncGenerator<Buffer> {
  for (let position = start; position < end; position += PIECE_BYTES) {
    const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, end - position));
    const isLast = position + piece.length === end;
    if (file.read(piece, position) < piece.length || (isLast && file.isChanged))
      throw new Error(`${file.path} was changed while it was sent. Replace files of a site, do not write into them.`);
    yield piece;
    await nextTurn();
  }
}
