// An index and the loopback API that it asks, with a node behind it whose calls the Clarity VM answers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { IndexOptions } from '#indexer/index-options.ts';
import { countWork, type IndexSummary, runIndex } from '#indexer/run-index.ts';
import type { Reporter } from '#model/reporter.ts';
import { runBuild } from '#press/run-build.ts';
import { ChainSource } from '#source/chain-source.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { buildOptions } from './build-options.ts';
import { CANNED_DEPLOYER } from './canned-token.ts';
import { chainListener, chainOf, type LiveChain, type LiveContract } from './chain-listener.ts';
import { LIMITS } from './http-limits.ts';
import { indexOptions } from './index-options.ts';
import { TOKEN_INTERFACE } from './interfaces.ts';
import { jsonClient } from './json-client.ts';
import { type LoopbackServer, loopbackServer } from './loopback-server.ts';
import { readTree } from './sample.ts';
import { silentReporter } from './silent-reporter.ts';
import { tempFolder } from './temp-folder.ts';
import { callInVm, tokenSource } from './vm-node.ts';

export const DEPLOYER = CANNED_DEPLOYER;

export function liveToken(
  name: string,
  getters?: Readonly<Record<string, string>>,
  more: Partial<LiveContract> = {},
): LiveContract {
  const contractId = `${DEPLOYER}.${name}`;
  const sourceCode = tokenSource(getters);
  return {
    contractId,
    sourceCode,
    abi: TOKEN_INTERFACE,
    call: (functionName) => callInVm(contractId, sourceCode, functionName),
    ...more,
  };
}

export interface LiveWorld {
  readonly store: Store;
  readonly server: LoopbackServer;
  /** What the server answers from now on. */
  chain: LiveChain;
  readonly folder: string;
  readonly warnings: string[];
  /** Asks a node alone, if not `hasApi`. */
  run(
    options?: Partial<IndexOptions> & { readonly hasApi?: boolean },
  ): Promise<IndexSummary & ReturnType<typeof countWork>>;
  /** Writes an archive and returns its path. */
  archive(lines: readonly string[]): string;
  build(): Promise<Map<string, string>>;
}

export async function liveWorld(contracts: readonly LiveContract[], more: Partial<LiveChain> = {}): Promise<LiveWorld> {
  const folder = tempFolder();
  const warnings: string[] = [];
  const reporter: Reporter = { ...silentReporter, warn: (message) => void warnings.push(message) };
  const store = await openIndex(join(folder, 'index.sqlite'));
  const world: LiveWorld = {
    store,
    server: await loopbackServer((request, response) => chainListener(world.chain)(request, response)),
    chain: chainOf(contracts, more),
    folder,
    warnings,
    run: async ({ hasApi = true, ...options } = {}) => {
      const signal = options.signal ?? new AbortController().signal;
      const client = jsonClient(world.server.url, { limits: LIMITS, concurrency: 4, signal });
      const source = new ChainSource({ api: hasApi ? client : undefined, node: client });
      const summary = await runIndex(store, indexOptions({ source, reporter, signal, ...options }));
      return { ...summary, ...countWork(summary) };
    },
    archive: (lines) => {
      const path = join(folder, `chain-${lines.length}.tsv`);
      writeFileSync(path, lines.join(''));
      return path;
    },
    build: async () => {
      const out = join(folder, 'dist');
      const imageFolder = join(folder, 'images');
      await runBuild(store, buildOptions(out, { imageFolder, reporter }));
      return readTree(out);
    },
  };
  onTestFinished(() => store.destroy());
  return world;
}

export function parse(tree: ReadonlyMap<string, string>, path: string): unknown {
  return JSON.parse(tree.get(path) ?? 'null') as unknown;
}
