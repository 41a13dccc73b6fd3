// Gets bytes over HTTP within limits; whom it may connect to is the dispatcher's question.
// undici is Node's own HTTP client as a package: its Agent decides at connect time, which the built-in one does not offer.
import { type Dispatcher, fetch, type Response } from 'undici';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface HttpLimits {
  readonly connectTimeoutMs: number;
  /** Longest silence while an answer comes. */
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

export const DEFAULT_LIMITS: HttpLimits = { connectTimeoutMs: 10_000, idleTimeoutMs: 30_000, totalTimeoutMs: 60_000 };

export interface GetOptions {
  /** Largest body, after decompression. */
  readonly maxBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  /** 200, or 304 for a conditional request. */
  readonly status: number;
  readonly bytes: Uint8Array;
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface HttpClient {
  get(url: string, options: GetOptions): Promise<HttpAnswer | Failure>;
  close(): Promise<void>;
}

/** Follows this many redirects, each checked like the first URL. */
const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
export const USER_AGENT = 'stxpress';

/** `checkUrl` is asked for every URL, redirects included, before anything is sent there. */
export async function getOverHttp(
  url: string,
  { maxBytes, headers = {}, signal }: GetOptions,
  limits: HttpLimits,
  dispatcher: Dispatcher,
  checkUrl: (url: URL) => Failure | undefined,
): Promise<HttpAnswer | Failure> {
  const timeout = AbortSignal.timeout(limits.totalTimeoutMs);
  const both = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  let next = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!URL.canParse(next)) return fail('not-a-uri', `${quote(next)} is no URL.`);
    const target = new URL(next);
    const refused = checkUrl(target);
    if (refused !== undefined) return refused;
    try {
      const response = await fetch(target.href, {
        dispatcher,
        redirect: 'manual',
        signal: both,
        // Of a compressed answer that was cut off, its decompression does not tell.
        headers: { 'User-Agent': USER_AGENT, 'Accept-Encoding': 'identity', ...headers },
      });
      if (REDIRECT_STATUSES.has(response.status)) {
        await response.body?.cancel();
        const location = response.headers.get('location');
        if (location === null || !URL.canParse(location, target.href)) return fail('redirect-invalid');
        next = new URL(location, target).href;
        continue;
      }
      const isConditional = 'If-None-Match' in headers || 'If-Modified-Since' in headers;
      return await readAnswer(response, maxBytes, isConditional);
    } catch (error) {
      return explainNetworkError(error, target, timeout);
    }
  }
  return fail('redirect-limit', `${quote(url)} redirects more than ${MAX_REDIRECTS} times.`);
}

async function readAnswer(response: Response, maxBytes: number, isConditional: boolean): Promise<HttpAnswer | Failure> {
  // "As you have it" is no answer to who has nothing.
  if (response.status !== 200 && !(response.status === 304 && isConditional)) {
    await response.body?.cancel();
    const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after') ?? undefined, Date.now());
    const failure = fail(`http-${response.status}`, `The server answered with status ${response.status}.`);
    return retryAfterSeconds === undefined ? failure : { ...failure, retryAfterSeconds };
  }
  const announced = Number(response.headers.get('content-length') ?? 0);
  const encoded = response.headers.has('content-encoding');
  if (!encoded && announced > maxBytes) {
    await response.body?.cancel();
    return tooLarge(maxBytes);
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) return tooLarge(maxBytes);
    parts.push(chunk);
  }
  const etag = response.headers.get('etag');
  const lastModified = response.headers.get('last-modified');
  return {
    status: response.status,
    bytes: Buffer.concat(parts),
    ...(etag === null ? {} : { etag }),
    ...(lastModified === null ? {} : { lastModified }),
  };
}

function tooLarge(maxBytes: number): Failure {
  return fail('too-large', `The answer is larger than ${maxBytes} bytes.`);
}

/** fetch wraps what went wrong in layers; a Failure of our own connector is somewhere inside. */
export function explainNetworkError(error: unknown, url: URL, timeout?: AbortSignal): Failure {
  if (timeout?.aborted) return fail('timeout', `${url.host} did not finish its answer in time.`, error);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('failure' in cause && isFailure(cause.failure)) return cause.failure;
    const code = 'code' in cause ? String(cause.code) : '';
    if (/TIMEOUT|TIMEDOUT/.test(code)) return fail('timeout', `${url.host} was silent for too long.`, error);
    if (/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/.test(code))
      return fail('host-not-found', `${url.host} is not known to the name service.`, error);
    if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code))
      return fail('tls-error', `${url.host} has no valid certificate (${code}).`, error);
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return fail(
    'connection-failed',
    `${url.host} could not be reached: ${cause instanceof Error ? cause.message : String(cause)}.`,
    error,
  );
}

function quote(url: string): string {
  return JSON.stringify(url.length > 80 ? `${url.slice(0, 80)}…` : url);
}
