// Opens the node and the API that a command's settings name, or that an earlier run of the index was given.

import { stop } from '#model/failure.ts';
import { isOwnHost } from '#net/is-own-host.ts';
import { JsonClient } from '#net/json-client.ts';
import type { HttpLimits } from '#net/send-request.ts';
import { ChainSource } from '#source/chain-source.ts';
import type { SourceUrls } from '#store/index-info.ts';
import type { SOURCE_OPTIONS } from './options.ts';
import { readUrl } from './read-url.ts';
import type { Settings } from './setting.ts';

type SourceSettings = Settings<typeof SOURCE_OPTIONS>;

/** Requests a minute that the public API grants without a key, and with one. */
const PUBLIC_RATE = 50;
const PUBLIC_RATE_WITH_KEY = 500;

interface OpenSource {
  readonly source: ChainSource;
  /** One line for each server: how often it is asked. */
  readonly description: readonly string[];
  close(): Promise<void>;
}

/** The URLs that the settings give. Throws FailureError `usage` for one that is none, and for a key that is none. */
export function readSourceUrls({ nodeUrl, apiUrl, apiKey }: SourceSettings): SourceUrls {
  checkKey(apiKey);
  const read = (flag: string, text: string | undefined) =>
    text === undefined ? undefined : readUrl(flag, text, 'https://api.hiro.so');
  return { nodeUrl: read('--node-url', nodeUrl), apiUrl: read('--api-url', apiUrl) };
}

/** Throws FailureError `usage`. */
export function checkKey(apiKey: string | undefined): void {
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw stop('usage', '--api-key has characters that no key has. Give it as it was issued.');
}

/** Undefined if there is neither a node nor an API. */
export async function openSource(
  { nodeUrl, apiUrl }: SourceUrls,
  settings: SourceSettings,
  limits: HttpLimits,
  signal: AbortSignal,
): Promise<OpenSource | undefined> {
  const { apiKey, concurrency, wait, rate } = settings;
  const description: string[] = [];
  const open = async (url: string, key: string | undefined): Promise<JsonClient> => {
    const requestsPerMinute = rate ?? (await defaultRate(url, key));
    description.push(
      requestsPerMinute === undefined
        ? `Asking ${url} as fast as it answers (--rate sets a limit).`
        : `Asking ${url} at most ${requestsPerMinute} times a minute (--rate sets another limit).`,
    );
    return new JsonClient({
      baseUrl: url,
      secretHeaders: key === undefined ? {} : { 'x-api-key': key },
      limits,
      concurrency,
      requestsPerMinute,
      patienceMs: wait * 1000,
      signal,
    });
  };
  const api = apiUrl === undefined ? undefined : await open(apiUrl, apiKey);
  // The key is the API's; a node gets it only if there is no API that it could be for.
  const keyOfNode = api === undefined ? apiKey : undefined;
  const node = nodeUrl === undefined || nodeUrl === apiUrl ? api : await open(nodeUrl, keyOfNode);
  if (node === undefined) return undefined;
  return {
    source: new ChainSource({ api, node }),
    description,
    close: async () => {
      for (const client of new Set([api, node])) await client?.close();
    },
  };
}

/** Requests a minute; undefined for a server of one's own. */
export async function defaultRate(url: string, key: string | undefined): Promise<number | undefined> {
  if (await isOwnHost(new URL(url).hostname)) return undefined;
  return key === undefined ? PUBLIC_RATE : PUBLIC_RATE_WITH_KEY;
}
