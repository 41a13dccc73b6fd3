// Makes an index whose tokens the real VM evaluates, for tests of values at the tip.

import type { IndexOptions } from '#indexer/index-options.ts';
import { type EvaluationResult, evaluateTokens } from '#indexer/jobs/evaluate-tokens.ts';
import { ChainReader } from '#indexer/replay/chain-reader.ts';
import type { JobWorker } from '#indexer/runner/job-worker.ts';
import { openIndex } from '#store/index-database.ts';
import { readDueJobs } from '#store/work/jobs.ts';
import { indexOptions } from './index-options.ts';

export type VmIndex = Awaited<ReturnType<typeof openVmIndex>>;

/** Opens an index for all tests of a file. They share one VM, because loading it takes a second. */
export async function openVmIndex() {
  const store = await openIndex(':memory:');
  const { signal } = new AbortController();
  const defaults = indexOptions({ vm: true, signal });
  const options = { ...defaults };
  const chain = new ChainReader(store);
  const worker = evaluateTokens({ store, options, chain, access: undefined, signal }) as JobWorker<
    'evaluate-token',
    EvaluationResult
  >;
  return {
    store,
    /**
     * Evaluates the tokens that are due. Calls `meanwhile` after the evaluation, before the results are stored. Returns
     * the number of tokens.
     */
    async evaluate(limits: Partial<IndexOptions> = {}, meanwhile?: () => Promise<unknown>): Promise<number> {
      Object.assign(options, defaults, limits);
      chain.change([]);
      await chain.placeShapes();
      const jobs = await readDueJobs(store, 'evaluate-token', Number.MAX_SAFE_INTEGER, 1_000);
      const finished = await Promise.all(jobs.map(async (job) => ({ job, result: await worker.work(job) })));
      await meanwhile?.();
      await store.transaction().execute((transaction) => worker.save(transaction, finished));
      return jobs.length;
    },
    close: async () => worker.close?.(),
  };
}
