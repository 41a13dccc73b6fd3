// Makes the means to fetch metadata documents from the settings of a command.
import type { DocumentSource } from '#indexer/jobs/fetch-documents.ts';
import { stop } from '#model/failure.ts';
import { createHttpClient } from '#net/create-http-client.ts';
import { HostGate } from '#net/host-gate.ts';
import type { HttpLimits } from '#net/http-client.ts';
import { UriFetcher } from '#uri/uri-fetcher.ts';
import type { FETCH_OPTIONS } from './options.ts';
import type { Settings } from './setting.ts';

export type FetchSettings = Settings<typeof FETCH_OPTIONS>;

const IPFS_GATEWAYS = ['https://ipfs.io', 'https://dweb.link'];
const ARWEAVE_GATEWAYS = ['https://arweave.net'];
/** Enough for a gateway's sake, few enough for a stranger's. */
const REQUESTS_PER_HOST = 8;

/** Throws FailureError `usage` for a gateway or host that is none. `close` ends its connections. */
export function createDocumentSource(settings: FetchSettings): DocumentSource & { close(): Promise<void> } {
  const limits = readLimits(settings);
  const ipfs = readGateways('--ipfs-gateway', settings.ipfsGateway, IPFS_GATEWAYS);
  const arweave = readGateways('--arweave-gateway', settings.arweaveGateway, ARWEAVE_GATEWAYS);
  const allowedHosts = settings.allowHost.map(readHost);
  const gatewayHosts = [...ipfs, ...arweave].map((gateway) => hostAndPort(new URL(gateway)));
  const guarded = createHttpClient({ limits, allowedHosts });
  const trusted = createHttpClient({ limits, allowedHosts: [...allowedHosts, ...gatewayHosts] });
  const gate = new HostGate({ perHost: REQUESTS_PER_HOST, now: () => performance.now() });
  return {
    fetcher: new UriFetcher({ guarded, trusted, gateways: { ipfs, arweave }, gate }),
    maxDocumentBytes: settings.maxDocumentBytes,
    close: async () => {
      await Promise.all([guarded.close(), trusted.close()]);
    },
  };
}

export function readLimits({
  connectTimeout,
  idleTimeout,
  totalTimeout,
}: Pick<FetchSettings, 'connectTimeout' | 'idleTimeout' | 'totalTimeout'>): HttpLimits {
  return {
    connectTimeoutMs: connectTimeout * 1000,
    idleTimeoutMs: idleTimeout * 1000,
    totalTimeoutMs: totalTimeout * 1000,
  };
}

function readGateways(flag: string, given: readonly string[], byDefault: readonly string[]): string[] {
  return (given.length === 0 ? byDefault : given).map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (
      url === undefined ||
      !/^https?:$/.test(url.protocol) ||
      url.username !== '' ||
      url.search !== '' ||
      url.hash !== ''
    ) {
      throw stop(
        'usage',
        `${flag} is ${JSON.stringify(text)}, and takes an http or https URL, such as https://ipfs.io`,
      );
    }
    return url.href.replace(/\/+$/, '');
  });
}

function readHost(text: string): string {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
  if (url === undefined || url.pathname !== '/' || url.username !== '' || url.search !== '') {
    throw stop(
      'usage',
      `--allow-host is ${JSON.stringify(text)}, and takes a host or host:port, such as gateway.example:8080`,
    );
  }
  // Not url.host, which forgets a port that is the scheme's own, and would open every port.
  const port = /:(\d+)$/.exec(text)?.[1];
  return port === undefined ? url.hostname : `${url.hostname}:${Number(port)}`;
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : url.port}`;
}
