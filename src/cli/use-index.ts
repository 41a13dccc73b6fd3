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

/**
 * Runs the work of a command, and records its start and result for `stxpress status`. If the index cannot record them,
 * the command warns once and does not fail. There is no warning for an index without write access, since each build
 * would repeat it.
 */
export async function recordRun<Result>(
  store: Store,
  { command, db, work, describe, context = {}, reporter }: RunToRecord<Result>,
): Promise<Result> {
  const startedAt = new Date();
  let isRecorded = true;
  const record = async (finishedAt: Date | undefined, outcome: string | undefined, summary: RunSummary) => {
    if (!isRecorded) return;
    try {
      await writeRun(store, command, { startedAt, finishedAt, outcome, summary });
    } catch (error) {
      const explained = explainSqliteError(error, db, INDEX_FILE);
      if (!(explained instanceof FailureError)) throw error;
      isRecorded = false;
      if (explained.failure.code !== 'index-unwritable')
        reporter.warn(`The index could not record the ${command}: ${explained.message}`);
    }
  };
  await record(undefined, undefined, {});
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    const explained = explainSqliteError(error, db, INDEX_FILE);
    const outcome = explained instanceof FailureError ? explained.failure.code : 'bug';
    // If the database caused the error, recording may fail too, and must not hide the first error.
    await record(new Date(), outcome, context).catch(() => {});
    throw error;
  }
  const { outcome, summary } = describe(result);
  await record(new Date(), outcome, summary);
  return result;
}
