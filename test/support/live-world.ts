// Makes an index, and an API with a node on loopback. The Clarity VM runs the node's calls.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBuild } from '#generator/run-build.ts';
import type { IndexOptions } from '#indexer/index-options.ts';
import { countWork, runIndex } from '#indexer/run-index.ts';
import type { Reporter } from '#model/reporter.ts';
import { openChainSource } from '#source/chain-source.ts';
import { newIndex } from './archives.ts';
import { buildOptions } from './build-options.ts';
import { chainListener, chainOf, type LiveChain, type LiveContract } from './chain-listener.ts';
import { LIMITS } from './http-limits.ts';
import { indexOptions } from './index-options.ts';
import { TOKEN_INTERFACE } from './interfaces.ts';
import { jsonClient } from './json-client.ts';
import { loopbackServer } from './loopback-server.ts';
import { readTree } from './sample.ts';
import { silentReporter } from './silent-reporter.ts';
import { callInVm } from './simnet.ts';
import { tempFolder } from './temp-folder.ts';
import { tokenSource } from './token-source.ts';
import { ADDRESS } from './transactions.ts';

export const DEPLOYER = ADDRESS;
export const id = (name: string) => `${DEPLOYER}.${name}`;
/** Returns the path of the response about a token. */
export const ft = (name: string) => `metadata/v1/ft/${id(name)}`;
export const status = (name: string) => `metadata/v1/status/${id(name)}`;

export function liveToken(
  name: string,
  getters?: Readonly<Record<string, string>>,
  overrides: Partial<LiveContract> = {},
): LiveContract {
  const contractId = `${DEPLOYER}.${name}`;
  const sourceCode = tokenSource(getters);
  return {
    contractId,
    sourceCode,
    abi: TOKEN_INTERFACE,
    call: (functionName) => callInVm(contractId, sourceCode, functionName),
    ...overrides,
  };
}

export type LiveWorld = Awaited<ReturnType<typeof liveWorld>>;

export async function liveWorld(contracts: readonly LiveContract[], overrides: Partial<LiveChain> = {}) {
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
    const client = jsonClient(server.url, { limits: LIMITS, concurrency: 4, signal });
    const source = openChainSource({ api: hasApi ? client : undefined, node: client });
    const summary = await runIndex(store, indexOptions({ source, reporter, signal, ...options }));
    return { ...summary, ...countWork(summary) };
  }

  async function build(): Promise<Map<string, string>> {
    const out = join(folder, 'dist');
    await runBuild(store, buildOptions(out, { imageFolder: join(folder, 'images'), reporter }));
    return readTree(out);
  }

  /** Writes an archive, and returns its path. */
  function archive(lines: readonly string[], name = `chain-${lines.length}.tsv`): string {
    const path = join(folder, name);
    writeFileSync(path, lines.join(''));
    return path;
  }

  return Object.assign(current, { store, server, folder, warnings, run, archive, build });
}

/** Makes a {@link liveWorld}, and indexes its contracts. */
export async function indexedWorld(contracts: readonly LiveContract[], overrides: Partial<LiveChain> = {}) {
  const world = await liveWorld(contracts, overrides);
  await world.run({ contracts: contracts.map(({ contractId }) => contractId) });
  return world;
}

export function parse(tree: ReadonlyMap<string, string>, path: string): unknown {
  return JSON.parse(tree.get(path) ?? 'null') as unknown;
}
