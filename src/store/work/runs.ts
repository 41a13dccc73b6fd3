// Queries about runs: results of the last index and the last build, for `stxpress status`.

import { damagedRow, readStoredJson } from '#sqlite/columns.ts';
import type { Store, StoreReader } from '../index-database.ts';

export type RunCommand = 'index' | 'build';
export type RunSummary = Readonly<Record<string, string | number | boolean>>;

export interface Run {
  readonly startedAt: Date;
  /** Undefined while it runs, or if it was killed. */
  readonly finishedAt: Date | undefined;
  /** `ok`, `more to do`, or the code of the failure that ended it. */
  readonly outcome: string | undefined;
  readonly summary: RunSummary;
}

/** Replaces the stored result of the last run of a command. */
export async function writeRun(store: Store, command: RunCommand, run: Run): Promise<void> {
  const row = {
    command,
    started_at: run.startedAt.getTime(),
    finished_at: run.finishedAt?.getTime() ?? null,
    outcome: run.outcome ?? null,
    summary: JSON.stringify(run.summary),
  };
  await store
    .insertInto('run')
    .values(row)
    .onConflict((conflict) => conflict.column('command').doUpdateSet(row))
    .execute();
}

export async function readRun(store: StoreReader, command: RunCommand): Promise<Run | undefined> {
  const row = await store.selectFrom('run').selectAll().where('command', '=', command).executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    startedAt: readTime(row.started_at),
    finishedAt: row.finished_at === null ? undefined : readTime(row.finished_at),
    outcome: row.outcome ?? undefined,
    summary: readStoredJson<RunSummary>(row.summary, `the summary of the last ${command} run`),
  };
}

function readTime(milliseconds: number): Date {
  const time = new Date(milliseconds);
  if (Number.isNaN(time.getTime())) throw damagedRow('the time of a run');
  return time;
}
