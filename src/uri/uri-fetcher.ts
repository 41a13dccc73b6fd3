// Fetches the content of a URI within rate limits; if one gateway fails, tries the next one.
import { type Failure, fail, isFailure, wasTried } from '#model/failure.ts';
import type { GuardOptions } from '#net/guarded-agent.ts';
import { createHttpClient, type GetOptions, type HttpClient, type HttpResult } from '#net/http-client.ts';
import { createWebHosts } from '#net/web-hosts.ts';
import { type Gateways, gatewayUrls } from './gateway-urls.ts';

export interface FetchOptions<Content> extends GetOptions {
  /** Reads the content from the bytes. A gateway whose bytes are not the content has failed. */
  readonly read?: (bytes: Uint8Array) => Content | Failure | Promise<Content | Failure>;
}

export interface Fetched<Content> extends HttpResult {
  /** Undefined if it was not modified, or if nobody reads it. */
  readonly content?: Content;
}

export interface UriFetcher {
  readonly isOffline: boolean;
  fetch<Content>(uri: string, options: FetchOptions<Content>): Promise<Fetched<Content> | Failure>;
}

export const offlineFetcher: UriFetcher = { isOffline: true, fetch: async () => fail('offline') };

interface Failed {
  readonly failure: Failure;
  /** True if a body came that is not the content. */
  readonly hasBody: boolean;
  readonly worth: number;
}

/** The rank of a failure: by its information about the content, then by the chance of a retry. */
const WORTH = { final: 0, tooLarge: 1, notTried: 2, retryable: 3, doubtfulBody: 4, body: 5 };

/** Number of requests in a run that may use their whole time without a result: about eight minutes by default. */
const LOST_REQUESTS = 128;

/** Only requests through a gateway reach the gateways' hosts, so nothing of a stranger's can reach a private one. */
export function createUriFetcher(options: GuardOptions & { readonly gateways: Gateways }) {
  const { gateways, limits } = options;
  const bases = [...gateways.ipfs, ...gateways.arweave].map((gateway) => new URL(gateway));
  const hosts = createWebHosts({
    sharedHosts: new Set(bases.map(({ host }) => host)),
    maxLostMs: LOST_REQUESTS * limits.totalTimeoutMs,
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
      for (const { url, content, alternatives = [] } of urls) {
        const client = content === undefined ? guarded : trusted;
        for (const each of [url, ...alternatives]) {
          const result = await fetchFrom(client, each, { ...options, content });
          if (!('failure' in result)) return result;
          if (failed === undefined || result.worth > failed.worth) failed = result;
          // Another reading of the path may exist, or may be a file instead of a folder.
          if (!result.hasBody && result.failure.code !== 'http-404') break;
        }
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
  if (isFailure(response)) return { failure: response, hasBody: false, worth: worthOf(response) };
  if (!response.isModified || read === undefined) return response;
  const content = await read(response.bytes);
  if (!isFailure(content)) return { ...response, content };
  return { failure: content, hasBody: true, worth: content.retryable ? WORTH.doubtfulBody : WORTH.body };
}

function worthOf(failure: Failure): number {
  if (failure.retryable) return wasTried(failure) ? WORTH.retryable : WORTH.notTried;
  return failure.code === 'too-large' ? WORTH.tooLarge : WORTH.final;
}
