// Sends requests, with secrets, to a server that the operator configured. A queue limits the requests to its host.
import { type Failure, isFailure } from '#model/failure.ts';
import { type HostLimits, HostQueue } from './host-queue.ts';
import { type HttpLimits, type HttpRequest, type HttpResponse, openPool, type ServerPool } from './send-request.ts';

export interface ServerOptions extends Omit<HostLimits, 'host'> {
  readonly baseUrl: string;
  /** Headers with secrets. They are sent with every request, and are not shown. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly limits: HttpLimits;
  /** Aborted to cancel all requests in progress. */
  readonly signal: AbortSignal;
}

export class PoliteHost implements AsyncDisposable {
  readonly host: string;
  /** The base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly #options: ServerOptions;
  readonly #pool: ServerPool;
  readonly #queue: HostQueue;

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
   * Sends a request. Returns `host-held` during a pause that is too long to wait for, and `source-down` once the host
   * is down.
   */
  request<T>(
    path: string,
    options: Omit<HttpRequest, 'timeoutMs' | 'signal'>,
    read: (response: HttpResponse) => T | Failure,
    attempts = 1,
  ): Promise<T | Failure> {
    const { signal, secretHeaders } = this.#options;
    const headers = { ...options.headers, ...secretHeaders };
    return this.#queue.runWithRetries(async () => {
      const response = await this.#pool.send(new URL(`${this.baseUrl}${path}`), { ...options, headers, signal });
      return isFailure(response) ? response : read(response);
    }, attempts);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.close();
  }

  /** A getter, so that logging this object does not print the secrets. */
  protected get options(): ServerOptions {
    return this.#options;
  }
}
