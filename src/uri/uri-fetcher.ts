// Fetches what a URI points to, politely; where it needs a gateway, the next one is tried when one fails.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { type GuardOptions, portOf } from '#net/guarded-agent.ts';
import { createHttpClient, type GetOptions, type HttpAnswer } from '#net/http-client.ts';
import { PoliteHost } from '#net/polite-host.ts';
import { type Gateways, gatewayUrls } from './gateway-urls.ts';

export interface UriFetcher {
  fetch(uri: string, options: GetOptions): Promise<HttpAnswer | Failure>;
}

/** Asks nobody. */
export const offlineFetcher: UriFetcher = { fetch: async () => fail('offline') };

export interface UriFetcherOptions extends GuardOptions {
  readonly gateways: Gateways;
}

/** Enough for a gateway, few enough for a stranger. */
const REQUESTS_PER_HOST = 8;

/**
 * Every URI may reach `allowedHosts`; only what goes through a gateway may reach the gateways' hosts, so a document or
 * a stranger's redirect cannot reach a private one. `close` ends its connections.
 */
export function createUriFetcher(options: UriFetcherOptions): UriFetcher & { close(): Promise<void> } {
  const { gateways, allowedHosts } = options;
  const gatewayHosts = [...gateways.ipfs, ...gateways.arweave].map((gateway) => {
    const url = new URL(gateway);
    return `${url.hostname}:${portOf(url)}`;
  });
  const guarded = createHttpClient(options);
  const trusted = createHttpClient({ ...options, allowedHosts: [...allowedHosts, ...gatewayHosts] });
  const hosts = new Map<string, PoliteHost>();
  const hostOf = (url: string): PoliteHost => {
    const { host } = new URL(url);
    const known = hosts.get(host) ?? new PoliteHost(host, { concurrency: REQUESTS_PER_HOST });
    hosts.set(host, known);
    return known;
  };

  /** The answer of the first URL that gives one, else the failure that is most worth a retry. */
  const fetch: UriFetcher['fetch'] = async (uri, getOptions) => {
    const urls = gatewayUrls(uri, gateways);
    if (isFailure(urls)) return urls;
    let failure: Failure | undefined;
    for (const { url, trusted: isTrusted } of urls) {
      const client = isTrusted ? trusted : guarded;
      const answer = await hostOf(url).ask(() => client.get(url, getOptions), getOptions.signal);
      if (!isFailure(answer)) return answer;
      if (failure === undefined || (answer.retryable && !failure.retryable)) failure = answer;
    }
    return failure ?? fail('no-gateway');
  };
  return {
    fetch,
    close: async () => {
      await Promise.all([guarded.close(), trusted.close()]);
    },
  };
}
