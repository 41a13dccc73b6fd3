// Requests paths of a server that the operator configured: a node, an API or a site. A queue limits the requests to its
// host.
import { type Failure, fail, isFailure, stop } from '#model/failure.ts';
import { isHtmlPage } from '#text/html-page.ts';
import { hasMoreValuesThan, parseJson } from '#text/parse-json.ts';
import { excerpt, shorten } from '#text/quote.ts';
import { type HostLimits, HostQueue } from './host-queue.ts';
import {
  failureOfStatus,
  type HttpLimits,
  type HttpRequest,
  type HttpResponse,
  openPool,
  type ServerPool,
} from './send-request.ts';

export interface ServerOptions extends Omit<HostLimits, 'host'> {
  readonly baseUrl: string;
  /** Headers with secrets. They are sent with every request, and are not shown. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly limits: HttpLimits;
  /** Aborted to cancel all requests in progress. */
  readonly signal: AbortSignal;
}

interface GetOptions {
  /** Returns a failure for an invalid response, which is then retried if the failure is retryable. */
  readonly check?: (response: HttpResponse) => Failure | undefined;
  readonly maxBytes?: number;
  readonly isContent?: HttpRequest['isContent'];
}

interface JsonLimits {
  readonly maxBytes?: number;
  /** The maximum number of values. */
  readonly maxValues?: number;
}

interface JsonResponse {
  /** 200, 400 or 404. */
  readonly status: number;
  /** Undefined if the body is not JSON. */
  readonly json: unknown;
  readonly text: string;
}

const ATTEMPTS = 4;
const MAX_BYTES = 20_000_000;
/** Enough for a contract's source with escapes, since a transaction has at most 2 MB, and for a Clarity value as hex. */
const MAX_JSON_BYTES = 5_000_000;
/** The largest interface of a token on mainnet has 5,000 values. */
const MAX_JSON_VALUES = 100_000;
/** The maximum length of a text or a URL of a server in a message. */
const MAX_SHOWN = 200;
const MIN_SECRET_LENGTH = 8;
const BYTE_ORDER_MARK = /^\uFEFF/;
/** Statuses that answer a request for JSON. Any other status describes the state of the server. */
const JSON_STATUSES: ReadonlySet<number> = new Set([200, 400, 404]);
/** True for statuses that describe the state of the server rather than the requested path. */
const isOverloaded = (status: number) => status === 429 || status === 408 || status >= 500;

export class ServerClient implements AsyncDisposable {
  readonly host: string;
  /** The base URL without a trailing slash. */
  readonly baseUrl: string;
  /** Private, so that logging this object does not print the secrets. */
  readonly #options: ServerOptions;
  readonly #pool: ServerPool;
  readonly #queue: HostQueue;
  #hasResponded = false;

  constructor(options: ServerOptions) {
    this.host = new URL(options.baseUrl).host;
    this.baseUrl = options.baseUrl.replace(/\/$/, '');
    this.#options = options;
    this.#pool = openPool(options.baseUrl, options.limits);
    this.#queue = new HostQueue({ ...options, host: this.host });
  }

  /** The failure that marked the host as down; undefined while requests are sent. */
  get downBecauseOf(): Failure | undefined {
    return this.#queue.downBecauseOf;
  }

  /**
   * Requests a path. Retries failed requests until the server counts as down. Throws FailureError if the first response
   * redirects to another server or requires a login, since all later responses would do the same.
   */
  get(path: string, { check, maxBytes = MAX_BYTES, isContent }: GetOptions = {}): Promise<HttpResponse | Failure> {
    const read = (response: HttpResponse) => {
      const { status } = response;
      if (isOverloaded(status))
        return { ...failureOfStatus(response, `${this.host} responded with status ${status}.`), retryable: true };
      if (!this.#hasResponded) this.#checkFirstResponse(response, path);
      this.#hasResponded = true;
      return check?.(response) ?? response;
    };
    return this.#request(path, { headers: { accept: '*/*' }, maxBytes, isContent }, read, ATTEMPTS);
  }

  /** Requests JSON, without a retry. Removes the secrets of the operator from the response. */
  getJson(path: string, limits?: JsonLimits): Promise<JsonResponse | Failure> {
    return this.#requestJson(path, {}, limits);
  }

  /** Posts JSON, and reads the response like `getJson`. */
  postJson(path: string, json: unknown): Promise<JsonResponse | Failure> {
    return this.#requestJson(path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.close();
  }

  async #requestJson(
    path: string,
    { headers, body }: Partial<Pick<HttpRequest, 'headers' | 'body'>>,
    { maxBytes = MAX_JSON_BYTES, maxValues = MAX_JSON_VALUES }: JsonLimits = {},
  ): Promise<JsonResponse | Failure> {
    const request = { headers: { accept: 'application/json', ...headers }, body, maxBytes };
    const result = await this.#request(path, request, (response) => this.#readJson(response, maxValues));
    // A response that is too large is unusable, but the next response may be smaller.
    return isFailure(result) && result.code === 'too-large' ? fail('source-invalid', result.message) : result;
  }

  /** Returns `host-held` during a pause that is too long to wait for, and `source-down` once the host is down. */
  #request<T>(
    path: string,
    request: Pick<HttpRequest, 'headers' | 'body' | 'maxBytes' | 'isContent'>,
    read: (response: HttpResponse) => T | Failure,
    attempts = 1,
  ): Promise<T | Failure> {
    const { signal, secretHeaders } = this.#options;
    const headers = { ...request.headers, ...secretHeaders };
    return this.#queue.runWithRetries(async () => {
      const response = await this.#pool.send(new URL(`${this.baseUrl}${path}`), { ...request, headers, signal });
      return isFailure(response) ? response : read(response);
    }, attempts);
  }

  #checkFirstResponse({ status, header }: HttpResponse, path: string): void {
    const requested = new URL(`${this.baseUrl}${path}`);
    const location = header('location') ?? '';
    const target = isRedirect(status) ? URL.parse(location, requested.href) : null;
    if (target !== null && target.origin !== requested.origin)
      throw stop(
        `http-${status}`,
        `${this.host} redirects to ${shorten(target.href, MAX_SHOWN)}. Pass the new address instead.`,
      );
    if (status === 401) throw stop('http-401', `${this.host} requires a key or a password (status 401).`);
  }

  #readJson(response: HttpResponse, maxValues: number): JsonResponse | Failure {
    const { status, header, body } = response;
    const { host } = this;
    // A server may repeat the secrets that it received. They are removed, so that they are neither stored nor shown.
    const text = this.#withoutSecrets(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
    const json = parseJson(text);
    if (hasMoreValuesThan(json, maxValues))
      return fail('source-invalid', `The response of ${host} contains more than ${maxValues} values.`);
    const isPage = isHtmlPage(text);
    if (status === 200 ? json !== undefined : JSON_STATUSES.has(status) && !isPage) return { status, json, text };
    if (JSON_STATUSES.has(status)) {
      const content = isPage ? 'an HTML page' : 'content that is not JSON';
      return fail('source-invalid', `${host} responded with ${content}, status ${status}.`);
    }
    const reason = isPage || text.trim() === '' ? '' : `: ${excerpt(text, MAX_SHOWN)}`;
    const location = excerpt(this.#withoutSecrets(header('location') ?? 'nowhere'), MAX_SHOWN);
    const message = `${host} responded with status ${status}${reason}.${this.#adviceFor(status, location)}`;
    // A retry may succeed, since the state of the server may change.
    return { ...failureOfStatus(response, message), retryable: true };
  }

  #adviceFor(status: number, location: string): string {
    const flag = 'authorization' in this.#options.secretHeaders ? '--node-auth' : '--api-key';
    if (status === 401 || status === 403) return ` Check ${flag}.`;
    if (status === 429) return ' Reduce the number of requests with --rate, or pass --api-key.';
    return isRedirect(status) ? ` It redirects to ${location}. Pass that URL instead.` : '';
  }

  #withoutSecrets(text: string): string {
    // Skips short values, which are not secrets and would match by accident.
    const secrets = Object.values(this.#options.secretHeaders).filter((secret) => secret.length >= MIN_SECRET_LENGTH);
    return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
