// Queries about failures in chain data.

import type { ChainFailure, FailureCode } from '#model/failure.ts';
import { countBy } from '#sqlite/aggregates.ts';
import { inBatches, listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

/** Stores new failures, and returns them. Skips failures that are stored already. */
export async function insertChainFailures(store: StoreWriter, failures: readonly ChainFailure[]) {
  const inserted: ChainFailure[] = [];
  for (const run of inBatches(failures, 3)) {
    const rows = run.map(({ code, subject, message }) => ({ code, subject, message }));
    const added = store
      .insertInto('chain_failure')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing());
    for (const row of await added.returningAll().execute()) inserted.push(row);
  }
  return inserted;
}

export async function deleteChainFailures(store: StoreWriter, code: FailureCode, subjects: readonly string[]) {
  await store.deleteFrom('chain_failure').where('code', '=', code).where('subject', 'in', listed(subjects)).execute();
}

/** Reads one failure for each subject: the failure whose code is first in alphabetical order. */
export async function readChainFailuresOf(
  store: StoreReader,
  codes: readonly FailureCode[],
  subjects: readonly string[],
) {
  const failures = store.selectFrom('chain_failure').selectAll().where('code', 'in', codes);
  const rows = await failures.where('subject', 'in', listed(subjects)).orderBy('code', 'desc').execute();
  return new Map(rows.map((row) => [row.subject, row]));
}

export function countChainFailures(store: StoreReader): Promise<Record<string, number>> {
  return countBy(store.selectFrom('chain_failure'), 'code');
}

export async function readChainFailures(store: StoreReader, limit: number): Promise<ChainFailure[]> {
  return store.selectFrom('chain_failure').selectAll().orderBy('code').orderBy('subject').limit(limit).execute();
}
