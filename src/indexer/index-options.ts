// The options of an index run.
import type { SeedManifest } from '#layout/seed-manifest.ts';
import type { Reporter } from '#model/reporter.ts';
import type { NftMode } from '#model/token.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { SeedSource } from '#source/seed/open-seed.ts';
import type { OldIndex } from '#store/old-index.ts';
import type { UriFetcher } from '#uri/uri-fetcher.ts';
import type { Evaluator } from '#vm/evaluator.ts';

/** Options for fetching documents. */
export interface DocumentSource {
  readonly fetcher: UriFetcher;
  readonly maxDocumentBytes: number;
}

/** Options for copying images. */
export interface ImageOptions {
  /** The folder that contains the copies. */
  readonly folder: string;
  readonly fetcher: UriFetcher;
  readonly maxImageBytes: number;
  readonly maxImagePixels: number;
}

/** Selects the documents and values to read again. */
export interface RefreshChoice {
  /** Contract ids of the tokens to read again. An empty list means all tokens, and undefined means none. */
  readonly principals: readonly string[] | undefined;
  /** The age in ms after which documents and values are read again. */
  readonly maxAgeMs: number | undefined;
}

export interface SeedOptions {
  readonly source: SeedSource;
  /** The manifest of the seed, if it was read before. */
  readonly manifest?: SeedManifest | undefined;
  /** The URL or the absolute path of the seed. A run without a source uses it to continue. */
  readonly location: string;
  /** The folder for downloaded parts. */
  readonly folder: string;
  /** The hash that a part must have. Parts above it are not read. */
  readonly hash: string | undefined;
  /** True for a seed that an earlier run named. Other work goes on if this run cannot read it. */
  readonly isContinued: boolean;
}

export interface IndexOptions {
  /** Paths of event archives, `-` for standard input, in the order in which they are replayed. */
  readonly archives: readonly string[];
  /** A seed, which is read after the archives. */
  readonly seed?: SeedOptions | undefined;
  /** A node and an API. If undefined, jobs that need a node or an API stay queued. */
  readonly source: ChainSource | undefined;
  /** The index that a rebuild set aside. Its documents and images are reused instead of fetched again. */
  readonly oldIndex?: OldIndex | undefined;
  /** Ids of contracts to look up at the API. */
  readonly contracts: readonly string[];
  /** True if the run reads the API's list of fungible tokens. */
  readonly discover: boolean;
  /** Options for fetching documents. If undefined, documents stay queued. */
  readonly documents: DocumentSource | undefined;
  /** Options for copying images. If undefined, images stay queued. */
  readonly images: ImageOptions | undefined;
  readonly refresh: RefreshChoice;
  /** True if the Clarity VM evaluates tokens. */
  readonly vm: boolean;
  /** VM threads that several runs share. If undefined, the run starts and ends its own threads. */
  readonly evaluator?: Evaluator | undefined;
  /** The parts of collections to index (`--nft`). */
  readonly nft: NftMode;
  /** Maximum number of tokens stored per collection. */
  readonly maxNftTokens: number;
  readonly skipBroken: boolean;
  /** True if archives and seeds may orphan any number of blocks of the index. */
  readonly allowReorg: boolean;
  /** The number of blocks between the final height and the tip. */
  readonly finalBlocks: number;
  /** Maximum number of contract calls replayed per token. */
  readonly maxCalls: number;
  /** The time limit of the first attempt to evaluate a token. Later attempts have higher limits. */
  readonly vmTimeoutMs: number;
  /** The number of VM threads, each of which evaluates tokens. */
  readonly vmThreads: number;
  /** The maximum number of concurrent requests for jobs of one kind. */
  readonly concurrency: number;
  /** The maximum time that a run without other work waits for retries. */
  readonly patienceMs: number;
  readonly reporter: Reporter;
  /** Abort signal. The run finishes the work in flight, then stops. */
  readonly signal: AbortSignal;
}
