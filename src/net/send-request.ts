// Sends one HTTP request over a dispatcher, which decides whom it may connect to, and gathers the answer within limits.
// undici is Node's own HTTP client as a package: its dispatchers decide at connect time, which the built-in one does not
// offer. `dispatch` is its lowest level: a node's answer is so small that a stream would take longer than the answer.
import { setMaxListeners } from 'node:events';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface HttpLimits {
  readonly connectTimeoutMs: number;
  /** Longest silence while an answer comes. Like the one above it is kept by the dispatcher. */
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

export interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  readonly body?: string | undefined;
  /** Largest body of the answer, after decompression too. */
  readonly maxBytes: number;
  /** For the whole answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** An answer with another status is given as soon as its head is there, without its body. */
  readonly needsBody?: (status: number) => boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

const USER_AGENT = 'stxpress';
const FIRST_FINAL_STATUS = 200;
/** Some servers compress whatever they are asked for. Nobody compresses twice. */
const DECODERS = new Map<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

export function sendRequest(dispatcher: Dispatcher, url: URL, request: HttpRequest): Promise<HttpResponse | Failure> {
  const { headers, body, maxBytes, timeoutMs, signal, needsBody = () => true } = request;
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let stopped: Error | undefined;
    let status = 0;
    let head: Readonly<Record<string, string | string[] | undefined>> = {};
    const chunks: Buffer[] = [];
    let length = 0;

    const end = (result: HttpResponse | Failure | Promise<HttpResponse | Failure>) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(result);
    };
    /** Closes the connection, or keeps it from being used once it is made. */
    const stop = (result: HttpResponse | Failure) => {
      end(result);
      stopped = new Error('stopped');
      controller?.abort(stopped);
    };
    const onAbort = () => stop(fail('connection-failed', `The request to ${url.host} was cancelled.`));
    const header = (name: string) => [head[name]].flat()[0];

    const timer = setTimeout(
      () => stop(fail('timeout', `${url.host} did not finish its answer in time.`)),
      Math.max(timeoutMs, 0),
    );
    if (signal?.aborted) return onAbort();
    if (signal !== undefined) {
      // Each of the requests at once listens: that is no leak.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', onAbort);
    }
    const options: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: body === undefined ? 'GET' : 'POST',
      // Compressed, an ETag would be another, and a length announced would not be that of the document.
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers },
      body: body ?? null,
    };
    dispatcher.dispatch(options, {
      onRequestStart: (started) => {
        controller = started;
        if (stopped !== undefined) started.abort(stopped);
      },
      onResponseStart: (_, statusCode, responseHeaders) => {
        if (statusCode < FIRST_FINAL_STATUS) return;
        status = statusCode;
        head = responseHeaders;
        if (!needsBody(status)) stop({ status, header, body: Buffer.alloc(0) });
        else if (Number(header('content-length')) > maxBytes) stop(tooLarge(url, maxBytes));
      },
      onResponseData: (_, chunk) => {
        length += chunk.length;
        if (length > maxBytes) stop(tooLarge(url, maxBytes));
        else chunks.push(chunk);
      },
      onResponseEnd: () => {
        const received = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
        const encoding = header('content-encoding');
        if (encoding === undefined || received.length === 0) return end({ status, header, body: received });
        end(
          decompress(received, encoding, maxBytes, url).then((decoded) =>
            isFailure(decoded) ? decoded : { status, header, body: decoded },
          ),
        );
      },
      onResponseError: (_, error) => end(explainNetworkError(error, url.host)),
    });
  });
}

/** The failure of an answer with an error status, and when the server may be asked again if it says so. */
export function failOfStatus({ status, header }: HttpResponse, message: string): Failure {
  const retryAfterSeconds = parseRetryAfter(header('retry-after'), Date.now());
  const failure = fail(`http-${status}`, message);
  return retryAfterSeconds === undefined ? failure : { ...failure, retryAfterSeconds };
}

async function decompress(bytes: Buffer, encoding: string, maxBytes: number, url: URL): Promise<Buffer | Failure> {
  const decode = DECODERS.get(encoding.trim().toLowerCase());
  if (decode === undefined) return bytes;
  try {
    return await decode(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(url, maxBytes) : explainNetworkError(error, url.host);
  }
}

function tooLarge({ host }: URL, maxBytes: number): Failure {
  return fail('too-large', `${host} answers with more than ${maxBytes} bytes.`);
}

/** A refusal of our own to connect may be somewhere inside of what undici gives. */
function explainNetworkError(error: unknown, host: string): Failure {
  let innermost = error;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    innermost = cause;
    if ('failure' in cause && isFailure(cause.failure)) return cause.failure;
    const code = 'code' in cause ? String(cause.code) : '';
    if (/TIMEOUT|TIMEDOUT/.test(code)) return fail('timeout', `${host} was silent for too long.`, error);
    if (/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/.test(code))
      return fail('host-not-found', `${host} is not known to the name service.`, error);
    if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code))
      return fail('tls-error', `${host} has no valid certificate (${code}).`, error);
  }
  const { message = String(error), code } = innermost as Partial<NodeJS.ErrnoException>;
  return fail('connection-failed', `${host} could not be reached: ${message || code}.`, error);
}
