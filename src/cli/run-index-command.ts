// stxpress index: fills the index from the sources that are given, or continues with what is left in it.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IndexOptions } from '#indexer/index-options.ts';
import { runIndex } from '#indexer/run-index.ts';
import { IMAGE_FOLDER } from '#layout/image-files.ts';
import { FailureError, stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { readContractList } from '#source/contract-list/read-contract-list.ts';
import { checkArchiveExists } from '#source/event-archive/open-archive.ts';
import { keepDatabase } from '#sqlite/keep-database.ts';
import { takeLock } from '#sqlite/lock.ts';
import { explainSqliteError } from '#sqlite/sqlite-errors.ts';
import { dropUnread, readArchives, readUnfinishedArchives } from '#store/chain/archives.ts';
import { INDEX_FILE, type Store } from '#store/index-database.ts';
import { readInfo, type SourceUrls, writeInfo } from '#store/index-info.ts';
import { commandLine } from '#text/command-line.ts';
import { offlineFetcher } from '#uri/uri-fetcher.ts';
import { describeIndexRun, flattenIndexRun } from './describe-index-run.ts';
import { followLink } from './follow-link.ts';
import { openKept } from './open-kept.ts';
import { createDocumentSource, openSource, readSourceUrls } from './open-network.ts';
import { ALL, type SettingsOf } from './options.ts';
import { describeUnfinished } from './pending-work.ts';
import { recordRun, withIndex } from './use-index.ts';
import { type Context, EXIT_FAILED, EXIT_OK, EXIT_TRY_AGAIN } from './world.ts';

export const SAMPLE_ARCHIVE = fileURLToPath(new URL('../../data/sample/chain.tsv', import.meta.url));
export const HOW_TO_INDEX_A_REAL_CHAIN =
  'Index a real chain with: ' +
  commandLine('index', '--db data/mainnet.sqlite --api-url https://api.hiro.so --discover ft');

/** Each thread of the VM holds about 300 MB. */
const MAX_VM_THREADS = 4;

type IndexSettings = SettingsOf<'index'>;

export async function run(asGiven: IndexSettings, context: Context): Promise<number> {
  const settings = { ...asGiven, db: followLink(asGiven.db) };
  const { db, archive } = settings;
  // Mistakes are reported before an index is made.
  const given = readSourceUrls(settings);
  checkUsage(settings, given);
  const contracts = new Set((await Promise.all(settings.contracts.map(readContractList))).flat());
  const existed = existsSync(db);
  if (!existed) {
    checkHasApi(settings, given);
    checkCanBegin(settings, given, existed);
  }
  await using network = createDocumentSource(settings);
  const { maxDocumentBytes, fetch, offline } = settings;
  const online = fetch ? network : undefined;
  const documents = offline ? { fetcher: offlineFetcher, maxDocumentBytes } : online;
  for (const path of archive) checkArchiveExists(path);
  if (settings.rebuild) keepOldIndex(db, context.reporter);
  // The index is opened first, so that no lock is left next to a file that is not an index.
  return await withIndex(db, async (store) => {
    using _lock = lockIndex(db);
    return await fillIndex(store, settings, context, { given, contracts: [...contracts], documents, existed });
  });
}

interface Sources {
  readonly given: SourceUrls;
  readonly contracts: readonly string[];
  /** Undefined where nothing is to be fetched. */
  readonly documents: IndexOptions['documents'];
  /** True if the index was there before this run. */
  readonly existed: boolean;
}

async function fillIndex(
  store: Store,
  settings: IndexSettings,
  context: Context,
  { given, contracts, documents, existed }: Sources,
): Promise<number> {
  const { reporter, signal } = context;
  const { db, archive, discover, refresh } = settings;
  const { nodeUrl, apiUrl } = await readInfo(store);
  const stored = { nodeUrl, apiUrl };
  const known = await readArchives(store);
  const isNew = !hasUrl(stored) && known.length === 0;
  if (hasUrl(given)) await writeInfo(store, { nodeUrl: given.nodeUrl, apiUrl: given.apiUrl });
  // Without a source, a run continues with that of the last one.
  const needsSource = contracts.length > 0 || discover !== undefined || refresh.length > 0;
  const continues = needsSource || (archive.length === 0 && documents !== undefined && !settings.offline);
  const urls = hasUrl(given) || !continues ? given : stored;
  checkHasApi(settings, urls);
  if (refresh.length > 0 && !hasUrl(urls) && documents === undefined && !settings.vm)
    reporter.warn(
      'Nothing can be refreshed: the index knows no node or API to read values from (--node-url, --api-url), --no-fetch ' +
        'leaves out documents and images, and --no-vm what failed in the Clarity VM.',
    );
  const hasNoSource = archive.length === 0 && !hasUrl(given);
  if (isNew) checkCanBegin(settings, given, existed);
  if (hasNoSource && isNew)
    reporter.info(`No source and no index yet: indexing the bundled sample. ${HOW_TO_INDEX_A_REAL_CHAIN}`);
  else if (hasNoSource) reporter.info(`No source given: continuing with what is left in ${db}.`);
  if (archive.length > 0) await forgetMoved(store);
  const left = hasNoSource && !isNew ? await unfinishedArchives(store, db, reporter) : archive;
  const archives = hasNoSource && isNew ? [SAMPLE_ARCHIVE] : left;
  await using source = await openSource(urls, settings, context);
  using kept = await openKept(store, settings, reporter);
  try {
    const summary = await recordRun(store, {
      command: 'index',
      db,
      reporter,
      work: () =>
        runIndex(store, {
          ...settings,
          archives,
          kept,
          source,
          contracts,
          discover: discover !== undefined,
          documents,
          images: imageOptions(settings, documents),
          refresh: {
            principals: refresh.length === 0 ? undefined : refresh.includes(ALL) ? [] : refresh,
            maxAgeMs: settings.maxAgeMs,
          },
          evaluator: context.evaluator,
          finality: { blocks: settings.finalBlocks, burnBlocks: settings.finalBurnBlocks },
          vmTimeoutMs: settings.vmTimeout * 1000,
          vmThreads: Math.min(availableParallelism(), MAX_VM_THREADS),
          patienceMs: settings.wait * 1000,
          reporter,
          signal,
        }),
      describe: (result) => ({ outcome: result.leftToDo ? 'more to do' : 'ok', summary: flattenIndexRun(result) }),
    });
    context.print(describeIndexRun(summary, settings), flattenIndexRun(summary));
    if (summary.bugs > 0) return EXIT_FAILED;
    return summary.leftToDo ? EXIT_TRY_AGAIN : EXIT_OK;
  } catch (error) {
    // A source of another chain is not remembered.
    if (error instanceof FailureError && error.failure.code === 'other-chain') await writeInfo(store, stored);
    throw error;
  }
}

/** Of an archive that was to be read and is gone, nothing is left to do: those that are given now may be it. */
async function forgetMoved(store: Store): Promise<void> {
  for (const { name } of await readUnfinishedArchives(store)) if (!existsSync(name)) await dropUnread(store, name);
}

/** Archives that earlier runs did not read to their end, and that are still where they were. Warns about others. */
async function unfinishedArchives(store: Store, db: string, reporter: Reporter): Promise<string[]> {
  const paths: string[] = [];
  for (const archive of await readUnfinishedArchives(store)) {
    if (archive.failure === undefined && existsSync(archive.name)) paths.push(archive.name);
    else reporter.warn(describeUnfinished(archive, db).join(' '));
  }
  return paths;
}

/** Throws FailureError `usage` for an empty index that this run cannot fill. */
function checkCanBegin({ db, archive, refresh, maxAgeMs }: IndexSettings, urls: SourceUrls, existed: boolean): void {
  const only = (what: string) => stop('usage', `${db} has no contracts yet, and ${what}. ${HOW_TO_INDEX_A_REAL_CHAIN}`);
  if (archive.length > 0 || urls.apiUrl !== undefined) return;
  if (urls.nodeUrl !== undefined) throw only('a node alone cannot list them');
  if (refresh.length > 0 || maxAgeMs !== undefined) throw only('there is nothing to refresh');
  if (existed) throw only('no source is given');
}

function hasUrl({ nodeUrl, apiUrl }: SourceUrls): boolean {
  return nodeUrl !== undefined || apiUrl !== undefined;
}

function keepOldIndex(db: string, reporter: Reporter): void {
  try {
    using _lock = lockIndex(db);
    const kept = keepDatabase(db);
    if (kept !== undefined) reporter.info(`The old index is kept as ${kept}. Delete it when you no longer need it.`);
  } catch (error) {
    throw explainSqliteError(error, db, INDEX_FILE);
  }
}

function lockIndex(db: string): Disposable {
  return takeLock(`${db}.lock`, `indexing into ${db}`);
}

function checkUsage(settings: IndexSettings, { nodeUrl, apiUrl }: SourceUrls): void {
  const { archive, contracts, discover, refresh, maxAgeMs } = settings;
  const online = {
    '--node-url': nodeUrl !== undefined,
    '--api-url': apiUrl !== undefined,
    '--discover': discover !== undefined,
    '--contracts': contracts.length > 0,
    '--refresh': refresh.length > 0,
    '--max-age': maxAgeMs !== undefined,
  };
  const flag = Object.entries(online).find(([, isGiven]) => isGiven)?.[0];
  if (settings.offline && flag !== undefined)
    throw stop('usage', `--offline and ${flag} contradict each other. Leave one out.`);
  if (contracts.includes('-') && archive.includes('-'))
    throw stop('usage', '--archive and --contracts both name standard input.');
  // A fresh index knows no source.
  if (settings.rebuild && archive.length === 0 && apiUrl === undefined)
    throw stop('usage', '--rebuild starts an empty index. Give its sources again, with --archive or --api-url.');
}

function checkHasApi({ discover, contracts }: IndexSettings, { apiUrl }: SourceUrls): void {
  const flag = discover !== undefined ? '--discover' : contracts.length > 0 ? '--contracts' : undefined;
  if (flag === undefined || apiUrl !== undefined) return;
  throw stop(
    'usage',
    `${flag} needs --api-url: a node cannot say which transaction deployed a contract. ` +
      'The public API is https://api.hiro.so',
  );
}

/** Copies of images are kept next to the index. Without a network, those in data: URIs are still made. */
function imageOptions(settings: IndexSettings, documents: IndexOptions['documents']): IndexOptions['images'] {
  const { db, images, maxImageBytes, maxImagePixels } = settings;
  if (!images || documents === undefined) return undefined;
  return { folder: join(dirname(db), IMAGE_FOLDER), fetcher: documents.fetcher, maxImageBytes, maxImagePixels };
}
