// The options of an index run.
import type { Reporter } from '#model/reporter.ts';
import type { NftMode } from '#model/token.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { UriFetcher } from '#uri/uri-fetcher.ts';

/** How documents are fetched. */
export interface DocumentSource {
  readonly fetcher: UriFetcher;
  readonly maxDocumentBytes: number;
}

/** How images are copied. */
export interface ImageOptions {
  /** Where copies are kept. */
  readonly folder: string;
  readonly fetcher: UriFetcher;
  readonly maxImageBytes: number;
  readonly maxImagePixels: number;
  /** That an image may take to decode; undefined is the usual. */
  readonly maxCpuSeconds?: number;
}

/** What to read again. */
export interface RefreshChoice {
  /** Contract ids of the tokens to read again; empty for all; undefined for none. */
  readonly principals: readonly string[] | undefined;
  /** Documents and values older than this are read again, in ms. */
  readonly maxAgeMs: number | undefined;
}

export interface IndexOptions {
  /** Paths of event archives, `-` for standard input, in the order in which they are replayed. */
  readonly archives: readonly string[];
  /** A node and its API; undefined leaves their jobs queued. */
  readonly source: ChainSource | undefined;
  /** Contracts to look up at the API. */
  readonly contracts: readonly string[];
  /** Whether the API's list of fungible tokens is read. */
  readonly discover: boolean;
  /** How documents are fetched; undefined leaves them queued. */
  readonly documents: DocumentSource | undefined;
  /** How images are copied; undefined leaves them queued. */
  readonly images: ImageOptions | undefined;
  readonly refresh: RefreshChoice;
  /** Whether the Clarity VM evaluates tokens. */
  readonly vm: boolean;
  /** How far the run goes with tokens of collections. */
  readonly nft: NftMode;
  /** Tokens that are kept of a collection, at most. */
  readonly maxNftTokens: number;
  readonly skipBroken: boolean;
  /** Contract calls replayed per token, at most. */
  readonly maxCalls: number;
  /** How long the first attempt to evaluate a token may take. */
  readonly vmTimeoutMs: number;
  /** Tokens evaluated at once. */
  readonly vmThreads: number;
  /** Requests at once, of each kind. */
  readonly concurrency: number;
  /** How long an idle run waits for retries. */
  readonly patienceMs: number;
  readonly reporter: Reporter;
  /** Aborted to stop after the work in flight. */
  readonly signal: AbortSignal;
}

/** Only what a SIP-019 ttl makes due. */
export const NO_REFRESH: IndexOptions['refresh'] = { principals: undefined, maxAgeMs: undefined };
