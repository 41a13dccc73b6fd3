// Sends a response: its entire body, or the range of bytes that the client requests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorResponse, type SiteResponse } from '#serving/handle-request.ts';
import type { SiteRules } from '#serving/rules.ts';
import type { Compressor } from './compressor.ts';
import type { Content } from './open-files.ts';
import { chooseRange, type Range } from './range.ts';
import { type SendTools, sendFile } from './send-file.ts';
import { SiteFile } from './site-file.ts';

interface Sending extends SendTools {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly rules: SiteRules;
  /**
   * Open files that the caller closes. A file that is being sent is removed from this set, and is closed when it was
   * sent.
   */
  readonly opened: Set<SiteFile>;
  readonly compressor: Compressor;
}

export function sendResponse(siteResponse: SiteResponse<Content>, sending: Sending): void {
  const { request, response, opened, compressor } = sending;
  const { status, headers, body = '', range } = cutRange(siteResponse, sending);
  if (response.destroyed) return;
  // Without a listener, an error of one connection would stop the server.
  response.on('error', () => {});
  const hasBody = status !== 204 && status !== 304;
  const { start, end } = range ?? { start: 0, end: sizeOf(body) };
  response.writeHead(status, hasBody ? { ...headers, 'Content-Length': end - start } : headers);
  if (!hasBody || request.method === 'HEAD') response.end();
  else if (body instanceof SiteFile) {
    opened.delete(body);
    sendFile(body, response, { start, end }, sending);
  } else {
    const bytes = (typeof body === 'string' ? Buffer.from(body) : body).subarray(start, end);
    compressor.noteSent(bytes, response);
    response.end(bytes);
  }
}

/**
 * Reduces a response to the requested range. Compressed bodies are always sent entirely, since another version of zlib
 * compresses to other bytes.
 */
function cutRange(
  siteResponse: SiteResponse<Content>,
  { request, rules }: Sending,
): SiteResponse<Content> & { readonly range?: Range } {
  const { status, headers, body = '' } = siteResponse;
  if (status !== 200) return siteResponse;
  const ranged = { ...siteResponse, headers: { ...headers, 'Accept-Ranges': 'bytes' } };
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

function sizeOf(body: Content | string): number {
  return body instanceof SiteFile ? body.size : Buffer.byteLength(body);
}
