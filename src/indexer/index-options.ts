// The options of an index run.
import type { FinalityWindow } from '#model/finality-window.ts';
import type { Reporter } from '#model/reporter.ts';
import type { NftMode } from '#model/token.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { EarlierIndex } from '#store/earlier-index.ts';
import type { UriFetcher } from '#uri/uri-fetcher.ts';
import type { Evaluator } from '#vm/evaluator.ts';

/** Options for fetching documents. */
export interface DocumentSource {
  readonly fetcher: UriFetcher;
  readonly maxDocumentBytes: number;
}

/** Options for copying images. */
export interface ImageOptions {
  /** Folder of the copies. */
  readonly folder: string;
  readonly fetcher: UriFetcher;
  readonly maxImageBytes: number;
  readonly maxImagePixels: number;
}

/** Selects the documents and values to read again. */
export interface RefreshChoice {
  /** Contract ids of the tokens to read again; empty for all; undefined for none. */
  readonly principals: readonly string[] | undefined;
  /** Documents and values older than this are read again, in ms. */
  readonly maxAgeMs: number | undefined;
}

export interface IndexOptions {
  /** Paths of event archives, `-` for standard input, in the order in which they are replayed. */
  readonly archives: readonly string[];
  /** A node and its API; if undefined, their jobs stay queued. */
  readonly source: ChainSource | undefined;
  /** The index that a rebuild set aside. Its data is reused instead of requested again. */
  readonly kept?: EarlierIndex | undefined;
  /** Contracts to look up at the API. */
  readonly contracts: readonly string[];
  /** True if the API's list of fungible tokens is read. */
  readonly discover: boolean;
  /** Options for documents; if undefined, they stay queued. */
  readonly documents: DocumentSource | undefined;
  /** Options for images; if undefined, they stay queued. */
  readonly images: ImageOptions | undefined;
  readonly refresh: RefreshChoice;
  /** True if the Clarity VM evaluates tokens. */
  readonly vm: boolean;
  /** Shared VM threads of several runs. If undefined, the run starts and ends its own threads. */
  readonly evaluator?: Evaluator | undefined;
  /** The parts of collections to index. */
  readonly nft: NftMode;
  /** Maximum number of tokens stored per collection. */
  readonly maxNftTokens: number;
  readonly skipBroken: boolean;
  /** The depth at which a block is final. */
  readonly finality: FinalityWindow;
  /** Maximum number of contract calls replayed per token. */
  readonly maxCalls: number;
  /** Time limit of the first attempt to evaluate a token. */
  readonly vmTimeoutMs: number;
  /** Number of tokens evaluated at once. */
  readonly vmThreads: number;
  /** Maximum concurrent requests of each kind. */
  readonly concurrency: number;
  /** Maximum time that an idle run waits for retries. */
  readonly patienceMs: number;
  readonly reporter: Reporter;
  /** Abort signal. The run finishes the work in flight, then stops. */
  readonly signal: AbortSignal;
}
