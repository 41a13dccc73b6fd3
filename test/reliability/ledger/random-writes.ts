// Makes random writes to an index: blocks on forks, and results of every kind of job. Some writes are rolled back.

import { storeLookalikes } from '#indexer/find-lookalikes.ts';
import { JOB_KINDS } from '#indexer/jobs/all.ts';
import type { JobContext } from '#indexer/jobs/job-context.ts';
import { openSourceAccess } from '#indexer/jobs/source-access.ts';
import { queueLookups } from '#indexer/queue/queue-lookups.ts';
import { queueRefresh } from '#indexer/queue/queue-refresh.ts';
import { ChainReader } from '#indexer/replay/chain-reader.ts';
import type { JobWorker } from '#indexer/runner/job-worker.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import { fail, isFailure } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { writeInfo } from '#store/index-info.ts';
import { failJob, readDueJobs } from '#store/work/jobs.ts';
import { apply } from '../../support/chain-index.ts';
import { indexOptions } from '../../support/index-options.ts';
import type { Random } from '../../support/random.ts';
import { IDS } from './few-contracts.ts';
import { RandomBlocks } from './random-blocks.ts';
import { randomResults } from './random-results.ts';

const CHAIN_ID = 1;

/** Returns a function that writes to an index and returns a description of the write. */
export function randomWrites(store: Store, random: Random): () => Promise<string> {
  const blocks = new RandomBlocks(random);
  const resultOf = randomResults(store, random, blocks);
  const unreachable = { isOffline: false, fetch: async () => fail('offline') };
  const options = indexOptions({
    vm: true,
    nft: 'images',
    documents: { fetcher: unreachable, maxDocumentBytes: 1_000 },
    images: { folder: 'none', fetcher: unreachable, maxImageBytes: 1_000, maxImagePixels: 1_000 },
  });
  const source = { hasApi: true, api: {}, downBecauseOf: () => undefined } as unknown as ChainSource;
  const context: JobContext = {
    store,
    options,
    chain: new ChainReader(store),
    access: openSourceAccess(source),
    signal: options.signal,
  };
  // Jobs for interfaces need real sources, which these contracts do not have.
  const workers = JOB_KINDS.map((open) => open(context) as JobWorker).filter(
    ({ kind }) => !kind.endsWith('-interface'),
  );
  let knowsChain = false;
  /** The current time in milliseconds since the epoch. It advances after some writes, so that all jobs become due. */
  let now = Date.now();

  async function addBlocks(): Promise<string> {
    const count = random.within(1, 3);
    const events: ChainEvent[] = Array.from({ length: count }, () => blocks.block());
    if (random.chance(0.2)) events.push(blocks.microblocks());
    await applyEvents(events);
    return `${count} blocks`;
  }

  async function applyEvents(events: readonly ChainEvent[]): Promise<void> {
    const hasChainId = !knowsChain && random.chance(0.1);
    await apply(store, events, {
      nft: random.pick(['uris', 'images']),
      newChainId: hasChainId ? CHAIN_ID : undefined,
    });
    knowsChain ||= hasChainId;
  }

  /** Adds a block on top of the tip. The block contains only a mint. */
  async function mint(): Promise<string> {
    const { highest } = blocks;
    if (highest === undefined) return addBlocks();
    const event = blocks.block(highest);
    const minted = { assetIdentifier: `${random.pick(IDS)}::coin`, amount: 10n };
    await applyEvents([{ ...event, deploys: [], notifications: [], supplyChanges: [minted] }]);
    return 'mint';
  }

  async function refresh(): Promise<string> {
    const tokens = await store.selectFrom('served_token').select('contract_id').execute();
    const reported = await store.selectFrom('report').select('contract_id').execute();
    // A run without an API cannot refresh contracts that only an API reported.
    const source = random.chance(0.7) ? ({ api: {} } as unknown as ChainSource) : undefined;
    const known = new Set([...tokens, ...(source === undefined ? [] : reported)].map((row) => row.contract_id));
    const ids = [...known].filter(() => random.chance(0.5));
    const refresh = {
      principals: random.pick([undefined, [], ids]),
      maxAgeMs: random.pick([undefined, 0, 86_400_000]),
    };
    const documents = random.chance(0.7) ? options.documents : undefined;
    await queueRefresh(store, { refresh, source, documents, nft: 'images', vm: random.chance(0.5) }, now);
    return 'refresh';
  }

  async function lookUp(): Promise<string> {
    const contracts = IDS.filter(() => random.chance(0.5));
    const forget = await queueLookups(store, {
      contracts,
      discover: random.chance(0.5),
      nft: 'images',
    });
    if (random.chance(0.1)) await forget();
    // The node reports the chain id.
    if (!knowsChain) await writeInfo(store, { chainId: CHAIN_ID });
    knowsChain = true;
    if (random.chance(0.5)) await store.deleteFrom('info').where('key', '=', 'run_mark').execute();
    return 'look up';
  }

  async function findLookalikes(): Promise<string> {
    await storeLookalikes(store);
    return 'find lookalikes';
  }

  async function prepare(): Promise<string> {
    const { prepare } = random.pick(workers.filter((worker) => worker.prepare !== undefined));
    await store.transaction().execute((transaction) => prepare?.(transaction) ?? Promise.resolve());
    return 'prepare';
  }

  /** Saves random results for some due jobs of one kind. A tenth of the saves is interrupted and rolled back. */
  async function work(): Promise<string> {
    const worker = random.pick(workers);
    const jobs = await readDueJobs(store, worker.kind, now, random.within(1, 4));
    if (jobs.length === 0) return `no ${worker.task}`;
    const finished: { job: Job; result: unknown }[] = [];
    for (const job of jobs) finished.push({ job, result: await resultOf(job) });
    const isInterrupted = random.chance(0.1);
    const isBug = random.chance(0.03);
    const save = async (transaction: StoreWriter) => {
      if (isBug) for (const job of jobs) await failJob(transaction, job, fail('bug'), { nextAttemptAt: now });
      else await worker.save(transaction, finished);
      if (isInterrupted) throw INTERRUPTED;
    };
    await store
      .transaction()
      .execute(save)
      .catch((error: unknown) => {
        if (error !== INTERRUPTED) throw error;
      });
    const outcomes = finished.map(({ result }) => (isFailure(result) ? result.code : 'ok')).join(' ');
    return `${worker.task}: ${outcomes}${isBug ? ', a bug' : ''}${isInterrupted ? ', interrupted' : ''}`;
  }

  return async () => {
    now += random.pick([0, 1_000, 3_600_000, 7 * 86_400_000]);
    const choice = random.below(100);
    if (choice < 30) return addBlocks();
    if (choice < 35) return mint();
    if (choice < 41) return refresh();
    if (choice < 45) return lookUp();
    if (choice < 47) return prepare();
    if (choice < 48) return findLookalikes();
    return work();
  };
}

const INTERRUPTED = new Error('interrupted');
