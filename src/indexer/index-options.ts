// What an index run is asked to do.
import type { Reporter } from '#model/reporter.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { DocumentSource } from './jobs/fetch-documents.ts';
import type { ImageOptions } from './jobs/fetch-images.ts';
import type { RefreshOptions } from './queue/queue-refresh.ts';

export interface IndexOptions {
  /** Paths of event archives, `-` for standard input, in the order in which they are replayed. */
  readonly archives: readonly string[];
  /** A node and its API; undefined leaves what they would be asked queued. */
  readonly source: ChainSource | undefined;
  /** Contracts that the API is asked about. */
  readonly contracts: readonly string[];
  /** Whether the API's list of fungible tokens is read. */
  readonly discover: boolean;
  /** How documents are fetched; undefined leaves what needs the network queued. */
  readonly documents: DocumentSource | undefined;
  /** How images are copied; undefined leaves them queued. */
  readonly images: ImageOptions | undefined;
  /** What was read before and is read again. */
  readonly refresh: Pick<RefreshOptions, 'principals' | 'maxAgeMs'>;
  /** Whether the Clarity VM evaluates tokens. */
  readonly vm: boolean;
  readonly skipBroken: boolean;
  /** How many tokens are evaluated at once. */
  readonly vmThreads: number;
  /** Requests at once, of each kind. */
  readonly concurrency: number;
  /** How long a run waits, with nothing else to do, for what is tried again. */
  readonly patienceMs: number;
  readonly reporter: Reporter;
  /** Aborted to stop after what is in flight. */
  readonly signal: AbortSignal;
}

/** Only what SIP-019 asks for. */
export const NO_REFRESH: IndexOptions['refresh'] = { principals: undefined, maxAgeMs: undefined };
