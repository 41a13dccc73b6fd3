// stxpress index: fills the index from the sources that are given, or goes on with what is left in it.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { DocumentSource } from '#indexer/fetch-documents.ts';
import { type IndexSummary, runIndex } from '#indexer/run-index.ts';
import { FailureError } from '#model/failure.ts';
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

const OWN_KEYS = ['db', 'archive', 'offline', 'noFetch', 'noVm', 'skipBroken'] as const;
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
  // A mistyped path is told before an index is made for it.
  for (const path of settings.archive) checkArchiveExists(path);
  try {
    // The index first: beside a file that is none, no lock is left.
    const store = await openIndex(settings.db);
    try {
      const lock = takeLock(`${settings.db}.lock`, `indexing into ${settings.db}`);
      try {
        return await indexInto(store, settings, documents, context);
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
  documents: DocumentSource | undefined,
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

function flatten({ archives, evaluated, fetched, fetchesFailed, settledOffline, left }: IndexSummary): RunSummary {
  return {
    ...archives,
    evaluated,
    fetched,
    fetchesFailed,
    settledOffline,
    tokensLeft: left.tokens,
    documentsLeft: left.documents,
  };
}

function describe(
  { archives, evaluated, fetched, fetchesFailed, settledOffline, left, bugs, interrupted }: IndexSummary,
  { db, offline, noFetch, noVm }: IndexSettings,
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
  if (interrupted) lines.push('Interrupted: the same command goes on where this one stopped.');
  add(bugs, 'token', 'met a bug of stxpress; the job keeps the details');
  return lines.join('\n');
}
