// Sends a request exactly as written, as a hostile client may. Does not normalise paths, follow redirects or decompress
// bodies.
import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

const TIMEOUT_MS = 20_000;

export interface TestRequest {
  /** GET by default. */
  readonly method?: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestResponse {
  readonly status: number;
  /** Values by lower-case name. Values of a repeated header are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function send(origin: string, { method = 'GET', path, headers = {} }: TestRequest): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    // Every request has a new connection, so that none stays open when a server stops.
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

/** Returns the body as text, decompressed according to its Content-Encoding. */
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

/** Joins all headers, because Node's `headers` drops some repeated ones, which tests must see. */
function joinHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? '';
    const value = raw[at + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}
