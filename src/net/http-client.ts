// Fetches the bytes at a URL over guarded connections. Each redirect is checked and rate-limited like the first URL.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { quote } from '#text/quote.ts';
import { createGuardedAgent, type GuardOptions } from './guarded-agent.ts';
import { failOfStatus, type HttpResponse, sendRequest } from './send-request.ts';
import type { AskOptions, WebHosts } from './web-hosts.ts';

export interface GetOptions extends AskOptions {
  /** Maximum body size after decompression. */
  readonly maxBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpAnswer {
  /** 200, or 304 for a conditional request. */
  readonly status: number;
  readonly bytes: Uint8Array;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const OK = 200;
const NOT_MODIFIED = 304;

export function createHttpClient(options: GuardOptions & { readonly hosts: WebHosts }) {
  const { hosts, limits } = options;
  const agent = createGuardedAgent(options);

  const get = async (
    url: string,
    { maxBytes, headers = {}, content, signal }: GetOptions,
  ): Promise<HttpAnswer | Failure> => {
    const first = URL.parse(url);
    // Validators are of the URL that gave them: another one, to which it redirects now, may use the same.
    const isFirst = (target: URL) => target.href === first?.href;
    // Total time of all requests, without the time spent waiting for their turn.
    let timeoutMs = limits.totalTimeoutMs;
    const send = async (target: URL): Promise<HttpResponse | Failure> => {
      const own = isFirst(target) ? headers : {};
      const isConditional = 'If-None-Match' in own || 'If-Modified-Since' in own;
      const start = performance.now();
      const response = await sendRequest(agent, target, {
        headers: { accept: '*/*', ...own },
        maxBytes,
        timeoutMs,
        signal,
        needsBody: (status) => status === OK || status === NOT_MODIFIED,
      });
      timeoutMs -= performance.now() - start;
      if (isFailure(response)) return response;
      const { status } = response;
      // "Not modified" is not a valid response to an unconditional request.
      const isAnswer = status === OK || REDIRECT_STATUSES.has(status) || (status === NOT_MODIFIED && isConditional);
      return isAnswer ? response : failOfStatus(response, `${target.host} answered with status ${status}.`);
    };
    let next = first;
    if (next === null) return fail('not-a-uri', `${quote(url)} is not a URL.`);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (next.protocol !== 'http:' && next.protocol !== 'https:')
        return fail('unsupported-scheme', `URLs with the scheme ${next.protocol} are not fetched.`);
      if (next.username !== '' || next.password !== '') return fail('credentials-refused');
      const target: URL = next;
      const response: HttpResponse | Failure = await hosts.ask(target, () => send(target), { content, signal });
      if (isFailure(response)) return response;
      const { status, header, body } = response;
      if (REDIRECT_STATUSES.has(status)) {
        const location = header('location');
        next = location === undefined ? null : URL.parse(location, next.href);
        if (next === null) return fail('redirect-invalid');
        continue;
      }
      const validator = (name: string) => (isFirst(target) ? header(name) : undefined);
      return { status, bytes: body, etag: validator('etag'), lastModified: validator('last-modified') };
    }
    return fail('redirect-limit', `${quote(url)} redirects more than ${MAX_REDIRECTS} times.`);
  };
  return { get, close: () => agent.destroy() };
}
