// Runs the work of a command, and keeps in the index how it went, for `stxpress status`.
import { FailureError } from '#model/failure.ts';
import { INDEX_FILE, type Store } from '#store/index-database.ts';
import { finishRun, type RunCommand, type RunSummary, startRun } from '#store/runs.ts';
import { explainSqliteError } from '#store/sqlite-errors.ts';

/** `describe` says what to keep of a result; `context` is kept of a failure. */
export async function recordRun<Result>(
  store: Store,
  { command, db, context = {} }: { command: RunCommand; db: string; context?: RunSummary },
  work: () => Promise<Result>,
  describe: (result: Result) => { outcome: string; summary: RunSummary },
): Promise<Result> {
  await startRun(store, command, new Date());
  try {
    const result = await work();
    const { outcome, summary } = describe(result);
    await finishRun(store, command, new Date(), outcome, summary);
    return result;
  } catch (error) {
    const explained = explainSqliteError(error, db, INDEX_FILE);
    const outcome = explained instanceof FailureError ? explained.failure.code : 'bug';
    // The trouble may be the database itself; the first error is the one to show.
    await finishRun(store, command, new Date(), outcome, context).catch(() => {});
    throw error;
  }
}
