// Makes an index of tokens, and a loopback server that has their metadata. The values of the getters are prepared, and
// stored without the Clarity VM.

import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runBuild } from '#generator/run-build.ts';
import { finishTokens } from '#indexer/documents/finish-tokens.ts';
import { countWork, runIndex } from '#indexer/run-index.ts';
import type { GetterResult } from '#model/token.ts';
import type { Store } from '#store/index-database.ts';
import { writeReadings } from '#store/tokens/readings.ts';
import { createUriFetcher } from '#uri/uri-fetcher.ts';
import { newIndex } from './archives.ts';
import { buildOptions } from './build-options.ts';
import { LIMITS } from './http-limits.ts';
import { indexOptions, NO_REFRESH } from './index-options.ts';
import { TOKEN_INTERFACE } from './interfaces.ts';
import { loopbackServer } from './loopback-server.ts';
import { readTree } from './sample.ts';
import { silentReporter } from './silent-reporter.ts';
import { tempFolder } from './temp-folder.ts';
import { ADDRESS, blockLine, deployJson } from './transactions.ts';

const SOURCE = '(define-fungible-token t)';
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
export async function tokenWorld(
  uris: (base: string) => string[],
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  { patienceMs = 0, limits = LIMITS, gatewayPaths = ['/gateway'] as readonly string[] } = {},
) {
  const folder = tempFolder();
  const server = await loopbackServer(respond);
  const gateway = await loopbackServer((request, response) => {
    server.requests.push(request.url ?? '');
    respond(request, response);
  });
  const all = uris(server.url);
  const transactions = all.map((_, nonce) =>
    deployJson(`token-${nonce}`, SOURCE, { clarityVersion: 2, nonce, interface: TOKEN_INTERFACE }),
  );
  const archive = join(folder, 'chain.tsv');
  writeFileSync(archive, blockLine({ id: 1, parent: 0, height: 0, transactions }));
  const ipfs = ['http://127.0.0.1:9', ...gatewayPaths.map((path) => gateway.url + path)];
  const gateways = { ipfs, arweave: [`${gateway.url}/arweave`] };
  const fetcher = createUriFetcher({ limits, allowedHosts: [server.host], gateways });
  onTestFinished(() => fetcher[Symbol.asyncDispose]());
  const store = await newIndex(join(folder, 'index.sqlite'));
  const options = indexOptions({ patienceMs });
  const documents = { fetcher, maxDocumentBytes: 10_000 };
  const imageFolder = join(folder, 'images');
  const images = { folder: imageFolder, fetcher, maxImageBytes: 100_000, maxImagePixels: 1_000_000 };
  await runIndex(store, { ...options, archives: [archive] });
  await finishEvaluations(store, all);

  /** Runs the index to do the remaining work, and to refresh the values that `refresh` selects. */
  async function run(refresh = NO_REFRESH, archives: readonly string[] = []) {
    const summary = await runIndex(store, { ...options, archives, documents, refresh, images });
    return { ...summary, ...countWork(summary) };
  }

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

  async function build(publicUrl = '', reporter = silentReporter): Promise<Map<string, string>> {
    const out = join(folder, 'dist');
    await runBuild(store, buildOptions(out, { publicUrl, imageFolder, only: 'tokens', reporter }));
    return readTree(out);
  }

  /** Returns the response about the token of this contract name, or the error response in its place. */
  function answer(tree: ReadonlyMap<string, string>, name: string): unknown {
    const path = `metadata/v1/ft/${ADDRESS}.${name}`;
    return JSON.parse(tree.get(path) ?? tree.get(`errors/422/${path}`) ?? 'null') as unknown;
  }

  return { store, requests: server.requests, folder, run, runToEnd, build, answer };
}

export const json = (response: ServerResponse, value: unknown) => response.end(JSON.stringify(value));
