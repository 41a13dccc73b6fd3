// Sends a request unchanged, as a hostile client may send it. Does not normalise paths, follow redirects or decompress
// bodies.
import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

const TIMEOUT_MS = 20_000;

export interface TestRequest {
  /** The method, by default GET. */
  readonly method?: string;
  /** The path, including the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestResponse {
  readonly status: number;
  /** The values by lower-case header name. The values of a repeated header are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function send(origin: string, { method = 'GET', path, headers = {} }: TestRequest): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    // Opens a new connection for each request, so that no connection stays open when a server stops.
    const sent = httpRequest(origin, { method, path, headers, agent: false, timeout: TIMEOUT_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: joinHeaders(response.rawHeaders),
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.once('timeout', () =>
      sent.destroy(new Error(`no response to ${method} ${path} within ${TIMEOUT_MS / 1000} seconds`)),
    );
    sent.once('error', reject);
    sent.end();
  });
}

/** Returns the body as text, decompressed as its Content-Encoding says. */
export function bodyText({ headers, body }: TestResponse): string {
  return decode(headers['content-encoding'], body).toString('utf8');
}

function decode(encoding: string | undefined, body: Buffer): Buffer {
  if (encoding === undefined || body.length === 0) return body;
  switch (encoding) {
    case 'gzip':
      return gunzipSync(body);
    case 'br':
      return brotliDecompressSync(body);
    case 'zstd':
      return zstdDecompressSync(body);
    default:
      throw new Error(`the body has the unknown Content-Encoding ${encoding}`);
  }
}

/** Joins the values of repeated headers. Node's `headers` drops some of these values, and tests must see all. */
function joinHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? '';
    const value = raw[at + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}
