// Requests paths of a server that the operator configured: a node, an API or a site. A queue limits the requests to its
// host.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { isHtmlPage } from '#text/html-page.ts';
import { hasMoreValuesThan, parseJson } from '#text/parse-json.ts';
import { excerpt } from '#text/quote.ts';
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
  /** The option that passes the key of the server, for messages. Undefined for a server without a key. */
  readonly keyFlag?: '--api-key' | '--node-auth' | undefined;
  /** Aborted to cancel all requests in progress. */
  readonly signal: AbortSignal;
}

interface GetOptions {
  /** The statuses that answer the request. The default is 200 and 404. */
  readonly answers?: ReadonlySet<number>;
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
const ANSWERS: ReadonlySet<number> = new Set([200, 404]);

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
    this.#pool = openPool(options.limits);
    this.#queue = new HostQueue({ ...options, host: this.host });
  }

  /** The failure that marked the host as down; undefined while requests are sent. */
  get downBecauseOf(): Failure | undefined {
    return this.#queue.downBecauseOf;
  }

  /** Requests a path. Retries temporary failures until the server counts as down. */
  get(
    path: string,
    { answers = ANSWERS, check, maxBytes = MAX_BYTES, isContent }: GetOptions = {},
  ): Promise<HttpResponse | Failure> {
    const read = (response: HttpResponse) =>
      answers.has(response.status) ? (check?.(response) ?? response) : this.#refusalOf(response, path);
    return this.#request(path, { headers: { accept: '*/*' }, maxBytes, isContent }, read, ATTEMPTS);
  }

  /**
   * Requests JSON, without a retry. Removes the secrets of the operator from the response. All failures are retryable,
   * since the work of an index waits until the server responds.
   */
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
    const result = await this.#request(path, request, (response) => this.#readJson(response, path, maxValues));
    if (!isFailure(result)) return result;
    // A response that is too large is unusable, but the next response may be smaller.
    return result.code === 'too-large' ? fail('source-invalid', result.message) : { ...result, retryable: true };
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

  #readJson(response: HttpResponse, path: string, maxValues: number): JsonResponse | Failure {
    const { status, body } = response;
    if (!JSON_STATUSES.has(status)) return this.#refusalOf(response, path);
    // A server may repeat the secrets that it received. They are removed, so that they are neither stored nor shown.
    const text = this.#withoutSecrets(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
    const json = parseJson(text);
    if (hasMoreValuesThan(json, maxValues))
      return fail('source-invalid', `The response of ${this.host} contains more than ${maxValues} values.`);
    const isPage = isHtmlPage(text);
    if (status === 200 ? json !== undefined : !isPage) {
      this.#hasResponded = true;
      return { status, json, text };
    }
    const content = isPage ? 'an HTML page' : 'content that is not JSON';
    const message = `${this.baseUrl}${path} returned ${content} (status ${status}).`;
    // An API may return such a page for a moment.
    if (this.#hasResponded) return fail('source-invalid', message);
    return fail('not-an-api', `${message} Pass the URL of a Stacks node or API, such as https://api.hiro.so.`);
  }

  /** Returns the failure for a status that does not answer a request. */
  #refusalOf(response: HttpResponse, path: string): Failure {
    const { status, header, body } = response;
    const text = this.#withoutSecrets(body.toString('utf8'));
    const reason = isHtmlPage(text) || text.trim() === '' ? '' : `: ${excerpt(text, MAX_SHOWN)}`;
    const message = `${this.host} responded with status ${status}${reason}.`;
    return failureOfStatus(response, `${message}${this.#adviceFor(status, header('location'), path)}`);
  }

  #adviceFor(status: number, location: string | undefined, path: string): string {
    const { keyFlag } = this.#options;
    if (status === 401 || status === 403) return keyFlag === undefined ? '' : ` Check ${keyFlag}.`;
    if (status === 429)
      return ` Reduce the number of requests with --rate${keyFlag === '--api-key' ? ', or pass --api-key' : ''}.`;
    if (status < 300 || status >= 400) return '';
    if (location === undefined) return ' It redirects to nowhere.';
    const target = URL.parse(location, `${this.baseUrl}${path}`)?.href ?? location;
    const url = target.endsWith(path) ? target.slice(0, -path.length) : target;
    return ` It redirects to ${excerpt(this.#withoutSecrets(url), MAX_SHOWN)}. Pass that URL instead.`;
  }

  #withoutSecrets(text: string): string {
    // Skips short values, which are not secrets and would match by accident.
    const secrets = Object.values(this.#options.secretHeaders).filter((secret) => secret.length >= MIN_SECRET_LENGTH);
    return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  }
}
