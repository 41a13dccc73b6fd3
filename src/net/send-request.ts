// Sends one HTTP request over a dispatcher, which decides whom it may connect to, and gathers the answer within limits.
// undici is Node's own HTTP client as a package: its dispatchers decide at connect time, which the built-in one does
// not offer. `dispatch` is its lowest level: a stream for a node's small answer would cost more than the answer.
import { setMaxListeners } from 'node:events';
import { type Dispatcher, Pool } from 'undici';
import { type Failure, fail } from '#model/failure.ts';
import { DecodeError, decodeBody } from './decode-body.ts';
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

const USER_AGENT = 'stxpress';
const FIRST_FINAL_STATUS = 200;
/** Maximum number of kept connections that may turn out to be closed, one after the other. */
const MAX_CLOSED = 3;
const LENGTH_MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

export function sendRequest(dispatcher: Dispatcher, url: URL, request: HttpRequest): Promise<HttpResponse | Failure> {
  const { headers, method, body, maxBytes, timeoutMs, signal, needsBody = () => true } = request;
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let stopped: Error | undefined;
    let status = 0;
    let head: Readonly<Record<string, string | string[] | undefined>> = {};
    const header = (name: string) => [head[name]].flat()[0];
    const chunks: Buffer[] = [];
    let length = 0;
    let closed = 0;

    const end = (result: HttpResponse | Failure | Promise<HttpResponse | Failure>) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      resolve(result);
    };
    const finish = () => {
      const encoding = [head['content-encoding'], head['transfer-encoding']].flat().join(',');
      end(decode({ status, header, body: Buffer.concat(chunks) }, encoding, url.host, maxBytes));
    };
    /** Ends before the server does: its connection is closed, now or as soon as there is one. */
    const stop = (result: HttpResponse | Failure) => {
      end(result);
      stopped = new Error('stopped');
      controller?.abort(stopped);
    };
    const late = () => stop(fail('timeout', `${url.host} did not finish its answer in time.`));
    const cancel = () => stop(fail('connection-failed', `The request to ${url.host} was cancelled.`));

    const timer = setTimeout(late, Math.max(timeoutMs, 0));
    if (signal?.aborted) return cancel();
    if (signal !== undefined) {
      // Every request in flight listens: that is no leak.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', cancel);
    }
    const options: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      // Documents are small, images are compressed by themselves, and a length announced is that of the document.
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers },
      body: body ?? null,
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        if (stopped !== undefined) started.abort(stopped);
      },
      onResponseStart: (_, statusCode, responseHeaders) => {
        if (statusCode < FIRST_FINAL_STATUS) return;
        status = statusCode;
        head = responseHeaders;
        if (!needsBody(status)) stop({ status, header, body: Buffer.alloc(0) });
        else if (Number(header('content-length')) > maxBytes) stop(tooLarge(url.host, maxBytes));
      },
      onResponseData: (_, chunk) => {
        length += chunk.length;
        if (length > maxBytes) stop(tooLarge(url.host, maxBytes));
        else chunks.push(chunk);
      },
      onResponseEnd: finish,
      onResponseError: (_, error) => {
        // undici takes blanks after the number in Content-Length for digits.
        const hasAll = 'code' in error && error.code === LENGTH_MISMATCH && Number(header('content-length')) === length;
        const canRetry = closed < MAX_CLOSED && status === 0 && options.method === 'GET' && stopped === undefined;
        if (hasAll) finish();
        else if (canRetry && hasReceived(error)) {
          // A server may close a kept connection just as a request is sent on it.
          closed++;
          dispatcher.dispatch(options, handler);
        } else end(explainNetworkError(error, url.host, status !== 0));
      },
    };
    dispatcher.dispatch(options, handler);
  });
}

/** The failure that an error status is, with the time after which the server may be asked again if it names one. */
export function failOfStatus({ status, header }: HttpResponse, message: string): Failure {
  const retryAfterSeconds = parseRetryAfter(header('retry-after'), Date.now());
  const failure = fail(`http-${status}`, message);
  return retryAfterSeconds === undefined ? failure : { ...failure, retryAfterSeconds };
}

async function decode(response: HttpResponse, encoding: string, host: string, maxBytes: number) {
  try {
    return { ...response, body: await decodeBody(response.body, encoding, maxBytes) };
  } catch (error) {
    const isTooLarge = error instanceof DecodeError && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? tooLarge(host, maxBytes) : explainNetworkError(error, host, true);
  }
}

function tooLarge(host: string, maxBytes: number): Failure {
  return fail('too-large', `${host} answers with more than ${maxBytes} bytes.`);
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
