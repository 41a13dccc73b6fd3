// The options of an index run.
import type { FinalityWindow } from '#model/finality-window.ts';
import type { Reporter } from '#model/reporter.ts';
import type { NftMode } from '#model/token.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { KeptIndex } from '#store/kept-index.ts';
import type { UriFetcher } from '#uri/uri-fetcher.ts';
import type { Evaluator } from '#vm/evaluator.ts';

/** How documents are fetched. */
export interface DocumentSource {
  readonly fetcher: UriFetcher;
  readonly maxDocumentBytes: number;
}

/** How images are copied. */
export interface ImageOptions {
  /** Folder of the copies. */
  readonly folder: string;
  readonly fetcher: UriFetcher;
  readonly maxImageBytes: number;
  readonly maxImagePixels: number;
}

/** Selects what to read again. */
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
  /** The index that a rebuild set aside; its data is not requested again. */
  readonly kept?: KeptIndex | undefined;
  /** Contracts to look up at the API. */
  readonly contracts: readonly string[];
  /** True if the API's list of fungible tokens is read. */
  readonly discover: boolean;
  /** How documents are fetched; if undefined, they stay queued. */
  readonly documents: DocumentSource | undefined;
  /** How images are copied; if undefined, they stay queued. */
  readonly images: ImageOptions | undefined;
  readonly refresh: RefreshChoice;
  /** True if the Clarity VM evaluates tokens. */
  readonly vm: boolean;
  /** Threads of the VM that other runs use too; without them, the run starts its own, and ends them. */
  readonly evaluator?: Evaluator | undefined;
  /** How much of collections the run indexes. */
  readonly nft: NftMode;
  /** Maximum number of tokens stored per collection. */
  readonly maxNftTokens: number;
  readonly skipBroken: boolean;
  /** How deep a block of the chain must be to be final. */
  readonly finality: FinalityWindow;
  /** Maximum number of contract calls replayed per token. */
  readonly maxCalls: number;
  /** Time limit of the first attempt to evaluate a token. */
  readonly vmTimeoutMs: number;
  /** Number of tokens evaluated at once. */
  readonly vmThreads: number;
  /** Maximum concurrent requests of each kind. */
  readonly concurrency: number;
  /** How long an idle run waits for retries. */
  readonly patienceMs: number;
  readonly reporter: Reporter;
  /** Aborted to stop after the work in flight. */
  readonly signal: AbortSignal;
}
