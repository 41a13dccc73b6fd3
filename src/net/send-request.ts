// Sends one HTTP request over a dispatcher, which decides whom it may connect to, and reads the response within limits.
// undici is Node's own HTTP client as a package: its dispatchers decide at connect time, which the built-in one does
// not offer.
import { setMaxListeners } from 'node:events';
import { type Dispatcher, Pool, request } from 'undici';
import { type Failure, fail, stop } from '#model/failure.ts';
import { decodeBody } from './decode-body.ts';
import { explainNetworkError, hasReceived } from './network-error.ts';

export interface HttpLimits {
  readonly connectTimeoutMs: number;
  /** Longest silence while an answer comes. */
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

export interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** If it is left out: GET, or POST where there is a body. */
  readonly method?: Dispatcher.HttpMethod;
  readonly body?: string | Uint8Array | undefined;
  /** Largest body of the answer, before and after decompression. */
  readonly maxBytes: number;
  /** For the whole answer. To connect, and to be silent, the dispatcher has limits of its own. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** An answer of another status is complete once its head is there. */
  readonly needsBody?: (status: number) => boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

/** Maximum size of all headers of a response. Node's fetch allows 16 KB, browsers and curl some 300 KB. */
export const MAX_HEADER_BYTES = 128 * 1_024;

/** Connections to a server that the operator named, wherever it is: what a token names goes through a guarded agent. */
export function openPool(serverUrl: string, { connectTimeoutMs, idleTimeoutMs, totalTimeoutMs }: HttpLimits) {
  const connect = { timeout: connectTimeoutMs };
  const limits = { connect, headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs };
  const pool = new Pool(new URL(serverUrl).origin, { ...limits, maxHeaderSize: MAX_HEADER_BYTES });
  return {
    send: (url: URL, request: Omit<HttpRequest, 'timeoutMs'>) =>
      sendRequest(pool, url, { ...request, timeoutMs: totalTimeoutMs }),
    close: () => pool.destroy(),
  };
}
export type ServerPool = ReturnType<typeof openPool>;

/** Asks for unencoded bodies: documents are small, images are compressed, and an announced length counts the data. */
const HEADERS = { 'user-agent': 'stxpress', 'accept-encoding': 'identity' };
/** Maximum number of kept connections that may turn out to be closed, one after the other. */
const MAX_CLOSED = 3;
const LENGTH_MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE';

export async function sendRequest(
  dispatcher: Dispatcher,
  url: URL,
  { maxBytes, timeoutMs, signal, needsBody = () => true, ...sent }: HttpRequest,
): Promise<HttpResponse | Failure> {
  const { body, method = body === undefined ? 'GET' : 'POST' } = sent;
  const stopped = new AbortController();
  const cancel = () => stopped.abort(stop('connection-failed', `The request to ${url.host} was cancelled.`));
  const late = () => stopped.abort(stop('timeout', `${url.host} did not finish its answer in time.`));
  const timer = setTimeout(late, Math.max(timeoutMs, 0));
  if (signal?.aborted) cancel();
  else if (signal !== undefined) {
    // Each request in progress adds a listener, which is not a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', cancel);
  }
  const options = { dispatcher, method, headers: { ...HEADERS, ...sent.headers }, signal: stopped.signal };
  let response: Dispatcher.ResponseData | undefined;
  try {
    for (let closed = 0; response === undefined; closed++)
      response = await request(url, { ...options, body: body ?? null }).catch((error) => {
        // A server may close a kept connection just as a request is sent on it.
        if (closed === MAX_CLOSED || method !== 'GET' || stopped.signal.aborted || !hasReceived(error)) throw error;
        return undefined;
      });
    const { statusCode: status, headers, body: stream } = response;
    const header = (name: string) => [headers[name]].flat()[0];
    if (!needsBody(status)) return { status, header, body: Buffer.alloc(0) };
    const encoding = [headers['content-encoding'], headers['transfer-encoding']].flat().join(',');
    const encoded = await readBody(stream, Number(header('content-length')), maxBytes);
    return { status, header, body: await decodeBody(encoded, encoding, maxBytes) };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === TOO_LARGE;
    if (isTooLarge) return fail('too-large', `${url.host} answers with more than ${maxBytes} bytes.`);
    return explainNetworkError(error, url.host, response !== undefined);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    // Closes the connection if some of the body is not read.
    response?.body.on('error', () => {}).destroy();
  }
}

/** Throws `TOO_LARGE`, as zlib does, for more than `maxBytes`. The limit of undici holds for all requests of a pool. */
async function readBody(stream: AsyncIterable<Buffer>, announced: number, maxBytes: number): Promise<Buffer> {
  const tooLarge = Object.assign(new Error('too large'), { code: TOO_LARGE });
  if (announced > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    // undici takes blanks after the number in Content-Length for digits.
    const hasAll = (error as NodeJS.ErrnoException).code === LENGTH_MISMATCH && announced === length;
    if (!hasAll) throw error;
  }
  return Buffer.concat(chunks);
}

/** The failure that an error status is, with the time after which the server may be asked again if it names one. */
export function failOfStatus({ status, header }: HttpResponse, message: string): Failure {
  const retryAfterSeconds = parseRetryAfter(header('retry-after'), Date.now());
  const failure = fail(`http-${status}`, message);
  return retryAfterSeconds === undefined ? failure : { ...failure, retryAfterSeconds };
}

/** A server that asks for more than this is asked again after it anyway: limits are by the minute or the hour. */
const MAX_SECONDS = 60 * 60;

/** Retry-After (RFC 9110, 10.2.3) in seconds from `now` (ms since the epoch); undefined if not understood. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  // An HTTP date begins with a day; Date.parse would make one of many other texts.
  const isDate = /^[A-Z][a-z]{2}/.test(text);
  const seconds = /^\d+$/.test(text) ? Number(text) : isDate ? (Date.parse(text) - now) / 1000 : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_SECONDS);
}
