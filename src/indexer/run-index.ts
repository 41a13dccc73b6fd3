// Runs an index job: replays the archives, evaluates the tokens, settles or leaves what needs the network.
import type { Reporter } from '#model/reporter.ts';
import type { Store } from '#store/index-database.ts';
import { countJobs } from '#store/jobs.ts';
import { evaluateTokens } from './evaluate-tokens.ts';
import { type DocumentSource, fetchDocuments } from './fetch-documents.ts';
import { fetchImages, type ImageOptions } from './fetch-images.ts';
import { type ArchiveSummary, emptySummary, indexArchive } from './index-archive.ts';
import { queueRefresh, type RefreshOptions } from './queue-refresh.ts';
import { settleOffline } from './read-documents.ts';

export interface IndexOptions {
  /** Paths of event archives, `-` for standard input, in the order in which they are replayed. */
  readonly archives: readonly string[];
  /** Settles what would need the network. */
  readonly offline: boolean;
  /** How documents are fetched; undefined leaves what needs the network queued. */
  readonly documents: DocumentSource | undefined;
  /** How images are copied; undefined leaves them queued. Without a fetcher, only those in data: URIs are read. */
  readonly images: Omit<ImageOptions, 'reporter' | 'signal'> | undefined;
  /** Which documents that were fetched before are fetched again. */
  readonly refresh: Omit<RefreshOptions, 'now'>;
  /** Whether the Clarity VM evaluates tokens. */
  readonly vm: boolean;
  readonly skipBroken: boolean;
  /** How many tokens are evaluated at once. */
  readonly concurrency: number;
  readonly reporter: Reporter;
  /** Aborted to stop after what is in flight. */
  readonly signal: AbortSignal;
}

/** Only what SIP-019 asks for. */
export const NO_REFRESH: IndexOptions['refresh'] = { principals: undefined, maxAgeMs: undefined };

export interface IndexSummary {
  readonly archives: ArchiveSummary;
  readonly evaluated: number;
  readonly fetched: number;
  /** Attempts to fetch that failed; some of them are tried again. */
  readonly fetchesFailed: number;
  readonly settledOffline: number;
  /** Images that were copied, and attempts that failed. */
  readonly images: number;
  readonly imagesFailed: number;
  /** Work that is left in the index. */
  readonly left: { readonly tokens: number; readonly documents: number; readonly images: number };
  /** Whether the run was stopped before its end. */
  readonly interrupted: boolean;
  /** Whether this run was allowed to do some of what is left. */
  readonly leftToDo: boolean;
  /** Jobs that ended in an error of this program. */
  readonly bugs: number;
}

export async function runIndex(store: Store, options: IndexOptions): Promise<IndexSummary> {
  const archives = emptySummary();
  for (const path of options.archives) {
    if (options.signal.aborted) break;
    const one = await indexArchive(store, { ...options, path });
    for (const key of Object.keys(archives) as (keyof ArchiveSummary)[]) archives[key] += one[key];
  }
  const evaluation = options.vm && !options.signal.aborted ? await evaluateTokens(store, options) : undefined;
  if (options.documents !== undefined && !options.signal.aborted) {
    await queueRefresh(store, { ...options.refresh, now: Date.now() });
  }
  const fetching =
    options.documents !== undefined && !options.signal.aborted
      ? await fetchDocuments(store, { ...options.documents, reporter: options.reporter, signal: options.signal })
      : undefined;
  const settledOffline = options.offline && !options.signal.aborted ? await settleOffline(store) : 0;
  const images =
    options.images !== undefined && !options.signal.aborted
      ? await fetchImages(store, { ...options.images, reporter: options.reporter, signal: options.signal })
      : undefined;
  const left = await countJobs(store);
  const tokens = left['evaluate-token'];
  const documents = left['fetch-document'];
  const imagesLeft = left['fetch-image'];
  return {
    archives,
    evaluated: evaluation?.evaluated ?? 0,
    fetched: fetching?.done ?? 0,
    fetchesFailed: fetching?.failed ?? 0,
    settledOffline,
    images: images?.done ?? 0,
    imagesFailed: images?.failed ?? 0,
    left: { tokens, documents, images: imagesLeft },
    interrupted: options.signal.aborted,
    leftToDo:
      options.signal.aborted ||
      (options.vm && tokens > 0) ||
      (options.documents !== undefined && documents > 0) ||
      (options.images !== undefined && imagesLeft > 0),
    bugs: (evaluation?.bugs ?? 0) + (fetching?.bugs ?? 0) + (images?.bugs ?? 0),
  };
}
