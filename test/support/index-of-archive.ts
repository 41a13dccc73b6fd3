// Opens indexes in memory for blocks of an archive. The VM evaluates their tokens.
import { sql } from 'kysely';
import { afterAll, beforeEach } from 'vitest';
import type { IndexOptions } from '#indexer/index-options.ts';
import { type EvaluationResult, evaluateTokens } from '#indexer/jobs/evaluate-tokens.ts';
import { ChainReader } from '#indexer/replay/chain-reader.ts';
import type { JobWorker } from '#indexer/runner/job-worker.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { readDueJobs } from '#store/work/jobs.ts';
import { indexOptions } from './index-options.ts';

/** Tables that stay unchanged when an index is emptied: the identity of the index file, and the ledger. */
const PRESERVED_TABLES = new Set(['info', 'ledger']);

/** Opens an index for all tests of a file. Empties it before each test, since opening an index takes longer. */
export async function indexOfArchive(): Promise<VmIndex> {
  const index = await openVmIndex();
  beforeEach(() => emptyIndex(index.store));
  afterAll(index.close);
  return index;
}

export async function emptyIndex(store: Store): Promise<void> {
  await sql`pragma foreign_keys = off`.execute(store);
  for (const { name, isView } of await store.introspection.getTables())
    if (!isView && !PRESERVED_TABLES.has(name)) await sql`delete from ${sql.table(name)}`.execute(store);
  await sql`pragma foreign_keys = on`.execute(store);
}

export type VmIndex = Awaited<ReturnType<typeof openVmIndex>>;

/** Opens an index. Close it. */
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
      await chain.findWrites();
      const jobs = await readDueJobs(store, 'evaluate-token', Number.MAX_SAFE_INTEGER, 1_000);
      const finished = await Promise.all(jobs.map(async (job) => ({ job, result: await worker.work(job) })));
      await meanwhile?.();
      await store.transaction().execute((transaction) => worker.save(transaction, finished));
      return jobs.length;
    },
    async close(): Promise<void> {
      await worker.close?.();
      await store.destroy();
    },
  };
}
