// Makes the node and the API that are asked from the settings of a command, or from what an earlier run of the index was given.
import { stop } from '#model/failure.ts';
import type { HttpLimits } from '#net/http-client.ts';
import { isOwnHost } from '#net/is-own-host.ts';
import { JsonClient } from '#net/json-client.ts';
import { ChainSource } from '#source/chain-source.ts';
import type { SourceUrls } from '#store/source-urls.ts';
import type { SOURCE_OPTIONS } from './options.ts';
import type { Settings } from './setting.ts';

export type SourceSettings = Settings<typeof SOURCE_OPTIONS>;

/** What the public API grants without a key, and with one. */
const PUBLIC_RATE = 50;
const PUBLIC_RATE_WITH_KEY = 500;

export interface OpenSource {
  readonly source: ChainSource;
  /** A line a server: how often it is asked. */
  readonly description: readonly string[];
  close(): Promise<void>;
}

/** The URLs that the settings give, without a slash at their end. Throws FailureError `usage` for one that is none, and for a key that is none. */
export function readSourceUrls({
  nodeUrl,
  apiUrl,
  apiKey,
}: Pick<SourceSettings, 'nodeUrl' | 'apiUrl' | 'apiKey'>): SourceUrls {
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw stop('usage', '--api-key has characters that no key has. Give it as it was issued.');
  return { nodeUrl: readUrl('--node-url', nodeUrl), apiUrl: readUrl('--api-url', apiUrl) };
}

/** Undefined if there is neither a node nor an API. */
export async function openSource(
  { nodeUrl, apiUrl }: SourceUrls,
  settings: SourceSettings,
  limits: HttpLimits,
  signal: AbortSignal,
): Promise<OpenSource | undefined> {
  const { apiKey, concurrency, wait } = settings;
  const description: string[] = [];
  const clients = new Map<string, JsonClient>();
  const open = async (url: string, key: string | undefined) => {
    const known = clients.get(url);
    if (known !== undefined) return known;
    const requestsPerMinute = settings.rate ?? (await defaultRate(url, key));
    description.push(
      requestsPerMinute === undefined
        ? `Asking ${url} as fast as it answers (--rate sets a limit).`
        : `Asking ${url} at most ${requestsPerMinute} times a minute (--rate sets another limit).`,
    );
    const secretHeaders = key === undefined ? {} : { 'x-api-key': key };
    const patienceMs = wait * 1000;
    const client = new JsonClient({
      baseUrl: url,
      secretHeaders,
      limits,
      concurrency,
      requestsPerMinute,
      patienceMs,
      signal,
    });
    clients.set(url, client);
    return client;
  };
  const api = apiUrl === undefined ? undefined : await open(apiUrl, apiKey);
  // The key is the API's; a node gets it only where there is no API that it could be for.
  const node = nodeUrl === undefined ? api : await open(nodeUrl, api === undefined ? apiKey : undefined);
  if (node === undefined) return undefined;
  return {
    source: new ChainSource({ api, node }),
    description,
    close: async () => {
      for (const client of clients.values()) await client.close();
    },
  };
}

async function defaultRate(url: string, key: string | undefined): Promise<number | undefined> {
  if (await isOwnHost(new URL(url).hostname)) return undefined;
  return key === undefined ? PUBLIC_RATE : PUBLIC_RATE_WITH_KEY;
}

function readUrl(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // Not shown: what is in it may be a secret.
  if (text.includes('@')) {
    throw stop(
      'usage',
      `${flag} carries a user name or password, which would be stored in the index. Give a key with --api-key.`,
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw stop(
      'usage',
      `${flag} is ${JSON.stringify(text)}, and takes an http or https URL, such as https://api.hiro.so`,
    );
  }
  return url.href.replace(/\/+$/, '');
}
