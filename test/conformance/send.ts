// Sends one request exactly as it is written, as a hostile client may: no path is tidied up, no redirect followed,
// nothing decompressed.
import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

const TIMEOUT_MS = 20_000;

export interface Asked {
  /** GET, if it is left out. */
  readonly method?: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  /** By lower-case name; a header that came twice has both values, with a comma between them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function send(origin: string, { method = 'GET', path, headers = {} }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    // A connection of its own: a server that was stopped leaves no open one behind.
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
      sent.destroy(new Error(`no answer to ${method} ${path} within ${TIMEOUT_MS / 1000} seconds`)),
    );
    sent.once('error', reject);
    sent.end();
  });
}

/** The body as text, decompressed by what its Content-Encoding says. */
export function bodyText({ headers, body }: Answered): string {
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

/** Node's own reading drops the second of two equal headers, which a test must see. */
function joinHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? '';
    const value = raw[at + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}
