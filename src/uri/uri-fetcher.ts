// Fetches the content of a URI within rate limits. If one gateway fails, tries the next.
import { type Failure, fail, isFailure, wasTried } from '#model/failure.ts';
import type { GuardOptions } from '#net/guarded-agent.ts';
import { createHttpClient, type GetOptions, type HttpClient, type HttpResult } from '#net/http-client.ts';
import { createWebHosts } from '#net/web-hosts.ts';
import { type Gateways, gatewayUrls } from './gateway-urls.ts';

interface FetchOptions<Content> extends GetOptions {
  /** Reads the content from the bytes. If it returns a failure, the next gateway is tried. */
  readonly read?: (bytes: Uint8Array) => Content | Failure | Promise<Content | Failure>;
}

export interface Fetched<Content> extends HttpResult {
  /** The result of `read`. Undefined if the response was not modified, or if there was no `read`. */
  readonly content?: Content;
}

export interface UriFetcher {
  readonly isOffline: boolean;
  fetch<Content>(uri: string, options: FetchOptions<Content>): Promise<Fetched<Content> | Failure>;
}

export const offlineFetcher: UriFetcher = { isOffline: true, fetch: async () => fail('offline') };

interface Failed {
  readonly failure: Failure;
  readonly rank: number;
}

/**
 * Ranks of failures; the failure with the highest rank is returned. Failures of the content rank above failures that a
 * retry may fix.
 */
const RANKS = { final: 0, tooLarge: 1, notTried: 2, retryable: 3, retryableBody: 4, body: 5 };

/** The number of requests of a run that may time out. With the default limits, this takes about eight minutes. */
const MAX_TIMEOUTS = 128;

/**
 * Creates a fetcher. Gateways may be in a private network, to which an untrusted URI must not lead. Only requests
 * through a gateway may reach that network.
 */
export function createUriFetcher(options: GuardOptions & { readonly gateways: Gateways }) {
  const { gateways, limits } = options;
  const bases = [...gateways.ipfs, ...gateways.arweave].map((gateway) => new URL(gateway));
  const hosts = createWebHosts({
    sharedHosts: new Set(bases.map(({ host }) => host)),
    maxFailedMs: MAX_TIMEOUTS * limits.totalTimeoutMs,
  });
  const guarded = createHttpClient({ ...options, hosts });
  const trusted = createHttpClient({ ...options, hosts, allowedServers: bases });

  return {
    isOffline: false,
    /** Returns the first response with the content, or else the most informative failure. */
    async fetch<Content>(uri: string, options: FetchOptions<Content>): Promise<Fetched<Content> | Failure> {
      const urls = gatewayUrls(uri, gateways);
      if (isFailure(urls)) return urls;
      let failed: Failed | undefined;
      for (const { url, content } of urls) {
        const client = content === undefined ? guarded : trusted;
        const result = await fetchFrom(client, url, { ...options, content });
        if (!('failure' in result)) return result;
        if (failed === undefined || result.rank > failed.rank) failed = result;
      }
      return failed?.failure ?? fail('no-gateway');
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([guarded.close(), trusted.close()]);
    },
  };
}

async function fetchFrom<Content>(
  { get }: HttpClient,
  url: string,
  { read, ...options }: FetchOptions<Content>,
): Promise<Fetched<Content> | Failed> {
  const response = await get(url, options);
  if (isFailure(response)) return { failure: response, rank: rankOf(response) };
  if (!response.isModified || read === undefined) return response;
  const content = await read(response.bytes);
  if (!isFailure(content)) return { ...response, content };
  return { failure: content, rank: content.retryable ? RANKS.retryableBody : RANKS.body };
}

function rankOf(failure: Failure): number {
  if (failure.retryable) return wasTried(failure) ? RANKS.retryable : RANKS.notTried;
  return failure.code === 'too-large' ? RANKS.tooLarge : RANKS.final;
}
