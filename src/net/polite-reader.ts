// Reads paths of one server. Retries failed requests until the server counts as down.

import { type Failure, stop } from '#model/failure.ts';
import { shorten } from '#text/quote.ts';
import { PoliteHost } from './polite-host.ts';
import { failureOfStatus, type HttpResponse } from './send-request.ts';

const ATTEMPTS = 4;
const MAX_BYTES = 20_000_000;
/** The maximum length of a URL of a server in a message. */
const MAX_SHOWN = 200;
/** True for statuses that describe the state of the server rather than the requested path. */
const isOverloaded = (status: number) => status === 429 || status === 408 || status >= 500;

export class PoliteReader extends PoliteHost {
  #hasResponded = false;

  /**
   * Reads a path without a leading slash. `check` returns a failure for an invalid response. Throws FailureError if the
   * first response redirects to another server or requires a login, since all later responses would do the same.
   */
  read(
    path: string,
    check: (response: HttpResponse) => Failure | undefined = () => undefined,
    maxBytes = MAX_BYTES,
  ): Promise<HttpResponse | Failure> {
    const read = (response: HttpResponse) => {
      const { status } = response;
      if (!isOverloaded(status)) {
        if (!this.#hasResponded) this.#checkFirstResponse(response, path);
        this.#hasResponded = true;
        return check(response) ?? response;
      }
      return { ...failureOfStatus(response, `${this.host} responded with status ${status}.`), retryable: true };
    };
    return this.request(`/${path}`, { headers: { accept: '*/*' }, maxBytes }, read, ATTEMPTS);
  }

  #checkFirstResponse({ status, header }: HttpResponse, path: string): void {
    const requested = new URL(`${this.baseUrl}/${path}`);
    const location = header('location') ?? '';
    const target = status >= 300 && status < 400 ? URL.parse(location, requested.href) : null;
    if (target !== null && target.origin !== requested.origin)
      throw stop(
        `http-${status}`,
        `${this.host} redirects to ${shorten(target.href, MAX_SHOWN)}. Pass the new address instead.`,
      );
    if (status === 401) throw stop('http-401', `${this.host} requires a key or a password (status 401).`);
  }
}
