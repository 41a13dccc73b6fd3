// Creates the network clients that the settings of a command describe: for a node, an API, a site, and documents.

import type { DocumentSource } from '#indexer/index-options.ts';
import { stop } from '#model/failure.ts';
import { isPrivateHost } from '#net/address-guard.ts';
import type { HttpLimits } from '#net/send-request.ts';
import { ServerClient, type ServerOptions } from '#net/server-client.ts';
import { openChainSource } from '#source/chain-source.ts';
import type { SourceUrls } from '#store/index-info.ts';
import { createUriFetcher } from '#uri/uri-fetcher.ts';
import type { FETCH_OPTIONS, READING_OPTIONS, SOURCE_OPTIONS } from './network-options.ts';

import { readUrl } from './read-url.ts';
import type { Settings } from './setting.ts';
import type { Context } from './surroundings.ts';

type SourceSettings = Settings<typeof SOURCE_OPTIONS>;

/** Requests per minute that the public API allows without a key. */
const PUBLIC_RATE = 50;
const PUBLIC_RATE_WITH_KEY = 500;
/** The time limits to connect, between two pieces of a response, and for a complete response. */
const LIMITS: HttpLimits = { connectTimeoutMs: 10_000, idleTimeoutMs: 30_000, totalTimeoutMs: 60_000 };
/** The maximum size of a decompressed document. */
export const MAX_DOCUMENT_BYTES = 1_000_000;

/** Returns the URLs in the settings. Throws FailureError `usage` for an invalid URL or key. */
export function readSourceUrls({ nodeUrl, apiUrl, apiKey }: SourceSettings): SourceUrls {
  checkKey(apiKey);
  const read = (flag: string, text: string | undefined) =>
    text === undefined ? undefined : readUrl(flag, text, 'https://api.hiro.so');
  return { nodeUrl: read('--node-url', nodeUrl), apiUrl: read('--api-url', apiUrl) };
}

/** Throws FailureError `usage` if the key cannot be sent in a header. */
export function checkKey(apiKey: string | undefined): void {
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw stop('usage', '--api-key contains invalid characters. Pass the key exactly as issued.');
}

/** Opens clients of the node and the API, and reports the request rate of each. Returns undefined without any URL. */
export async function openSource(
  { nodeUrl, apiUrl }: SourceUrls,
  settings: SourceSettings,
  { reporter, signal }: Context,
) {
  const open = async (url: string, key: string | undefined): Promise<ServerClient> => {
    const rate = settings.rate ?? (await defaultRate(url, key));
    reporter.info(
      rate === undefined
        ? `No rate limit for ${url} (set one with --rate).`
        : `Rate limit for ${url}: ${rate} requests per minute (change it with --rate).`,
    );
    return new ServerClient(serverOptions(url, { ...settings, rate }, signal, key));
  };
  const api = apiUrl === undefined ? undefined : await open(apiUrl, settings.apiKey);
  // The key is for the API. A node receives it only if there is no API.
  const keyOfNode = api === undefined ? settings.apiKey : undefined;
  const node = nodeUrl === undefined || nodeUrl === apiUrl ? api : await open(nodeUrl, keyOfNode);
  return node && openChainSource({ api, node });
}

/** Returns the default number of requests per minute; undefined (no limit) for a server in a private network. */
export async function defaultRate(url: string, key: string | undefined): Promise<number | undefined> {
  if (await isPrivateHost(new URL(url).hostname)) return undefined;
  return key === undefined ? PUBLIC_RATE : PUBLIC_RATE_WITH_KEY;
}

/** Returns the options of a client for a server. `key` is sent as x-api-key. */
export function serverOptions(
  baseUrl: string,
  settings: Settings<typeof READING_OPTIONS>,
  signal: AbortSignal,
  key?: string | undefined,
): ServerOptions {
  const { concurrency, rate: requestsPerMinute, wait } = settings;
  const secretHeaders = key === undefined ? {} : { 'x-api-key': key };
  const patienceMs = wait * 1000;
  const server = { baseUrl, secretHeaders, keyFlag: '--api-key' as const, limits: LIMITS };
  return { ...server, concurrency, requestsPerMinute, patienceMs, signal };
}

type FetchSettings = Settings<typeof FETCH_OPTIONS>;

const IPFS_GATEWAYS = ['https://ipfs.io', 'https://dweb.link'];
const ARWEAVE_GATEWAYS = ['https://arweave.net'];

/** Creates the client that fetches documents and images. Throws FailureError `usage` for an invalid gateway or host. */
export function createDocumentSource(settings: FetchSettings): DocumentSource & AsyncDisposable {
  const fetcher = createUriFetcher({
    limits: LIMITS,
    allowedHosts: settings.allowHost.map(readHost),
    gateways: {
      ipfs: readGateways('--ipfs-gateway', settings.ipfsGateway, IPFS_GATEWAYS),
      arweave: readGateways('--arweave-gateway', settings.arweaveGateway, ARWEAVE_GATEWAYS),
    },
  });
  return { fetcher, maxDocumentBytes: MAX_DOCUMENT_BYTES, [Symbol.asyncDispose]: fetcher[Symbol.asyncDispose] };
}

function readGateways(flag: string, urls: readonly string[], byDefault: readonly string[]): readonly string[] {
  return urls.length === 0 ? byDefault : urls.map((text) => readUrl(flag, text, 'https://ipfs.io'));
}

function readHost(text: string): string {
  const url = URL.parse(`http://${text}`);
  if (url === null || url.pathname !== '/' || url.username !== '' || url.search !== '')
    throw stop(
      'usage',
      `--allow-host is ${JSON.stringify(text)}. Use a host or host:port, such as gateway.example:8080`,
    );
  // Reads the port from the text, since `url.host` omits a default port. A host without a port allows every port.
  const port = /:(\d+)$/.exec(text)?.[1];
  return port === undefined ? url.hostname : `${url.hostname}:${Number(port)}`;
}
