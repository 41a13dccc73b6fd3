// Reads paths of one server, politely: what fails is asked for again, until the server is given up.

import { type Failure, stop } from '#model/failure.ts';
import { PoliteHost } from './polite-host.ts';
import { failOfStatus, type HttpResponse } from './send-request.ts';

const ATTEMPTS = 4;
const MAX_BYTES = 20_000_000;
/** With these a server says something about itself. */
const isOverloaded = (status: number) => status === 429 || status === 408 || status >= 500;

export class PoliteReader extends PoliteHost {
  #hasResponded = false;

  /**
   * `path`: without a slash at its beginning. `check` says what is wrong with an answer that has come. Throws
   * FailureError where the first one sends to another server, or lets nobody in: all others would.
   */
  read(
    path: string,
    check: (response: HttpResponse) => Failure | undefined = () => undefined,
  ): Promise<HttpResponse | Failure> {
    const read = (response: HttpResponse) => {
      const { status } = response;
      if (!isOverloaded(status)) {
        if (!this.#hasResponded) this.#checkLetsIn(response, path);
        this.#hasResponded = true;
        return check(response) ?? response;
      }
      return { ...failOfStatus(response, `${this.host} answers with status ${status}.`), retryable: true };
    };
    return this.ask(`/${path}`, { headers: { accept: 'application/json' }, maxBytes: MAX_BYTES }, read, ATTEMPTS);
  }

  #checkLetsIn({ status, header }: HttpResponse, path: string): void {
    const asked = new URL(`${this.baseUrl}/${path}`);
    const location = header('location') ?? '';
    const target = status >= 300 && status < 400 ? URL.parse(location, asked.href) : null;
    if (target !== null && target.origin !== asked.origin)
      throw stop(`http-${status}`, `${this.host} redirects to ${target.origin}. Name the server there instead.`);
    if (status === 401) throw stop('http-401', `${this.host} answers no one without a key or a password (status 401).`);
  }
}
