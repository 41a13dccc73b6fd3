// Makes the means to fetch metadata documents from the settings of a command.
import type { DocumentSource } from '#indexer/index-options.ts';
import { stop } from '#model/failure.ts';
import type { HttpLimits } from '#net/send-request.ts';
import { createUriFetcher } from '#uri/uri-fetcher.ts';
import type { FETCH_OPTIONS } from './options.ts';
import { readUrl } from './read-url.ts';
import type { Settings } from './setting.ts';

type FetchSettings = Settings<typeof FETCH_OPTIONS>;

const IPFS_GATEWAYS = ['https://ipfs.io', 'https://dweb.link'];
const ARWEAVE_GATEWAYS = ['https://arweave.net'];

/** Throws FailureError `usage` for a gateway or host that is none. `close` ends its connections. */
export function createDocumentSource(settings: FetchSettings): DocumentSource & { close(): Promise<void> } {
  const fetcher = createUriFetcher({
    limits: readLimits(settings),
    allowedHosts: settings.allowHost.map(readHost),
    gateways: {
      ipfs: readGateways('--ipfs-gateway', settings.ipfsGateway, IPFS_GATEWAYS),
      arweave: readGateways('--arweave-gateway', settings.arweaveGateway, ARWEAVE_GATEWAYS),
    },
  });
  return { fetcher, maxDocumentBytes: settings.maxDocumentBytes, close: fetcher.close };
}

export function readLimits(
  settings: Pick<FetchSettings, 'connectTimeout' | 'idleTimeout' | 'totalTimeout'>,
): HttpLimits {
  return {
    connectTimeoutMs: settings.connectTimeout * 1000,
    idleTimeoutMs: settings.idleTimeout * 1000,
    totalTimeoutMs: settings.totalTimeout * 1000,
  };
}

function readGateways(flag: string, given: readonly string[], byDefault: readonly string[]): readonly string[] {
  return given.length === 0 ? byDefault : given.map((text) => readUrl(flag, text, 'https://ipfs.io'));
}

function readHost(text: string): string {
  const url = URL.parse(`http://${text}`);
  if (url === null || url.pathname !== '/' || url.username !== '' || url.search !== '')
    throw stop(
      'usage',
      `--allow-host is ${JSON.stringify(text)}, and takes a host or host:port, such as gateway.example:8080`,
    );
  // Not url.host, which forgets a port that is the scheme's own, and would open every port.
  const port = /:(\d+)$/.exec(text)?.[1];
  return port === undefined ? url.hostname : `${url.hostname}:${Number(port)}`;
}
