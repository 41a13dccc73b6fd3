// Fetches what a URI points to, politely; where it needs a gateway, the next one is tried when one fails.
import { type Failure, fail, isFailure, wasTried } from '#model/failure.ts';
import { type GuardOptions, portOf } from '#net/guarded-agent.ts';
import { createHttpClient, type GetOptions, type HttpAnswer } from '#net/http-client.ts';
import { WebHosts } from '#net/web-hosts.ts';
import { type Gateways, gatewayUrls } from './gateway-urls.ts';

export interface UriFetcher {
  /** Whether nothing is ever fetched. */
  readonly isOffline: boolean;
  fetch(uri: string, options: GetOptions): Promise<HttpAnswer | Failure>;
}

/** Asks nobody. */
export const offlineFetcher: UriFetcher = { isOffline: true, fetch: async () => fail('offline') };

export interface UriFetcherOptions extends GuardOptions {
  readonly gateways: Gateways;
}

/** So many requests of a run may take all their time and give nothing: about eight minutes, by default. */
const LOST_REQUESTS = 128;

/**
 * Every URI may reach `allowedHosts`; only what goes through a gateway may reach the gateways' hosts, so a document or
 * a stranger's redirect cannot reach a private one. `close` ends its connections.
 */
export function createUriFetcher(options: UriFetcherOptions): UriFetcher & { close(): Promise<void> } {
  const { gateways, allowedHosts, limits } = options;
  const bases = [...gateways.ipfs, ...gateways.arweave].map((gateway) => new URL(gateway));
  const gatewayHosts = bases.map((url) => `${url.hostname}:${portOf(url)}`);
  const hosts = new WebHosts({
    sharedHosts: new Set(bases.map(({ host }) => host)),
    maxLostMs: LOST_REQUESTS * limits.totalTimeoutMs,
  });
  const guarded = createHttpClient({ ...options, hosts });
  const trusted = createHttpClient({ ...options, hosts, allowedHosts: [...allowedHosts, ...gatewayHosts] });

  /** The answer of the first URL that gives one, else the failure that is most worth a retry. */
  const fetch: UriFetcher['fetch'] = async (uri, getOptions) => {
    const urls = gatewayUrls(uri, gateways);
    if (isFailure(urls)) return urls;
    let failure: Failure | undefined;
    for (const { url, content } of urls) {
      const client = content === undefined ? guarded : trusted;
      const answer = await client.get(url, { ...getOptions, content });
      if (!isFailure(answer)) return answer;
      if (failure === undefined || worthOf(answer) > worthOf(failure)) failure = answer;
    }
    return failure ?? fail('no-gateway');
  };
  return {
    isOffline: false,
    fetch,
    close: async () => {
      await Promise.all([guarded.close(), trusted.close()]);
    },
  };
}

/** How much a failure is worth a retry: most where a host was asked. */
function worthOf(failure: Failure): number {
  if (!failure.retryable) return 0;
  return wasTried(failure) ? 2 : 1;
}
