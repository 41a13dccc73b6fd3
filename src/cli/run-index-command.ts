// stxpress index: fills the index from the sources that are given, or goes on with what is left in it.
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocumentSource } from '#indexer/fetch-documents.ts';
import { type IndexOptions, type IndexSummary, runIndex } from '#indexer/run-index.ts';
import { FailureError, stop } from '#model/failure.ts';
import { IMAGE_FOLDER } from '#model/image-file.ts';
import { isContractId } from '#model/principal.ts';
import { checkArchiveExists } from '#source/event-archive/open-archive.ts';
import { readArchives } from '#store/archives.ts';
import { INDEX_FILE, openIndex, type Store } from '#store/index-database.ts';
import { takeLock } from '#store/lock.ts';
import { finishRun, type RunSummary, startRun } from '#store/runs.ts';
import { explainSqliteError } from '#store/sqlite.ts';
import type { Settings } from './config.ts';
import type { Context } from './context.ts';
import { createDocumentSource, FETCH_KEYS } from './document-source.ts';
import { EXIT_FAILED, EXIT_OK, EXIT_TRY_AGAIN } from './exit-status.ts';
import { count } from './terminal-reporter.ts';

/** The sample chain that is bundled with the program. */
export const SAMPLE_ARCHIVE = fileURLToPath(new URL('../../data/sample/chain.tsv', import.meta.url));
export const HOW_TO_INDEX_A_REAL_CHAIN = 'Index a real chain with: npm run index -- --db FILE --archive events.tsv.gz';

/** Each thread of the VM holds about 300 MB. */
const MAX_VM_THREADS = 4;

const OWN_KEYS = [
  'db',
  'archive',
  'offline',
  'noFetch',
  'noVm',
  'skipBroken',
  'refresh',
  'maxAge',
  'noImages',
  'maxImageBytes',
  'maxImagePixels',
] as const;
export const INDEX_KEYS = [...OWN_KEYS, ...FETCH_KEYS] as const;

export async function runIndexCommand(
  settings: Settings<(typeof INDEX_KEYS)[number]>,
  context: Context,
): Promise<number> {
  if (settings.offline || settings.noFetch) return indexWith(settings, undefined, context);
  const documents = createDocumentSource(settings);
  try {
    return await indexWith(settings, documents, context);
  } finally {
    await documents.close();
  }
}

type IndexSettings = Settings<(typeof OWN_KEYS)[number]>;

/** Without a source of documents, those that need one stay queued. */
export async function indexWith(
  settings: IndexSettings,
  documents: DocumentSource | undefined,
  context: Context,
): Promise<number> {
  // What is mistyped is told before an index is made.
  const refresh = readRefresh(settings);
  for (const path of settings.archive) checkArchiveExists(path);
  try {
    // The index first: beside a file that is none, no lock is left.
    const store = await openIndex(settings.db);
    try {
      const lock = takeLock(`${settings.db}.lock`, `indexing into ${settings.db}`);
      try {
        return await indexInto(store, settings, { documents, refresh }, context);
      } finally {
        lock.release();
      }
    } finally {
      await store.destroy();
    }
  } catch (error) {
    throw explainSqliteError(error, settings.db, INDEX_FILE);
  }
}

async function indexInto(
  store: Store,
  settings: IndexSettings,
  { documents, refresh }: Pick<IndexOptions, 'documents' | 'refresh'>,
  { reporter, signal, print }: Context,
): Promise<number> {
  const isNew = (await readArchives(store)).length === 0;
  const archives = settings.archive.length === 0 && isNew ? [SAMPLE_ARCHIVE] : settings.archive;
  if (settings.archive.length === 0) {
    reporter.info(
      isNew
        ? `No source and no index yet: indexing the bundled sample chain. ${HOW_TO_INDEX_A_REAL_CHAIN}`
        : `No source: going on with what is left in ${settings.db}.`,
    );
  }
  const summary = await recordRun(store, () =>
    runIndex(store, {
      archives,
      offline: settings.offline,
      documents,
      images: imageOptions(settings, documents),
      refresh,
      vm: !settings.noVm,
      skipBroken: settings.skipBroken,
      concurrency: Math.min(availableParallelism(), MAX_VM_THREADS),
      reporter,
      signal,
    }),
  );
  print(describe(summary, settings), flatten(summary));
  if (summary.bugs > 0) return EXIT_FAILED;
  return summary.leftToDo ? EXIT_TRY_AGAIN : EXIT_OK;
}

/** Copies of images are kept beside the index. Without a network, those in data: URIs are still made. */
function imageOptions(settings: IndexSettings, documents: DocumentSource | undefined): IndexOptions['images'] {
  if (settings.noImages || (documents === undefined && !settings.offline)) return undefined;
  const { maxImageBytes, maxImagePixels } = settings;
  const concurrency = documents?.concurrency ?? availableParallelism();
  return { folder: imageFolder(settings.db), fetcher: documents?.fetcher, concurrency, maxImageBytes, maxImagePixels };
}

/** Where the copies of an index's images are. */
export function imageFolder(db: string): string {
  return join(dirname(db), IMAGE_FOLDER);
}

const REFRESH_ALL = 'all';
const DURATION_UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function readRefresh({ refresh, maxAge }: IndexSettings): IndexOptions['refresh'] {
  const bad = refresh.find((principal) => principal !== REFRESH_ALL && !isContractId(principal));
  if (bad !== undefined)
    throw stop('usage', `--refresh is ${JSON.stringify(bad)}, and takes <contract address>.<contract name> or all.`);
  const principals = refresh.length === 0 ? undefined : refresh.filter((principal) => principal !== REFRESH_ALL);
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(maxAge ?? '') ?? [];
  if (maxAge !== undefined && number === undefined)
    throw stop('usage', `--max-age is ${JSON.stringify(maxAge)}, and takes a duration such as 90s, 15m, 12h or 7d.`);
  const maxAgeMs = number === undefined ? undefined : Number(number) * (DURATION_UNITS_MS[unit] ?? 0);
  return { principals: refresh.includes(REFRESH_ALL) ? [] : principals, maxAgeMs };
}

async function recordRun(store: Store, run: () => Promise<IndexSummary>): Promise<IndexSummary> {
  await startRun(store, 'index', new Date());
  try {
    const summary = await run();
    await finishRun(store, 'index', new Date(), summary.leftToDo ? 'more to do' : 'ok', flatten(summary));
    return summary;
  } catch (error) {
    const outcome = error instanceof FailureError ? error.failure.failure : 'bug';
    // What went wrong may be the database itself; the first error is the one to tell.
    await finishRun(store, 'index', new Date(), outcome, {}).catch(() => {});
    throw error;
  }
}

function flatten({
  archives,
  evaluated,
  fetched,
  fetchesFailed,
  images,
  imagesFailed,
  settledOffline,
  left,
}: IndexSummary): RunSummary {
  return {
    ...archives,
    evaluated,
    fetched,
    fetchesFailed,
    settledOffline,
    tokensLeft: left.tokens,
    documentsLeft: left.documents,
    images,
    imagesFailed,
    imagesLeft: left.images,
  };
}

function describe(
  {
    archives,
    evaluated,
    fetched,
    fetchesFailed,
    images,
    imagesFailed,
    settledOffline,
    left,
    bugs,
    interrupted,
  }: IndexSummary,
  { db, offline, noFetch, noVm, noImages }: IndexSettings,
): string {
  const lines = [
    `Indexed ${count(archives.deploys, 'deploy')} in ${count(archives.blocks, 'new block')}; evaluated ${count(evaluated, 'token')}. The index is ${db}.`,
  ];
  const add = (number: number, noun: string, rest: string) => {
    if (number > 0) lines.push(`${count(number, noun)} ${rest}.`);
  };
  add(archives.repeatedBlocks, 'block', 'of the archive known already');
  add(archives.brokenLines, 'broken line', 'passed over');
  add(archives.failures, 'failure', 'in the chain data, see: npm run status');
  add(settledOffline, 'document', 'settled as not to be fetched');
  add(left.tokens, 'token', `still to be evaluated${noVm ? ' (--no-vm)' : ': run again'}`);
  add(fetched, 'document', 'fetched');
  add(fetchesFailed, 'attempt', 'to fetch failed, see: npm run status');
  if (!offline)
    add(left.documents, 'metadata document', `still to be fetched${noFetch ? ' (--no-fetch)' : ': run again later'}`);
  add(images, 'image', 'copied');
  add(imagesFailed, 'image', 'could not be copied, see: npm run status');
  if (!offline)
    add(
      left.images,
      'image',
      `still to be copied${noFetch ? ' (--no-fetch)' : noImages ? ' (--no-images)' : ': run again later'}`,
    );
  if (interrupted) lines.push('Interrupted: the same command goes on where this one stopped.');
  add(bugs, 'token', 'met a bug of stxpress; the job keeps the details');
  return lines.join('\n');
}
