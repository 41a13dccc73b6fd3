// Queues a run's lookups at a node and an API: the requested contracts, the token list, and unread values.

import { highest } from '#sqlite/aggregates.ts';
import { contractsInBlocks } from '#store/chain/deploys.ts';
import { readKnownToApi } from '#store/contracts/reports.ts';
import type { Store } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { unreadTokens } from '#store/tokens/tokens.ts';
import { countJobs, deleteJobsAfter, insertJobs } from '#store/work/jobs.ts';
import type { IndexOptions } from '../index-options.ts';
import { queueAllTokenReads } from './queue-token-reads.ts';

/** Queues or continues the lookups of a run. Returns a function that deletes new jobs, for an API of another chain. */
export async function queueLookups(
  store: Store,
  { contracts, discover, nft }: Pick<IndexOptions, 'contracts' | 'discover' | 'nft'>,
): Promise<() => Promise<void>> {
  const before = await highest(store, 'job', 'job_id');
  await store.transaction().execute(async (transaction) => {
    const { runMark: mark } = await readInfo(transaction);
    const knownToApi = await readKnownToApi(transaction, contracts);
    const inBlocks = await contractsInBlocks(transaction, contracts);
    const unknown = contracts.filter(
      (id) => !inBlocks.has(id) && !knownToApi.get(id) && (mark === undefined || !knownToApi.has(id)),
    );
    const jobs = unknown.map((contractId) => ({ kind: 'fetch-contract', contractId }) as const);
    await insertJobs(transaction, jobs);
    const isListing = mark === 'listed' || (await countJobs(transaction))['list-tokens'] > 0;
    if (discover && !isListing) await insertJobs(transaction, [{ kind: 'list-tokens', offset: 0 }]);
    await queueAllTokenReads(transaction, await unreadTokens(transaction), nft);
    if (mark === undefined) await writeInfo(transaction, { runMark: 'started' });
  });
  return () =>
    store
      .transaction()
      .execute((transaction) => deleteJobsAfter(transaction, before, ['list-tokens', 'fetch-contract']));
}
