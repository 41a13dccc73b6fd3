// Makes an index whose tokens the real VM evaluates, and contract calls, for tests of values at the tip.

import { Cl, type ClarityValue, createContractCallPayload } from '@stacks/transactions';
import type { IndexOptions } from '#indexer/index-options.ts';
import { type EvaluationResult, evaluateTokens } from '#indexer/jobs/evaluate-tokens.ts';
import { ChainReader } from '#indexer/replay/chain-reader.ts';
import type { JobWorker } from '#indexer/runner/job-worker.ts';
import { openIndex } from '#store/index-database.ts';
import { readDueJobs } from '#store/work/jobs.ts';
import { indexOptions } from './index-options.ts';
import { addressOf, type Json, signed, TEST_KEY, transactionJson } from './observer-lines.ts';

export const ADDRESS = addressOf(TEST_KEY);
const OK = Cl.ok(Cl.bool(true));

export interface CallOptions {
  readonly on?: string;
  readonly key?: string;
  readonly result?: ClarityValue;
  readonly status?: string;
}

let nonce = 100;

/** Returns a call of a contract that {@link ADDRESS} deployed, by default the contract `token`. */
export function call(
  functionName: string,
  args: ClarityValue[],
  { on = 'token', key = TEST_KEY, result = OK, status = 'success' }: CallOptions = {},
): Json {
  const payload = createContractCallPayload(ADDRESS, on, functionName, args);
  return transactionJson(signed(payload, { key, nonce: nonce++ }), { status, raw_result: `0x${Cl.serialize(result)}` });
}

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
