// stxpress index: fills the index from the sources that are given, or goes on with what is left in it.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type IndexOptions, NO_REFRESH } from '#indexer/index-options.ts';
import { type IndexSummary, runIndex } from '#indexer/run-index.ts';
import { FailureError, stop } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';
import type { Reporter } from '#model/reporter.ts';
import { readContractList } from '#source/contract-list/read-contract-list.ts';
import { checkArchiveExists } from '#source/event-archive/open-archive.ts';
import { readArchives } from '#store/archives.ts';
import { INDEX_FILE, openIndex, type Store } from '#store/index-database.ts';
import { keepDatabase } from '#store/keep-database.ts';
import { takeLock } from '#store/lock.ts';
import { finishRun, startRun } from '#store/runs.ts';
import { readStoredUrls, type SourceUrls, writeStoredUrls } from '#store/source-urls.ts';
import { explainSqliteError } from '#store/sqlite-errors.ts';
import { offlineFetcher } from '#uri/offline-fetcher.ts';
import { openSource, readSourceUrls } from './chain-source.ts';
import { INDEX_KEYS } from './command-keys.ts';
import { readDefaults, type Settings } from './config.ts';
import type { Context } from './context.ts';
import { describeIndexRun, flattenIndexRun } from './describe-index-run.ts';
import { createDocumentSource, readLimits } from './document-source.ts';
import { EXIT_FAILED, EXIT_OK, EXIT_TRY_AGAIN } from './exit-status.ts';
import { ALL } from './flags.ts';
import { imageFolder } from './image-folder.ts';

/** The sample chain that is bundled with the program. */
export const SAMPLE_ARCHIVE = fileURLToPath(new URL('../../data/sample/chain.tsv', import.meta.url));
export const HOW_TO_INDEX_A_REAL_CHAIN =
  'Index a real chain with: npm run index -- --db data/mainnet.sqlite --api-url https://api.hiro.so --discover ft';

/** Each thread of the VM holds about 300 MB. */
const MAX_VM_THREADS = 4;

type IndexSettings = Settings<(typeof INDEX_KEYS)[number]>;

export async function runIndexCommand(settings: IndexSettings, context: Context): Promise<number> {
  // What is mistyped is told before an index is made.
  const given = readSourceUrls(settings);
  if (settings.offline) refuseSourcesOffline(settings, given);
  const refresh = readRefresh(settings);
  if (settings.contracts.includes('-') && settings.archive.includes('-'))
    throw stop('usage', '--archive and --contracts both name standard input.');
  const contracts = new Set<string>();
  for (const path of settings.contracts) for (const id of await readContractList(path)) contracts.add(id);
  if (!existsSync(settings.db)) checkHasApi(settings, given);
  if (settings.rebuild) checkCanRebuild(settings, given);
  const network = settings.offline || settings.noFetch ? undefined : createDocumentSource(settings);
  const documents = settings.offline
    ? { fetcher: offlineFetcher, maxDocumentBytes: settings.maxDocumentBytes }
    : network;
  try {
    return await withIndex(settings, context.reporter, async (store) => {
      const stored = await readStoredUrls(store);
      const isNew =
        (await readArchives(store)).length === 0 && stored.apiUrl === undefined && stored.nodeUrl === undefined;
      const isGiven = given.apiUrl !== undefined || given.nodeUrl !== undefined;
      if (isGiven) await writeStoredUrls(store, given);
      // Without a source, a run goes on with that of the last one.
      const asks = contracts.size > 0 || settings.discover !== undefined || refresh.principals !== undefined;
      const goesOn = asks || (settings.archive.length === 0 && network !== undefined);
      const urls = isGiven ? given : goesOn ? stored : { nodeUrl: undefined, apiUrl: undefined };
      checkHasApi(settings, urls);
      const archives = settings.archive.length === 0 && isNew && !isGiven ? [SAMPLE_ARCHIVE] : settings.archive;
      if (settings.archive.length === 0 && !isGiven) {
        context.reporter.info(
          isNew
            ? `No source and no index yet: indexing the bundled sample chain. ${HOW_TO_INDEX_A_REAL_CHAIN}`
            : `No source: going on with what is left in ${settings.db}.`,
        );
      }
      const opened = await openSource(urls, settings, readLimits(settings), context.signal);
      for (const line of opened?.description ?? []) context.reporter.info(line);
      try {
        return await index(store, settings, context, {
          archives,
          contracts: [...contracts],
          refresh,
          documents,
          source: opened?.source,
          discover: settings.discover !== undefined,
        });
      } catch (error) {
        // That of another chain is nothing to go on with.
        if (error instanceof FailureError && error.failure.code === 'other-chain') await writeStoredUrls(store, stored);
        throw error;
      } finally {
        await opened?.close();
      }
    });
  } finally {
    await network?.close();
  }
}

/** Indexes the bundled sample, without a network. */
export async function indexSample(db: string, context: Context): Promise<number> {
  const settings = { ...readDefaults(INDEX_KEYS), db, noFetch: true, noImages: true };
  return withIndex(settings, context.reporter, (store) =>
    index(store, settings, context, {
      archives: [SAMPLE_ARCHIVE],
      contracts: [],
      refresh: NO_REFRESH,
      documents: undefined,
      source: undefined,
      discover: false,
    }),
  );
}

async function withIndex(
  { db, archive, rebuild }: Pick<IndexSettings, 'db' | 'archive' | 'rebuild'>,
  reporter: Reporter,
  use: (store: Store) => Promise<number>,
): Promise<number> {
  for (const path of archive) checkArchiveExists(path);
  try {
    if (rebuild) keepOldIndex(db, reporter);
    // The index first: beside a file that is none, no lock is left.
    const store = await openIndex(db);
    try {
      const lock = takeLock(`${db}.lock`, `indexing into ${db}`);
      try {
        return await use(store);
      } finally {
        lock.release();
      }
    } finally {
      await store.destroy();
    }
  } catch (error) {
    throw explainSqliteError(error, db, INDEX_FILE);
  }
}

/** A fresh index knows no source: what was indexed must be given again. */
function checkCanRebuild({ archive }: IndexSettings, { nodeUrl, apiUrl }: SourceUrls): void {
  if (archive.length > 0 || apiUrl !== undefined || nodeUrl !== undefined) return;
  throw stop(
    'usage',
    '--rebuild starts an empty index. Give what it is to be filled from again, with --archive, --api-url or --node-url.',
  );
}

function keepOldIndex(db: string, reporter: Reporter): void {
  const lock = takeLock(`${db}.lock`, `indexing into ${db}`);
  try {
    const kept = keepDatabase(db);
    if (kept !== undefined)
      reporter.info(`The old index is kept as ${kept}. Delete it when it is not needed any more.`);
  } finally {
    lock.release();
  }
}

type Inputs = Pick<IndexOptions, 'archives' | 'contracts' | 'refresh' | 'documents' | 'source' | 'discover'>;

async function index(
  store: Store,
  settings: IndexSettings,
  { reporter, signal, print }: Context,
  inputs: Inputs,
): Promise<number> {
  const summary = await recordRun(store, settings.db, () =>
    runIndex(store, {
      ...inputs,
      images: imageOptions(settings, inputs.documents),
      vm: !settings.noVm,
      skipBroken: settings.skipBroken,
      vmThreads: Math.min(availableParallelism(), MAX_VM_THREADS),
      concurrency: settings.concurrency,
      patienceMs: settings.wait * 1000,
      reporter,
      signal,
    }),
  );
  print(describeIndexRun(summary, settings), flattenIndexRun(summary));
  if (summary.bugs > 0) return EXIT_FAILED;
  return summary.leftToDo ? EXIT_TRY_AGAIN : EXIT_OK;
}

function refuseSourcesOffline(settings: IndexSettings, { nodeUrl, apiUrl }: SourceUrls): void {
  const flags = {
    '--node-url': nodeUrl !== undefined,
    '--api-url': apiUrl !== undefined,
    '--discover': settings.discover !== undefined,
    '--contracts': settings.contracts.length > 0,
    '--refresh': settings.refresh.length > 0,
    '--max-age': settings.maxAge !== undefined,
  };
  const given = Object.entries(flags).find(([, isGiven]) => isGiven)?.[0];
  if (given !== undefined) throw stop('usage', `--offline and ${given} contradict each other. Leave one out.`);
}

function checkHasApi(settings: IndexSettings, { apiUrl }: SourceUrls): void {
  const flag =
    settings.discover !== undefined ? '--discover' : settings.contracts.length > 0 ? '--contracts' : undefined;
  if (flag !== undefined && apiUrl === undefined) {
    throw stop(
      'usage',
      `${flag} needs --api-url: a node does not tell which transaction deployed a contract. The public one is https://api.hiro.so`,
    );
  }
}

/** Copies of images are kept beside the index. Without a network, those in data: URIs are still made. */
function imageOptions(settings: IndexSettings, documents: IndexOptions['documents']): IndexOptions['images'] {
  if (settings.noImages || documents === undefined) return undefined;
  const { maxImageBytes, maxImagePixels } = settings;
  return { folder: imageFolder(settings.db), fetcher: documents.fetcher, maxImageBytes, maxImagePixels };
}

const DURATION_UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function readRefresh({ refresh, maxAge }: IndexSettings): IndexOptions['refresh'] {
  const bad = refresh.find((principal) => principal !== ALL && !isContractId(principal));
  if (bad !== undefined)
    throw stop(
      'usage',
      `--refresh is ${JSON.stringify(bad)}, and takes <contract address>.<contract name>, or nothing for every token.`,
    );
  const principals = refresh.length === 0 ? undefined : refresh.filter((principal) => principal !== ALL);
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(maxAge ?? '') ?? [];
  if (maxAge !== undefined && number === undefined)
    throw stop('usage', `--max-age is ${JSON.stringify(maxAge)}, and takes a duration such as 90s, 15m, 12h or 7d.`);
  const maxAgeMs = number === undefined ? undefined : Number(number) * (DURATION_UNITS_MS[unit] ?? 0);
  return { principals: refresh.includes(ALL) ? [] : principals, maxAgeMs };
}

async function recordRun(store: Store, db: string, run: () => Promise<IndexSummary>): Promise<IndexSummary> {
  await startRun(store, 'index', new Date());
  try {
    const summary = await run();
    await finishRun(store, 'index', new Date(), summary.leftToDo ? 'more to do' : 'ok', flattenIndexRun(summary));
    return summary;
  } catch (error) {
    const explained = explainSqliteError(error, db, INDEX_FILE);
    const outcome = explained instanceof FailureError ? explained.failure.code : 'bug';
    // What went wrong may be the database itself; the first error is the one to tell.
    await finishRun(store, 'index', new Date(), outcome, {}).catch(() => {});
    throw error;
  }
}
