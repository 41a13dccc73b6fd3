// Returns the options of index runs in tests. By default, a run prints nothing, uses no network, and only does work
// that remains in the index.
import type { IndexOptions } from '#indexer/index-options.ts';
import { runIndex } from '#indexer/run-index.ts';
import { openIndex } from '#store/index-database.ts';
import { offlineFetcher } from '#uri/uri-fetcher.ts';
import { Evaluator } from '#vm/evaluator.ts';
import { silentReporter } from './silent-reporter.ts';

/** Refreshes a value only if its SIP-019 ttl has expired. */
export const NO_REFRESH: IndexOptions['refresh'] = { principals: undefined, maxAgeMs: undefined };

/**
 * An evaluator for all index runs of this process, since starting a thread of the VM takes a second. Each request still
 * gets a new session.
 */
export const SHARED_EVALUATOR = new Evaluator(1);

export function indexOptions(over: Partial<IndexOptions> = {}): IndexOptions {
  return {
    archives: [],
    source: undefined,
    contracts: [],
    discover: false,
    documents: undefined,
    images: undefined,
    refresh: NO_REFRESH,
    vm: false,
    evaluator: SHARED_EVALUATOR,
    skipBroken: false,
    allowReorg: false,
    maxCalls: 1_000,
    finalBlocks: 10_000,
    nft: 'uris',
    maxNftTokens: 50_000,
    vmTimeoutMs: 20_000,
    vmThreads: 1,
    concurrency: 4,
    patienceMs: 0,
    reporter: silentReporter,
    signal: new AbortController().signal,
    ...over,
  };
}

/**
 * Returns the options for documents and images of a run without a network. The run stores copies of images in
 * `imageFolder`.
 */
export function offline(imageFolder: string): Pick<IndexOptions, 'documents' | 'images'> {
  return {
    documents: { fetcher: offlineFetcher, maxDocumentBytes: 10_000 },
    images: { folder: imageFolder, fetcher: offlineFetcher, maxImageBytes: 100_000, maxImagePixels: 1_000_000 },
  };
}

/** Indexes into an index file, which must not be open. */
export async function indexInto(db: string, over: Partial<IndexOptions>): Promise<void> {
  const store = await openIndex(db);
  await runIndex(store, indexOptions(over));
  await store.destroy();
}
