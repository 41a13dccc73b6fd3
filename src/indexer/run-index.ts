// Runs an index job: replays the archives, then asks nodes and APIs, evaluates tokens and fetches documents and images, all at once.
import { isFailure } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import type { ChainSource } from '#source/chain-source.ts';
import { readInfo, type Store, writeChainId } from '#store/index-database.ts';
import { countJobs, type JobKind } from '#store/jobs.ts';
import { removeRunMark } from '#store/run-mark.ts';
import { evaluateTokens } from './evaluate-tokens.ts';
import { fetchContracts } from './fetch-contracts.ts';
import { type DocumentSource, fetchDocuments } from './fetch-documents.ts';
import { fetchImages, type ImageOptions } from './fetch-images.ts';
import { type ArchiveSummary, emptySummary, indexArchive } from './index-archive.ts';
import { fetchTokenList } from './list-tokens.ts';
import { otherChain } from './other-chain.ts';
import { type Feeders, Pipeline } from './pipeline.ts';
import { queueLookups } from './queue-lookups.ts';
import { queueRefresh, type RefreshOptions } from './queue-refresh.ts';
import { settleOffline } from './read-documents.ts';
import { readValues } from './read-values.ts';
import type { WorkOptions, WorkSummary } from './work-off-jobs.ts';

export interface IndexOptions {
  /** Paths of event archives, `-` for standard input, in the order in which they are replayed. */
  readonly archives: readonly string[];
  /** A node and its API; undefined leaves what they would tell queued. */
  readonly source: ChainSource | undefined;
  /** Contracts that the API is asked about. */
  readonly contracts: readonly string[];
  /** Whether the API's list of fungible tokens is looked through. */
  readonly discover: boolean;
  /** Settles what would need the network. */
  readonly offline: boolean;
  /** How documents are fetched; undefined leaves what needs the network queued. */
  readonly documents: DocumentSource | undefined;
  /** How images are copied; undefined leaves them queued. Without a fetcher, only those in data: URIs are read. */
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

export interface IndexSummary {
  readonly archives: ArchiveSummary;
  readonly evaluated: number;
  /** Contracts that an API told, and values that a node told. */
  readonly contracts: number;
  readonly values: number;
  /** Documents that were fetched. */
  readonly fetched: number;
  /** Images that were copied, and attempts that failed. */
  readonly images: number;
  readonly imagesFailed: number;
  /** Attempts that failed, to ask a node or an API and to fetch documents; some of them are tried again. */
  readonly asksFailed: number;
  readonly fetchesFailed: number;
  readonly settledOffline: number;
  /** Work that is left in the index. */
  readonly left: Readonly<Record<JobKind, number>>;
  /** Whether the run was stopped before its end. */
  readonly interrupted: boolean;
  /** Whether this run was allowed to do some of what is left. */
  readonly leftToDo: boolean;
  /** Jobs that ended in an error of this program. */
  readonly bugs: number;
}

export async function runIndex(store: Store, options: IndexOptions): Promise<IndexSummary> {
  const archives = await replay(store, options);
  if (!options.signal.aborted) {
    await queueRefresh(store, {
      ...options.refresh,
      contracts: options.source?.hasApi === true,
      values: options.source !== undefined,
      documents: options.documents !== undefined,
      now: Date.now(),
    });
  }
  const worked = options.signal.aborted ? NOTHING : await work(store, options);
  if (!options.signal.aborted) await removeRunMark(store);

  const left = await countJobs(store);
  const { asked, evaluation, documents, images } = worked;
  const sum = (key: keyof WorkSummary, summaries: readonly (WorkSummary | undefined)[]) =>
    summaries.reduce((total, summary) => total + (summary?.[key] ?? 0), 0);
  return {
    archives,
    evaluated: evaluation?.done ?? 0,
    contracts: asked.contracts?.done ?? 0,
    values: asked.values?.done ?? 0,
    fetched: documents?.done ?? 0,
    images: images?.done ?? 0,
    imagesFailed: images?.failed ?? 0,
    asksFailed: sum('failed', Object.values(asked)),
    fetchesFailed: documents?.failed ?? 0,
    settledOffline: worked.settledOffline,
    left,
    interrupted: options.signal.aborted,
    leftToDo: options.signal.aborted || allowedKinds(options).some((kind) => left[kind] > 0),
    bugs: sum('bugs', [...Object.values(asked), evaluation, documents, images]),
  };
}

async function replay(store: Store, options: IndexOptions): Promise<ArchiveSummary> {
  const archives = emptySummary();
  for (const path of options.archives) {
    if (options.signal.aborted) break;
    const one = await indexArchive(store, { ...options, path });
    for (const key of Object.keys(archives) as (keyof ArchiveSummary)[]) archives[key] += one[key];
  }
  return archives;
}

/** Queues what the source is to be asked. Returns what of it is there; throws if it is of another chain than the index. */
async function reach(store: Store, source: ChainSource, options: IndexOptions): Promise<Record<Asked, boolean>> {
  // First of all: what a run was asked for is not lost, however it ends.
  const forget = await queueLookups(store, options);
  const { reporter, patienceMs } = options;
  const reached = await source.reach(({ message }) => {
    if (patienceMs > 0) reporter.info(`${message} Trying again for ${Math.round(patienceMs / 1000)} s.`);
  });
  if (options.signal.aborted) return { contracts: false, values: false };
  try {
    for (const tip of Object.values(reached)) if (!isFailure(tip)) await checkChain(store, tip.chainId);
  } catch (error) {
    await forget();
    throw error;
  }
  for (const tip of new Set(Object.values(reached))) {
    if (isFailure(tip)) reporter.warn(`The node or API is left for a later run: ${tip.message}`, { code: tip.code });
  }
  return { contracts: source.hasApi && !isFailure(reached.contracts), values: !isFailure(reached.values) };
}

type Asked = 'contracts' | 'values';

async function checkChain(store: Store, ofNode: number | undefined): Promise<void> {
  const { chainId } = await readInfo(store);
  if (ofNode === undefined || chainId === ofNode) return;
  if (chainId !== undefined) throw otherChain('The node or API', ofNode, chainId);
  await store.transaction().execute((transaction) => writeChainId(transaction, ofNode));
}

interface Worked {
  readonly asked: Readonly<Record<'list' | 'contracts' | 'values', WorkSummary | undefined>>;
  readonly evaluation: WorkSummary | undefined;
  readonly documents: WorkSummary | undefined;
  readonly images: WorkSummary | undefined;
  readonly settledOffline: number;
}

const NOTHING: Worked = {
  asked: { list: undefined, contracts: undefined, values: undefined },
  evaluation: undefined,
  documents: undefined,
  images: undefined,
  settledOffline: 0,
};

/** Each stage works off one kind of job, and queues those of later ones. */
async function work(store: Store, options: IndexOptions): Promise<Worked> {
  const pipeline = new Pipeline(options.signal);
  const { concurrency, patienceMs, reporter } = options;
  const forJobs = (feeders: Feeders) => ({ concurrency, patienceMs, reporter, signal: pipeline.signal, feeders });
  const { source } = options;
  const reached = pipeline.start([], source && (() => reach(store, source, options)));
  /** Work at a source waits until the source is there. */
  const ask =
    (what: Asked, work: (store: Store, source: ChainSource, jobs: WorkOptions) => Promise<WorkSummary>) =>
    async (feeders: Feeders): Promise<WorkSummary | undefined> =>
      source !== undefined && (await reached.result)?.[what] ? work(store, source, forJobs(feeders)) : undefined;

  const list = pipeline.start([], ask('contracts', fetchTokenList));
  const contracts = pipeline.start([list], ask('contracts', fetchContracts));
  const values = pipeline.start([list, contracts], ask('values', readValues));
  const evaluation = pipeline.start(
    [],
    options.vm
      ? (feeders) => evaluateTokens(store, { ...forJobs(feeders), concurrency: options.vmThreads })
      : undefined,
  );
  const { documents: documentSource, images: imageOptions } = options;
  const documents = pipeline.start(
    [list, contracts, values, evaluation],
    documentSource && ((feeders) => fetchDocuments(store, documentSource, forJobs(feeders))),
  );
  const offline = pipeline.start(
    [],
    options.offline
      ? () => evaluation.result.then(() => (pipeline.signal.aborted ? 0 : settleOffline(store)))
      : undefined,
  );
  const images = pipeline.start(
    [list, contracts, values, evaluation, documents, offline],
    imageOptions && ((feeders) => fetchImages(store, imageOptions, forJobs(feeders))),
  );
  await pipeline.end();
  for (const what of ['contracts', 'values'] as const) {
    const why = (await reached.result)?.[what] ? source?.downBecauseOf(what) : undefined;
    if (why !== undefined) reporter.warn(`Some ${what} are left for a later run: ${why.message}`, { code: why.code });
  }
  return {
    asked: { list: await list.result, contracts: await contracts.result, values: await values.result },
    evaluation: await evaluation.result,
    documents: await documents.result,
    images: await images.result,
    settledOffline: (await offline.result) ?? 0,
  };
}

/** The kinds of work that a run may do. */
function allowedKinds({ source, vm, documents, images }: IndexOptions): JobKind[] {
  return [
    ...(source === undefined ? [] : (['read-values'] as const)),
    ...(source?.hasApi ? (['list-tokens', 'fetch-contract'] as const) : []),
    ...(vm ? (['evaluate-token'] as const) : []),
    ...(documents === undefined ? [] : (['fetch-document'] as const)),
    ...(images === undefined ? [] : (['fetch-image'] as const)),
  ];
}
