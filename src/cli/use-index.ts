// Opens the index for a command, explains errors of SQLite, and records the result of a run in the index.
import { FailureError } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import type { OpenOptions } from '#sqlite/open-sqlite.ts';
import { explainSqliteError } from '#sqlite/sqlite-errors.ts';
import { INDEX_FILE, openIndex, type Store } from '#store/index-database.ts';
import { type RunCommand, type RunSummary, writeRun } from '#store/work/runs.ts';

export async function withIndex<Result>(db: string, use: (store: Store) => Promise<Result>, options?: OpenOptions) {
  try {
    await using store = await openIndex(db, options);
    return await use(store);
  } catch (error) {
    throw explainSqliteError(error, db, INDEX_FILE);
  }
}

/** Opens an existing index for reading. */
export function readIndex<Result>(db: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  return withIndex(db, use, { mustExist: true, readOnly: true });
}

interface RunToRecord<Result> {
  readonly command: RunCommand;
  readonly db: string;
  readonly work: () => Promise<Result>;
  readonly describe: (result: Result) => { outcome: string; summary: RunSummary };
  /** Facts to record with a failure. */
  readonly context?: RunSummary;
  readonly reporter: Reporter;
}

/** Runs the work of a command, and records its result for `stxpress status`. */
export async function recordRun<Result>(
  store: Store,
  { command, db, work, describe, context = {}, reporter }: RunToRecord<Result>,
): Promise<Result> {
  const startedAt = new Date();
  // A build may run during an index run, so it records only its end, and a failure to record does not fail the build.
  const isGuest = command === 'build';
  const finish = (outcome: string, summary: RunSummary) =>
    writeRun(store, command, { startedAt, finishedAt: new Date(), outcome, summary });
  if (!isGuest) await writeRun(store, command, { startedAt, finishedAt: undefined, outcome: undefined, summary: {} });
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    const explained = explainSqliteError(error, db, INDEX_FILE);
    const outcome = explained instanceof FailureError ? explained.failure.code : 'bug';
    // If the database caused the error, recording may fail too, and must not hide the first error.
    await finish(outcome, context).catch(() => {});
    throw error;
  }
  const { outcome, summary } = describe(result);
  try {
    await finish(outcome, summary);
  } catch (error) {
    const explained = explainSqliteError(error, db, INDEX_FILE);
    if (!isGuest || !(explained instanceof FailureError)) throw error;
    // Omits the warning, which users with read-only access would see at every build.
    if (explained.failure.code === 'index-unwritable') return result;
    reporter.warn(`The ${command} is done, but the index could not record it: ${explained.message}`);
  }
  return result;
}
