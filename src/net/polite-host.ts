// Sends requests to a server of the operator, each with the secrets of that server, through the queue of its host.
import { type Failure, isFailure } from '#model/failure.ts';
import { type HostLimits, HostQueue } from './host-queue.ts';
import { type HttpLimits, type HttpRequest, type HttpResponse, openPool, type ServerPool } from './send-request.ts';

export interface ServerOptions extends Omit<HostLimits, 'host'> {
  readonly baseUrl: string;
  /** Sent with every request, and never shown. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly limits: HttpLimits;
  /** Aborted to give up everything in flight. */
  readonly signal: AbortSignal;
}

export class PoliteHost implements AsyncDisposable {
  readonly host: string;
  /** Without a slash at its end. */
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

  /** The failure for which the host was given up in this run. */
  get downBecauseOf(): Failure | undefined {
    return this.#queue.downBecauseOf;
  }

  /** Returns `host-held` during a pause that is too long to wait for, and `source-down` once the host is down. */
  ask<T>(
    path: string,
    request: Omit<HttpRequest, 'timeoutMs' | 'signal'>,
    read: (response: HttpResponse) => T | Failure,
    attempts = 1,
  ): Promise<T | Failure> {
    const { signal, secretHeaders } = this.#options;
    const headers = { ...request.headers, ...secretHeaders };
    return this.#queue.ask(async () => {
      const response = await this.#pool.send(new URL(`${this.baseUrl}${path}`), { ...request, headers, signal });
      return isFailure(response) ? response : read(response);
    }, attempts);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.close();
  }

  /** A getter, so that a host that is logged shows no secret. */
  protected get options(): ServerOptions {
    return this.#options;
  }
}
