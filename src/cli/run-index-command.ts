// stxpress index: fills the index from the named sources, or continues with the remaining jobs.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSeed } from '#indexer/chain/index-seed.ts';
import type { DocumentSource, IndexOptions } from '#indexer/index-options.ts';
import { runIndex } from '#indexer/run-index.ts';
import { SEED_PART_PATH } from '#layout/data-files.ts';
import { IMAGE_FOLDER } from '#layout/image-files.ts';
import { FailureError } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { isTemporary } from '#model/temporary.ts';
import { readContractList } from '#source/contract-list/read-contract-list.ts';
import { checkArchiveExists } from '#source/event-archive/open-archive.ts';
import { keepDatabase } from '#sqlite/keep-database.ts';
import { takeLock } from '#sqlite/lock.ts';
import { explainSqliteError } from '#sqlite/sqlite-errors.ts';
import { dropUnread, readArchives, readUnfinishedArchives } from '#store/chain/archives.ts';
import { readTip } from '#store/chain/blocks.ts';
import { INDEX_FILE, type Store } from '#store/index-database.ts';
import { readInfo, type SourceUrls, writeInfo } from '#store/index-info.ts';
import { offlineFetcher } from '#uri/uri-fetcher.ts';
import { checkCanBegin, checkHasApi, checkUsage, HOW_TO_INDEX_A_REAL_CHAIN } from './check-index-settings.ts';
import { checkWritable } from './check-writable.ts';
import { describeIndexRun, flattenIndexRun } from './describe-index-run.ts';
import { followLink } from './follow-link.ts';
import { createDocumentSource, MAX_DOCUMENT_BYTES, openSource, readSourceUrls } from './open-network.ts';
import { findOldIndex } from './open-old-index.ts';
import { openNamedSeed, openUnfinishedSeed } from './open-seed.ts';
import { ALL, type SettingsOf } from './options.ts';
import { describeUnfinished } from './pending-work.ts';
import { type Context, EXIT_FAILED, EXIT_OK, EXIT_TRY_AGAIN } from './surroundings.ts';
import { recordRun, withIndex } from './use-index.ts';

export const SAMPLE_ARCHIVE = fileURLToPath(new URL('../../data/sample/chain.tsv', import.meta.url));
/** The maximum number of VM threads, each of which uses about 300 MB. */
const MAX_VM_THREADS = 4;
/** The maximum number of pixels of an image to copy. */
const MAX_IMAGE_PIXELS = 50_000_000;

type IndexSettings = SettingsOf<'index'>;

export async function run(parsed: IndexSettings, context: Context): Promise<number> {
  const settings = { ...parsed, db: followLink(parsed.db) };
  const { db, archive } = settings;
  // Errors of usage are reported before an index is created.
  const named = readSourceUrls(settings);
  checkUsage(settings, named);
  const contracts = new Set((await Promise.all(settings.contracts.map(readContractList))).flat());
  const existed = existsSync(db);
  checkWritable('--db', parsed.db, dirname(db), 'index-unwritable');
  if (!existed) {
    checkHasApi(settings, named);
    checkCanBegin(settings, named, existed);
  }
  await using network = createDocumentSource(settings);
  const documents = settings.offline ? { fetcher: offlineFetcher, maxDocumentBytes: MAX_DOCUMENT_BYTES } : network;
  for (const path of archive) checkArchiveExists(path);
  await using seed = openNamedSeed(settings, context);
  // A seed that is refused neither creates an index, nor replaces one.
  const checksFirst = seed !== undefined && (settings.rebuild || !existed);
  const manifest = checksFirst ? (await readSeed(seed)).manifest : undefined;
  if (settings.rebuild) keepOldIndex(db, context.reporter);
  // The index is opened before it is locked, so that no lock file is left next to a file that is not an index.
  return await withIndex(db, async (store) => {
    using _lock = lockIndex(db);
    return await fillIndex(store, settings, context, {
      named,
      seed: seed && { ...seed, manifest },
      contracts: [...contracts],
      documents,
      existed,
    });
  });
}

interface Sources {
  /** The servers that the settings of this run name. */
  readonly named: SourceUrls;
  /** The seed that the settings of this run name. */
  readonly seed: IndexOptions['seed'];
  readonly contracts: readonly string[];
  readonly documents: DocumentSource;
  /** True if the index existed before this run. */
  readonly existed: boolean;
}

async function fillIndex(
  store: Store,
  settings: IndexSettings,
  context: Context,
  { named, seed: namedSeed, contracts, documents, existed }: Sources,
): Promise<number> {
  const { reporter, signal } = context;
  const { db, archive, discover, refresh } = settings;
  const { nodeUrl, apiUrl, seed: unfinishedSeed } = await readInfo(store);
  const stored = { nodeUrl, apiUrl };
  const known = await readArchives(store);
  const hasBlocks = (await readTip(store)) !== undefined;
  const isNew = !hasUrl(stored) && known.length === 0 && unfinishedSeed === undefined && !hasBlocks;
  if (hasUrl(named)) await writeInfo(store, { nodeUrl: named.nodeUrl, apiUrl: named.apiUrl });
  // A run without a named source continues with the servers of the last run.
  const needsSource = contracts.length > 0 || discover !== undefined || refresh.length > 0;
  const readsArchive = archive.length > 0 || namedSeed !== undefined;
  const continues = needsSource || (!readsArchive && !settings.offline);
  const urls = hasUrl(named) || !continues ? named : stored;
  checkHasApi(settings, urls);
  const hasNoSource = archive.length === 0 && namedSeed === undefined && !hasUrl(named);
  if (isNew) checkCanBegin(settings, named, existed);
  if (hasNoSource && isNew)
    reporter.info(`There is no source and no index yet: indexing the bundled sample. ${HOW_TO_INDEX_A_REAL_CHAIN}`);
  else if (hasNoSource) reporter.info(`No source is named: continuing with the remaining jobs of ${db}.`);
  if (archive.length > 0) await forgetMoved(store);
  const left = hasNoSource && !isNew ? await unfinishedArchives(store, db, reporter) : archive;
  const archives = hasNoSource && isNew ? [SAMPLE_ARCHIVE] : left;
  await using continuedSeed = openUnfinishedSeed(settings, hasNoSource ? unfinishedSeed : undefined, context);
  await using source = await openSource(urls, settings, context);
  using oldIndex = await findOldIndex(store, settings, reporter);
  try {
    const summary = await recordRun(store, {
      command: 'index',
      db,
      reporter,
      work: () =>
        runIndex(store, {
          ...settings,
          archives,
          seed: namedSeed ?? continuedSeed,
          oldIndex,
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
          finalBlocks: settings.finalBlocks,
          vmTimeoutMs: settings.vmTimeout * 1000,
          vmThreads: Math.min(availableParallelism(), MAX_VM_THREADS),
          patienceMs: settings.wait * 1000,
          reporter,
          signal,
        }),
      describe: (result) => ({ outcome: result.leftToDo ? 'more to do' : 'ok', summary: flattenIndexRun(result) }),
    });
    context.print(describeIndexRun(summary, settings));
    const { bugs, leftToDo, seedFailure, sourceFailure } = summary;
    const isLasting = seedFailure !== undefined && !isTemporary(seedFailure);
    if (bugs > 0 || isLasting || (leftToDo && sourceFailure !== undefined)) return EXIT_FAILED;
    return leftToDo || seedFailure !== undefined ? EXIT_TRY_AGAIN : EXIT_OK;
  } catch (error) {
    // Restores the earlier servers, since the new ones belong to another chain.
    if (error instanceof FailureError && error.failure.code === 'other-chain') await writeInfo(store, stored);
    throw error;
  }
}

/**
 * Drops the records of unread archives that no longer exist. They may have been renamed, and this run may read them.
 */
async function forgetMoved(store: Store): Promise<void> {
  for (const { name } of await readUnfinishedArchives(store)) if (!existsSync(name)) await dropUnread(store, name);
}

/** Returns the archives that earlier runs did not read to their end. Warns about damaged and missing archives. */
async function unfinishedArchives(store: Store, db: string, reporter: Reporter): Promise<string[]> {
  const paths: string[] = [];
  for (const archive of await readUnfinishedArchives(store)) {
    // The run continues the whole seed, not a single part.
    if (SEED_PART_PATH.test(archive.name)) continue;
    if (archive.failure === undefined && existsSync(archive.name)) paths.push(archive.name);
    else reporter.warn(describeUnfinished(archive, db).join(' '));
  }
  return paths;
}

function hasUrl({ nodeUrl, apiUrl }: SourceUrls): boolean {
  return nodeUrl !== undefined || apiUrl !== undefined;
}

function keepOldIndex(db: string, reporter: Reporter): void {
  try {
    using _lock = lockIndex(db);
    const kept = keepDatabase(db);
    if (kept !== undefined)
      reporter.info(`The old index was renamed to ${kept}. Delete it when you no longer need it.`);
  } catch (error) {
    throw explainSqliteError(error, db, INDEX_FILE);
  }
}

function lockIndex(db: string): Disposable {
  return takeLock(`${db}.lock`, `indexing into ${db}`);
}

/** Returns the options for image copies, which are stored next to the index; undefined if no image is copied. */
function imageOptions(settings: IndexSettings, { fetcher }: DocumentSource): IndexOptions['images'] {
  const { db, images, maxImageBytes } = settings;
  if (!images) return undefined;
  return { folder: join(dirname(db), IMAGE_FOLDER), fetcher, maxImageBytes, maxImagePixels: MAX_IMAGE_PIXELS };
}
