// Queues what a run has to ask a node and an API: the named contracts, the token list, and values of tokens that no node told yet.
import type { Store } from '#store/index-database.ts';
import { countJobs, deleteJobsAfter, insertJobs, lastJobId } from '#store/jobs.ts';
import { readReported } from '#store/reports.ts';
import { readRunMark, writeRunMark } from '#store/run-mark.ts';
import { unreadTokens } from '#store/tokens.ts';
import { queueAllValues } from './queue-values.ts';

export interface Lookups {
  /** Contracts that the API is asked about. */
  readonly contracts: readonly string[];
  /** Whether the API's list of fungible tokens is looked through. */
  readonly discover: boolean;
}

/**
 * A run after one that was stopped goes on with its look-ups; any other looks anew for what may have come since.
 * Returns a function that forgets what was queued for an API that turns out to be of another chain.
 */
export async function queueLookups(store: Store, { contracts, discover }: Lookups): Promise<() => Promise<void>> {
  const before = await lastJobId(store);
  await store.transaction().execute(async (transaction) => {
    const mark = await readRunMark(transaction);
    const reported = await readReported(transaction, contracts);
    const toAsk = contracts.filter((id) => reported.get(id) === undefined || (mark === undefined && !reported.get(id)));
    await insertJobs(
      transaction,
      toAsk.map((contractId) => ({ kind: 'fetch-contract' as const, contractId })),
    );
    const isListing = mark === 'listed' || (await countJobs(transaction))['list-tokens'] > 0;
    if (discover && !isListing) await insertJobs(transaction, [{ kind: 'list-tokens', offset: 0 }]);
    await queueAllValues(transaction, await unreadTokens(transaction));
    if (mark === undefined) await writeRunMark(transaction, 'started');
  });
  return () =>
    store
      .transaction()
      .execute((transaction) => deleteJobsAfter(transaction, before, ['list-tokens', 'fetch-contract']));
}
