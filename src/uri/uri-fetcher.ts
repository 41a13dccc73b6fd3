// Fetches what a URI points to, through the guarded client or, by way of a gateway, the trusted one; the next gateway is tried when one fails.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { HostGate } from '#net/host-gate.ts';
import type { GetOptions, HttpAnswer, HttpClient } from '#net/http-client.ts';
import { type Gateways, gatewayUrls } from './gateway-urls.ts';

export interface UriFetcherOptions {
  readonly guarded: HttpClient;
  readonly trusted: HttpClient;
  readonly gateways: Gateways;
  readonly gate: HostGate;
}

export class UriFetcher {
  readonly #options: UriFetcherOptions;

  constructor(options: UriFetcherOptions) {
    this.#options = options;
  }

  /** The answer of the first URL that gives one, else the failure that is most worth a retry. */
  async fetch(uri: string, options: GetOptions): Promise<HttpAnswer | Failure> {
    const { guarded, trusted, gateways, gate } = this.#options;
    const urls = gatewayUrls(uri, gateways);
    if (isFailure(urls)) return urls;
    let failure: Failure | undefined;
    for (const { url, trusted: isTrusted } of urls) {
      if (!URL.canParse(url)) return fail('not-a-uri');
      const answer = await gate.run(new URL(url).host, () => (isTrusted ? trusted : guarded).get(url, options));
      if (!isFailure(answer)) return answer;
      if (failure === undefined || (answer.retryable && !failure.retryable)) failure = answer;
    }
    return failure ?? fail('no-gateway');
  }
}
