// Fetches the bytes at a URL over guarded connections. Each redirect is checked and rate-limited like the first URL.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { quote } from '#text/quote.ts';
import { createGuardedAgent, type GuardOptions } from './guarded-agent.ts';
import { failureOfStatus, type HttpResponse, sendRequest } from './send-request.ts';
import type { RequestOptions, WebHosts } from './web-hosts.ts';

export interface GetOptions extends RequestOptions {
  /** The maximum size of the body after decompression. */
  readonly maxBytes: number;
  /** Validators of an earlier response, for a conditional request. */
  readonly known?: Validators | undefined;
}

export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface HttpResult extends Validators {
  readonly isModified: boolean;
  readonly bytes: Uint8Array;
}

const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);
const NOT_MODIFIED = 304;
/** True for every status of success. The caller checks whether the body is the wanted content. */
const isSuccess = (status: number) => status >= 200 && status < 300;

export type HttpClient = ReturnType<typeof createHttpClient>;

/** Creates a client that fetches URLs. Requests are limited by the queue of each host. */
export function createHttpClient(options: GuardOptions & { readonly hosts: WebHosts }) {
  const { hosts, limits } = options;
  const connections = createGuardedAgent(options);

  const get = async (
    url: string,
    { maxBytes, known = {}, content, signal }: GetOptions,
  ): Promise<HttpResult | Failure> => {
    const first = URL.parse(url);
    // Sends validators only to the first URL, which returned them. The target of a redirect may use equal validators
    // for other content.
    const isFirst = (target: URL) => target.href === first?.href;
    // The time left for all requests, excluding the time spent waiting in queues.
    let timeoutMs = limits.totalTimeoutMs;
    const send = async (target: URL): Promise<HttpResponse | Failure> => {
      const conditional = isFirst(target) ? conditions(known) : {};
      const isConditional = Object.keys(conditional).length > 0;
      const start = performance.now();
      const response = await sendRequest(connections, target, {
        headers: { accept: '*/*', ...conditional },
        maxBytes,
        timeoutMs,
        signal,
        needsBody: (status) => isSuccess(status) || status === NOT_MODIFIED,
      });
      timeoutMs -= performance.now() - start;
      if (isFailure(response)) return response;
      const { status } = response;
      // "Not modified" is not a valid response to an unconditional request.
      const isExpected =
        isSuccess(status) || REDIRECT_STATUSES.has(status) || (status === NOT_MODIFIED && isConditional);
      return isExpected ? response : failureOfStatus(response, `${target.host} responded with status ${status}.`);
    };
    let next = first;
    if (next === null) return fail('not-a-uri', `${quote(url)} is not a URL.`);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (next.protocol !== 'http:' && next.protocol !== 'https:')
        return fail('unsupported-scheme', `URLs with the scheme ${next.protocol} are not supported.`);
      if (next.username !== '' || next.password !== '') return fail('credentials-refused');
      const target: URL = next;
      const response: HttpResponse | Failure = await hosts.request(target, () => send(target), { content, signal });
      if (isFailure(response)) return response;
      const { status, header, body } = response;
      if (REDIRECT_STATUSES.has(status)) {
        const location = encodeBytes(header('location') ?? '');
        next = location === '' ? null : URL.parse(location, next.href);
        if (next === null) return fail('redirect-invalid', describeRedirect(target.host, location));
        continue;
      }
      const validator = (name: string) => (isFirst(target) ? header(name) : undefined);
      return {
        isModified: status !== NOT_MODIFIED,
        bytes: body,
        etag: validator('etag'),
        lastModified: validator('last-modified'),
      };
    }
    return fail('redirect-limit', `${quote(url)} redirects more than ${MAX_REDIRECTS} times.`);
  };
  return { get, close: () => connections.dispatcher.destroy() };
}

/** Percent-encodes non-ASCII bytes, as browsers do. URLs in headers are usually UTF-8. */
function encodeBytes(latin1: string): string {
  return latin1.replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

function describeRedirect(host: string, location: string): string {
  return location === '' ? `${host} redirects without a location.` : `${host} redirects to ${quote(location)}.`;
}

function conditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === undefined ? {} : { 'If-None-Match': etag }),
    ...(lastModified === undefined ? {} : { 'If-Modified-Since': lastModified }),
  };
}
