// Sends one HTTP request and reads the response within limits. The package undici is used, since a dispatcher of undici
// can check an address when it connects. Node's built-in client cannot do that.
import { lookup } from 'node:dns';
import { setMaxListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { type Failure, fail, isFailure, stop } from '#model/failure.ts';
import { decodeBody } from './decode-body.ts';
import { type Connect, MAX_HEADER_BYTES, type OpenResponse, requestLeniently } from './lenient-request.ts';
import { explainNetworkError, hasReceived, isUnreadable } from './network-error.ts';

export interface HttpLimits {
  readonly connectTimeoutMs: number;
  /** The maximum time between two parts of a response. */
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

export interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** The default is POST for a request with a body, and GET otherwise. */
  readonly method?: Dispatcher.HttpMethod;
  readonly body?: string | Uint8Array | undefined;
  /** The maximum size of the response body, before and after decompression. */
  readonly maxBytes: number;
  /**
   * The maximum time until the response is complete. The dispatcher limits the time to connect and the time between
   * parts.
   */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Returns true if the body of a response with this status is read. For other statuses, only the head is read. */
  readonly needsBody?: (status: number) => boolean;
  /**
   * Returns true if the sent bytes are the content. Their Content-Encoding is then ignored, since some servers label
   * compressed files with the encoding of the file.
   */
  readonly isContent?: ((sent: Buffer) => boolean) | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

/** The ways to connect to servers. */
export interface Connections {
  readonly dispatcher: Dispatcher;
  /** Connects for a response that the dispatcher cannot read. Makes the same checks as the dispatcher. */
  readonly connect: Connect;
  /** The maximum time between two parts of a response that comes through `connect`. */
  readonly idleTimeoutMs: number;
}

/**
 * Looks up any name. Resolves subdomains of `localhost`, which some resolvers do not know, to this machine (RFC 6761).
 */
export const lookupAnywhere: LookupFunction = (name, options, callback) =>
  lookup(name.endsWith('.localhost') ? 'localhost' : name, options, callback);

/**
 * Opens connections to servers that the operator configured, which may have any address. Requests for URLs of tokens use
 * a guarded agent instead.
 */
export function openPool({ connectTimeoutMs, idleTimeoutMs, totalTimeoutMs }: HttpLimits) {
  const connect = { timeout: connectTimeoutMs, lookup: lookupAnywhere };
  const limits = { connect, headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs };
  const dispatcher = new Agent({ ...limits, maxHeaderSize: MAX_HEADER_BYTES });
  const connections = { dispatcher, connect: buildConnector({ ...connect, allowH2: false }), idleTimeoutMs };
  return {
    send: async (url: URL, request: Omit<HttpRequest, 'timeoutMs'>): Promise<HttpResponse | Failure> => {
      const response = await sendRequest(connections, url, { ...request, timeoutMs: totalTimeoutMs });
      const isUnknown = isFailure(response) && response.code === 'host-not-found';
      return isUnknown ? { ...response, message: `${response.message} Check the URL and the network.` } : response;
    },
    close: () => dispatcher.destroy(),
  };
}
export type ServerPool = ReturnType<typeof openPool>;

/**
 * Requests unencoded bodies: documents are small, images are compressed, and Content-Length is then the size of the
 * data.
 */
const HEADERS = { 'user-agent': 'stxpress', 'accept-encoding': 'identity' };
/** The maximum number of consecutive attempts that fail because an idle connection was closed. */
const MAX_CLOSED = 3;
const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE';

/**
 * Sends a request and returns its response, or a failure. A GET request whose response undici cannot read is sent once
 * more, to read the response leniently within the same time.
 */
export async function sendRequest(
  connections: Connections,
  url: URL,
  { maxBytes, timeoutMs, signal, needsBody = () => true, isContent = () => false, ...options }: HttpRequest,
): Promise<HttpResponse | Failure> {
  const { body, method = body === undefined ? 'GET' : 'POST' } = options;
  const stopped = new AbortController();
  const cancel = () => stopped.abort(stop('connection-failed', `The request to ${url.host} was cancelled.`));
  const timeOut = () => stopped.abort(stop('timeout', `${url.host} did not complete the response in time.`));
  const timer = setTimeout(timeOut, Math.max(timeoutMs, 0));
  if (signal?.aborted) cancel();
  else if (signal !== undefined) {
    // Each request in progress adds a listener, so many listeners are not a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', cancel);
  }
  const sent = { method, headers: { ...HEADERS, ...options.headers }, body: body ?? null, signal: stopped.signal };
  let response: OpenResponse | undefined;
  const read = async (opened: Promise<OpenResponse>): Promise<HttpResponse> => {
    response = await opened;
    const { status, fields } = response;
    const header = (name: string) => fields(name)[0];
    if (!needsBody(status)) return { status, header, body: Buffer.alloc(0) };
    const bytes = await readBody(response.body, Number(header('content-length')), maxBytes);
    const encoding = isContent(bytes) ? '' : fields('content-encoding').join();
    return { status, header, body: await decodeBody(bytes, encoding, maxBytes) };
  };
  try {
    return await read(open(connections.dispatcher, url, sent)).catch((error) => {
      if (method !== 'GET' || !isUnreadable(error)) throw error;
      response = undefined;
      return read(requestLeniently(connections.connect, url, sent.headers, { ...connections, signal: stopped.signal }));
    });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === TOO_LARGE;
    if (isTooLarge) return fail('too-large', `The response of ${url.host} is larger than ${maxBytes} bytes.`);
    return explainNetworkError(error, url.host, response !== undefined);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    response?.close();
  }
}

/** Sends a request again if the server closed an idle connection at the moment when the request was sent on it. */
async function open(
  dispatcher: Dispatcher,
  url: URL,
  sent: Pick<Dispatcher.RequestOptions, 'body' | 'headers'> & {
    readonly method: Dispatcher.HttpMethod;
    readonly signal: AbortSignal;
  },
): Promise<OpenResponse> {
  for (let closed = 0; ; closed++) {
    try {
      const { statusCode, headers, body } = await request(url, { dispatcher, ...sent });
      const fields = (name: string) => [headers[name] ?? []].flat();
      return { status: statusCode, fields, body, close: () => body.on('error', () => {}).destroy() };
    } catch (error) {
      const isOver = closed === MAX_CLOSED || sent.method !== 'GET' || sent.signal.aborted || isUnreadable(error);
      if (isOver || !hasReceived(error as Error)) throw error;
    }
  }
}

/**
 * Reads a body. Throws an error with zlib's code `TOO_LARGE` if the body exceeds `maxBytes`. A limit in undici would
 * apply to all requests of a pool.
 */
async function readBody(stream: AsyncIterable<Buffer>, announced: number, maxBytes: number): Promise<Buffer> {
  const tooLarge = Object.assign(new Error('too large'), { code: TOO_LARGE });
  if (announced > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Returns the failure for an error status. Includes the time after which the server accepts requests again, if the
 * response has it.
 */
export function failureOfStatus({ status, header }: HttpResponse, message: string): Failure {
  const retryAfterSeconds = parseRetryAfter(header('retry-after'), Date.now());
  const failure = fail(`http-${status}`, message);
  return retryAfterSeconds === undefined ? failure : { ...failure, retryAfterSeconds };
}

/** The maximum pause from a Retry-After header, in seconds. Rate limits are per minute or per hour. */
const MAX_SECONDS = 60 * 60;

/**
 * Converts a Retry-After header (RFC 9110, 10.2.3) to a number of seconds after `now`, a time in ms since the epoch.
 * Returns undefined for an invalid header.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  // An HTTP date begins with a day. Date.parse would also accept many other strings.
  const isDate = /^[A-Z][a-z]{2}/.test(text);
  const seconds = /^\d+$/.test(text) ? Number(text) : isDate ? (Date.parse(text) - now) / 1000 : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_SECONDS);
}
