// Reads paths of one server, politely: what fails is asked for again, until the server is given up.

import { type Failure, isFailure } from '#model/failure.ts';
import { PoliteHost, type Politeness } from './polite-host.ts';
import { failOfStatus, type HttpLimits, type HttpResponse } from './send-request.ts';
import { ServerPool } from './server-pool.ts';

export interface ReaderOptions extends Politeness {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: HttpLimits;
  /** Aborted to give up everything in flight. */
  readonly signal: AbortSignal;
}

const ATTEMPTS = 4;
const MAX_BYTES = 20_000_000;
/** With these a server says something about itself. */
const isOwnTrouble = (status: number) => status === 429 || status === 408 || status >= 500;

export class PoliteReader {
  readonly #options: ReaderOptions;
  readonly #host: PoliteHost;
  readonly #pool: ServerPool;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#host = new PoliteHost(new URL(options.baseUrl).host, options);
    this.#pool = new ServerPool(options.baseUrl, options.limits);
  }

  /** `path`: without a slash at its beginning. `check` says what is wrong with an answer that has come. */
  async read(
    path: string,
    check: (response: HttpResponse) => Failure | undefined = () => undefined,
  ): Promise<HttpResponse | Failure> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#host.ask(() => this.#send(path, check), this.#options.signal);
      const isOver = attempt === ATTEMPTS || this.#options.signal.aborted || this.#host.downBecauseOf !== undefined;
      if (!isFailure(answer) || !answer.retryable || isOver) return answer;
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #send(path: string, check: (response: HttpResponse) => Failure | undefined): Promise<HttpResponse | Failure> {
    const { baseUrl, headers, signal } = this.#options;
    const url = new URL(`${baseUrl}/${path}`);
    const response = await this.#pool.send(url, { headers, maxBytes: MAX_BYTES, signal });
    if (isFailure(response)) return response;
    const { status } = response;
    if (isOwnTrouble(status))
      return { ...failOfStatus(response, `${url.host} answers with status ${status}.`), retryable: true };
    return check(response) ?? response;
  }
}
