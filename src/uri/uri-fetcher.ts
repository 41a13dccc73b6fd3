// Fetches the content of a URI within rate limits; if one gateway fails, tries the next one.
import { type Failure, fail, isFailure, wasTried } from '#model/failure.ts';
import { type GuardOptions, portOf } from '#net/guarded-agent.ts';
import { createHttpClient, type GetOptions, type HttpAnswer } from '#net/http-client.ts';
import { createWebHosts } from '#net/web-hosts.ts';
import { type Gateways, gatewayUrls } from './gateway-urls.ts';

export interface UriFetcher {
  readonly isOffline: boolean;
  fetch(uri: string, options: GetOptions): Promise<HttpAnswer | Failure>;
}

export const offlineFetcher: UriFetcher = { isOffline: true, fetch: async () => fail('offline') };

/** Number of requests in a run that may use their whole time without a result: about eight minutes by default. */
const LOST_REQUESTS = 128;

/** Only requests through a gateway reach the gateways' hosts, so nothing of a stranger's can reach a private one. */
export function createUriFetcher(options: GuardOptions & { readonly gateways: Gateways }) {
  const { gateways, allowedHosts, limits } = options;
  const bases = [...gateways.ipfs, ...gateways.arweave].map((gateway) => new URL(gateway));
  const gatewayHosts = bases.map((url) => `${url.hostname}:${portOf(url)}`);
  const hosts = createWebHosts({
    sharedHosts: new Set(bases.map(({ host }) => host)),
    maxLostMs: LOST_REQUESTS * limits.totalTimeoutMs,
  });
  const guarded = createHttpClient({ ...options, hosts });
  const trusted = createHttpClient({ ...options, hosts, allowedHosts: [...allowedHosts, ...gatewayHosts] });

  /** Returns the first successful response, or else the failure most worth a retry. */
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
    [Symbol.asyncDispose]: async () => {
      await Promise.all([guarded.close(), trusted.close()]);
    },
  };
}

/** Ranks a failure by how much it is worth a retry: highest if a request was made. */
function worthOf(failure: Failure): number {
  if (!failure.retryable) return 0;
  return wasTried(failure) ? 2 : 1;
}
