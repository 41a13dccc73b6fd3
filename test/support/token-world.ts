// An index of tokens whose metadata is on a loopback server, to be fetched as the command does.
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { runBuild } from '#build/run-build.ts';
import { NO_REFRESH, runIndex } from '#indexer/run-index.ts';
import { silentReporter } from '#model/reporter.ts';
import { createHttpClient } from '#net/create-http-client.ts';
import { HostGate } from '#net/host-gate.ts';
import { DEFAULT_LIMITS } from '#net/http-client.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { UriFetcher } from '#uri/uri-fetcher.ts';
import { TOKEN_INTERFACE } from './interfaces.ts';
import { loopbackServer } from './loopback-server.ts';
import { addressOf, blockLine, deployJson, TEST_KEY } from './observer-lines.ts';
import { readTree } from './sample.ts';
import { tempFolder } from './temp-folder.ts';

const tokenSource = (uri: string) => `(define-fungible-token t)
  (define-read-only (get-name) (ok "On chain")) (define-read-only (get-symbol) (ok "OC")) (define-read-only (get-decimals) (ok u6))
  (define-read-only (get-total-supply) (ok (ft-get-supply t))) (define-read-only (get-token-uri) (ok (some u"${uri}")))`;

export interface World {
  readonly store: Store;
  /** Runs again with what is left. */
  run(
    refresh?: typeof NO_REFRESH,
    archives?: readonly string[],
  ): Promise<{ fetched: number; fetchesFailed: number; leftToDo: boolean; images: number; imagesFailed: number }>;
  readonly folder: string;
  build(publicUrl?: string): Promise<Map<string, string>>;
  /** Answer of a token by its contract name. */
  answer(tree: Map<string, string>, name: string): unknown;
  readonly requests: string[];
}

/** An index with a token a URI, named token-0, token-1 …, and a server that answers for them. */
export const withTokens = async (
  uris: (base: string) => string[],
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  use: (world: World) => Promise<void>,
) => {
  const folder = tempFolder();
  const server = await loopbackServer(respond);
  const transactions = uris(server.url).map((uri, nonce) =>
    deployJson(`token-${nonce}`, tokenSource(uri), { clarityVersion: 2, nonce, interface: TOKEN_INTERFACE }),
  );
  const archive = join(folder, 'chain.tsv');
  writeFileSync(archive, blockLine({ id: 1, parent: 0, height: 0, transactions }));
  const client = createHttpClient({ limits: DEFAULT_LIMITS, allowedHosts: [server.host] });
  const gateways = { ipfs: ['http://127.0.0.1:9', `${server.url}/gateway`], arweave: [`${server.url}/arweave`] };
  const trusted = createHttpClient({ limits: DEFAULT_LIMITS, allowedHosts: [server.host, '127.0.0.1:9'] });
  const fetcher = new UriFetcher({
    guarded: client,
    trusted,
    gateways,
    gate: new HostGate({ perHost: 4, now: Date.now }),
  });
  const store = await openIndex(join(folder, 'index.sqlite'));
  const options = {
    offline: false,
    vm: true,
    skipBroken: false,
    concurrency: 1,
    reporter: silentReporter,
    signal: new AbortController().signal,
  };
  const documents = { fetcher, concurrency: 4, maxDocumentBytes: 10_000 };
  const imageFolder = join(folder, 'images');
  const images = { folder: imageFolder, fetcher, concurrency: 2, maxImageBytes: 100_000, maxImagePixels: 1_000_000 };
  await runIndex(store, {
    ...options,
    archives: [archive],
    documents: undefined,
    images: undefined,
    refresh: NO_REFRESH,
  });
  await use({
    store,
    requests: server.requests,
    folder,
    run: (refresh = NO_REFRESH, archives = []) => runIndex(store, { ...options, archives, documents, refresh, images }),
    build: async (publicUrl = '') => {
      const out = join(folder, 'dist');
      await runBuild(store, {
        out,
        publicUrl,
        imageFolder,
        onlyTokens: true,
        full: false,
        verify: false,
        reporter: silentReporter,
      });
      return readTree(out);
    },
    answer: (tree, name) => {
      const path = `metadata/v1/ft/${addressOf(TEST_KEY)}.${name}`;
      return JSON.parse(tree.get(path) ?? tree.get(`errors/422/${path}`) ?? 'null') as unknown;
    },
  });
  await store.destroy();
  await client.close();
  await trusted.close();
};

export const json = (response: ServerResponse, value: unknown) => response.end(JSON.stringify(value));
