// Makes indexes of loopback servers: an API with a node whose calls the Clarity VM runs, or a host of metadata.
import { writeFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { BuildOptions } from '#generator/build-options.ts';
import { runBuild } from '#generator/run-build.ts';
import { finishTokens } from '#indexer/documents/finish-tokens.ts';
import type { IndexOptions } from '#indexer/index-options.ts';
import { countWork, runIndex } from '#indexer/run-index.ts';
import type { Reporter } from '#model/reporter.ts';
import type { GetterResult } from '#model/token.ts';
import { openChainSource } from '#source/chain-source.ts';
import type { Store } from '#store/index-database.ts';
import { writeReadings } from '#store/tokens/readings.ts';
import { createUriFetcher } from '#uri/uri-fetcher.ts';
import { newIndex } from './archives.ts';
import { buildOptions } from './build-options.ts';
import { chainListener, chainOf, type LiveChain, type LiveContract } from './chain-listener.ts';
import { LIMITS } from './http-limits.ts';
import { indexOptions, NO_REFRESH } from './index-options.ts';
import { TOKEN_INTERFACE } from './interfaces.ts';
import { loopbackServer } from './loopback-server.ts';
import { readTree } from './sample.ts';
import { serverClient } from './server-client.ts';
import { silentReporter } from './silent-reporter.ts';
import { callInVm } from './simnet.ts';
import { tempFolder } from './temp-folder.ts';
import { tokenSource } from './token-source.ts';
import { blockLine, deployJson, idOf } from './transactions.ts';

/** Returns the path of the response about a token. */
export const ft = (name: string) => `metadata/v1/ft/${idOf(name)}`;
export const status = (name: string) => `metadata/v1/status/${idOf(name)}`;

export function parse(tree: ReadonlyMap<string, string>, path: string): unknown {
  return JSON.parse(tree.get(path) ?? 'null') as unknown;
}

export function liveToken(
  name: string,
  getters?: Readonly<Record<string, string>>,
  overrides: Partial<LiveContract> = {},
): LiveContract {
  const contractId = idOf(name);
  const sourceCode = tokenSource(getters);
  return {
    contractId,
    sourceCode,
    abi: TOKEN_INTERFACE,
    call: (functionName) => callInVm(contractId, sourceCode, functionName),
    ...overrides,
  };
}

export type ServersIndex = Awaited<ReturnType<typeof indexOfServers>>;

/** Makes an index, and an API with a node. Reads the contracts into the index if `isIndexed` is true. */
export async function indexOfServers(
  contracts: readonly LiveContract[] = [],
  { isIndexed = false, ...overrides }: Partial<LiveChain> & { readonly isIndexed?: boolean } = {},
) {
  const folder = tempFolder();
  const warnings: string[] = [];
  const reporter: Reporter = { ...silentReporter, warn: (message) => void warnings.push(message) };
  const store = await newIndex(join(folder, 'index.sqlite'));
  /** The chain that the API and the node serve. Tests may replace it. */
  const current = { chain: chainOf(contracts, overrides) };
  const server = await loopbackServer((request, response) => chainListener(current.chain)(request, response));

  /** Runs the index with the API and the node. If `hasApi` is false, uses only the node. */
  async function run({ hasApi = true, ...options }: Partial<IndexOptions> & { readonly hasApi?: boolean } = {}) {
    const signal = options.signal ?? new AbortController().signal;
    const client = serverClient(server.url, { limits: LIMITS, concurrency: 4, signal });
    const source = openChainSource({ api: hasApi ? client : undefined, node: client });
    const summary = await runIndex(store, indexOptions({ source, reporter, signal, ...options }));
    return { ...summary, ...countWork(summary) };
  }

  async function build(over: Partial<BuildOptions> = {}): Promise<Map<string, string>> {
    const out = join(folder, 'dist');
    await runBuild(store, buildOptions(out, { imageFolder: join(folder, 'images'), reporter, ...over }));
    return readTree(out);
  }

  /** Writes an archive, and returns its path. */
  function archive(lines: readonly string[], name = `chain-${lines.length}.tsv`): string {
    const path = join(folder, name);
    writeFileSync(path, lines.join(''));
    return path;
  }

  if (isIndexed) await run({ contracts: contracts.map(({ contractId }) => contractId) });
  return Object.assign(current, { store, server, folder, warnings, run, archive, build });
}

const VALUES: readonly GetterResult[] = [
  { getter: 'get-name', value: 'On chain' },
  { getter: 'get-symbol', value: 'OC' },
  { getter: 'get-decimals', value: '6' },
  { getter: 'get-total-supply', value: '0' },
];

/** Stores the values that the VM would return for each token. The tokens get the URIs in order. */
async function finishEvaluations(store: Store, uris: readonly string[]): Promise<void> {
  const rows = await store.selectFrom('token').select('token_id').orderBy('token_id').execute();
  const readings = rows.flatMap(({ token_id: tokenId }, index) =>
    [...VALUES, { getter: 'get-token-uri' as const, value: uris[index] as string }].map((answer) => {
      return { ...answer, tokenId, source: 'vm' as const };
    }),
  );
  await store.transaction().execute(async (transaction) => {
    await writeReadings(transaction, readings);
    const tokenIds = rows.map((row) => row.token_id);
    await finishTokens(transaction, tokenIds, 'uris');
    await transaction.deleteFrom('job').where('kind', '=', 'evaluate-token').execute();
  });
}

/** The maximum number of index runs. All failures become final in fewer runs. */
const MAX_RUNS = 10;

/**
 * Makes an index with a token for each URI (`token-0`, `token-1` and so on), and a server that calls `respond`. Index
 * runs wait for retries only if `patienceMs` is set.
 */
export async function indexOfUris(
  uris: (base: string) => string[],
  respond: RequestListener,
  { patienceMs = 0, limits = LIMITS, gatewayPaths = ['/gateway'] as readonly string[] } = {},
) {
  const index = await indexOfServers();
  const { store, folder } = index;
  const { url, host, requests } = await loopbackServer(respond);
  const gateway = await loopbackServer((request, response) => {
    requests.push(request.url ?? '');
    respond(request, response);
  });
  const ipfs = ['http://127.0.0.1:9', ...gatewayPaths.map((path) => gateway.url + path)];
  const gateways = { ipfs, arweave: [`${gateway.url}/arweave`] };
  const fetcher = createUriFetcher({ limits, allowedHosts: [host], gateways });
  onTestFinished(() => fetcher[Symbol.asyncDispose]());
  const documents = { fetcher, maxDocumentBytes: 10_000 };
  const images = { folder: join(folder, 'images'), fetcher, maxImageBytes: 100_000, maxImagePixels: 1_000_000 };
  const deployed = uris(url);
  const transactions = deployed.map((_, token) =>
    deployJson(`token-${token}`, '(define-fungible-token t)', { clarityVersion: 2, interface: TOKEN_INTERFACE }),
  );
  await index.run({
    source: undefined,
    archives: [index.archive([blockLine({ id: 1, parent: 0, height: 0, transactions })])],
  });
  await finishEvaluations(store, deployed);

  /** Runs the index to do the remaining work, and to refresh the values that `refresh` selects. */
  const run = (refresh = NO_REFRESH, archives: readonly string[] = []) =>
    index.run({ source: undefined, patienceMs, archives, documents, refresh, images });

  /** Runs the index until no work remains. Makes all retries due before each run. */
  async function runToEnd() {
    const total = { fetched: 0, fetchesFailed: 0, images: 0, imagesFailed: 0 };
    for (let runs = 0; runs < MAX_RUNS; runs++) {
      await store.updateTable('job').set({ next_attempt_at: 0 }).execute();
      const summary = await run();
      for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += summary[key];
      if (!summary.leftToDo) return total;
    }
    throw new Error(`work remains after ${MAX_RUNS} runs`);
  }

  const build = (publicUrl = '', reporter = silentReporter) => index.build({ publicUrl, only: 'tokens', reporter });

  /** Returns the response about the token of this contract name, or the error response in its place. */
  const answer = (tree: ReadonlyMap<string, string>, name: string) =>
    parse(tree, ft(name)) ?? parse(tree, `errors/422/${ft(name)}`);

  return { store, requests, folder, run, runToEnd, build, answer };
}

export const json = (response: ServerResponse, value: unknown) => response.end(JSON.stringify(value));
