// Queries about runs: the results of the last index run and the last build, for `stxpress status`.

import { damagedRow, readStoredJson } from '#sqlite/columns.ts';
import { rowsWith } from '#sqlite/lists.ts';
import type { Store, StoreReader } from '../index-database.ts';

export type RunCommand = 'index' | 'build';
export type RunSummary = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface Run {
  readonly startedAt: Date;
  /** Undefined for a run in progress or a killed run. */
  readonly finishedAt: Date | undefined;
  /** `ok`, `more to do`, or the code of the failure that ended the run. */
  readonly outcome: string | undefined;
  readonly summary: RunSummary;
}

export async function writeRun(store: Store, command: RunCommand, run: Run): Promise<void> {
  const result = JSON.stringify(run);
  const stored = store.insertInto('run').values({ command, result });
  await stored.onConflict((conflict) => conflict.doUpdateSet({ result })).execute();
}

export async function readRun(store: StoreReader, command: RunCommand): Promise<Run | undefined> {
  const [row] = await rowsWith(store, 'run', 'command', [command]);
  if (row === undefined) return undefined;
  const run = readStoredJson<Run>(row.result, `the summary of the last ${command} run`);
  return { ...run, startedAt: readTime(run.startedAt), finishedAt: run.finishedAt && readTime(run.finishedAt) };
}

/** Parses a stored time in ISO 8601. */
function readTime(stored: unknown): Date {
  const time = new Date(String(stored));
  if (Number.isNaN(time.getTime())) throw damagedRow('the time of a run');
  return time;
}
