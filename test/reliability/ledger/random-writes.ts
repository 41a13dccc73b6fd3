// Random sequences of everything that writes to an index: blocks of forks with deploys, supplies and notifications, and
// what the jobs of all kinds store, with answers of nodes, APIs, servers and the VM made up; some of it is rolled back.

import type { IndexOptions } from '#indexer/index-options.ts';
import { JOB_KINDS } from '#indexer/jobs/all.ts';
import type { JobContext } from '#indexer/jobs/job-context.ts';
import { SourceAccess } from '#indexer/jobs/source-access.ts';
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
import { RandomResults } from './random-results.ts';

const CHAIN_ID = 1;

export class RandomWrites {
  readonly #store: Store;
  readonly #random: Random;
  readonly #options: IndexOptions;
  readonly #workers: readonly JobWorker[];
  readonly #blocks: RandomBlocks;
  readonly #results: RandomResults;
  #knowsChain = false;
  /** Milliseconds since the epoch: everything becomes due some time. */
  #now = Date.now();

  constructor(store: Store, random: Random) {
    this.#store = store;
    this.#random = random;
    this.#blocks = new RandomBlocks(random);
    this.#results = new RandomResults(store, random, this.#blocks);
    const unreachable = { isOffline: false, fetch: async () => fail('offline') };
    this.#options = indexOptions({
      vm: true,
      nft: 'images',
      documents: { fetcher: unreachable, maxDocumentBytes: 1_000 },
      images: { folder: 'none', fetcher: unreachable, maxImageBytes: 1_000, maxImagePixels: 1_000 },
    });
    const source = { api: {}, downBecauseOf: () => undefined } as unknown as ChainSource;
    const context: JobContext = {
      store,
      options: this.#options,
      chain: new ChainReader(store),
      access: new SourceAccess(source),
      signal: this.#options.signal,
    };
    this.#workers = JOB_KINDS.map((open) => open(context) as JobWorker);
  }

  /** Makes one write, and says what it was. */
  async step(): Promise<string> {
    this.#now += this.#random.pick([0, 1_000, 3_600_000, 7 * 86_400_000]);
    const choice = this.#random.below(100);
    if (choice < 30) return this.#addBlocks();
    if (choice < 35) return this.#mint();
    if (choice < 41) return this.#refresh();
    if (choice < 45) return this.#lookUp();
    if (choice < 48) return this.#prepare();
    return this.#work();
  }

  async #addBlocks(): Promise<string> {
    const count = this.#random.within(1, 3);
    const events: ChainEvent[] = Array.from({ length: count }, () => this.#blocks.block());
    if (this.#random.chance(0.2)) events.push(this.#blocks.microblocks());
    await this.#apply(events);
    return `${count} blocks`;
  }

  async #apply(events: readonly ChainEvent[]): Promise<void> {
    const tellsChain = !this.#knowsChain && this.#random.chance(0.1);
    await apply(this.#store, events, {
      nft: this.#random.pick(['uris', 'images']),
      maxCalls: 1_000,
      chainId: this.#knowsChain || tellsChain ? CHAIN_ID : 'unknown',
      chainIdIsNew: tellsChain,
    });
    this.#knowsChain ||= tellsChain;
  }

  /** On the tip, and nothing else. */
  async #mint(): Promise<string> {
    const { highest } = this.#blocks;
    if (highest === undefined) return this.#addBlocks();
    const event = this.#blocks.block(highest);
    const mint = { assetIdentifier: `${this.#random.pick(IDS)}::coin`, amount: 10n };
    await this.#apply([{ ...event, deploys: [], notifications: [], supplyChanges: [mint] }]);
    return 'mint';
  }

  async #refresh(): Promise<string> {
    const tokens = await this.#store.selectFrom('served_token').select('contract_id').execute();
    const reported = await this.#store.selectFrom('report').select('contract_id').execute();
    // Without an API, only tokens can be named.
    const source = this.#random.chance(0.7) ? ({ api: {} } as unknown as ChainSource) : undefined;
    const known = new Set([...tokens, ...(source === undefined ? [] : reported)].map((row) => row.contract_id));
    const ids = [...known].filter(() => this.#random.chance(0.5));
    const refresh = {
      principals: this.#random.pick([undefined, [], ids]),
      maxAgeMs: this.#random.pick([undefined, 0, 86_400_000]),
    };
    const documents = this.#random.chance(0.7) ? this.#options.documents : undefined;
    await queueRefresh(this.#store, { refresh, source, documents, nft: 'images' }, this.#now);
    return 'refresh';
  }

  async #lookUp(): Promise<string> {
    const contracts = IDS.filter(() => this.#random.chance(0.5));
    const forget = await queueLookups(this.#store, {
      contracts,
      discover: this.#random.chance(0.5),
      source: { api: {} } as unknown as ChainSource,
      nft: 'images',
    });
    if (this.#random.chance(0.1)) await forget();
    // The node names its chain.
    if (!this.#knowsChain) await writeInfo(this.#store, { chainId: CHAIN_ID });
    this.#knowsChain = true;
    if (this.#random.chance(0.5)) await this.#store.deleteFrom('info').where('key', '=', 'run_mark').execute();
    return 'look up';
  }

  async #prepare(): Promise<string> {
    const { prepare } = this.#random.pick(this.#workers.filter((worker) => worker.prepare !== undefined));
    await this.#store.transaction().execute((transaction) => prepare?.(transaction) ?? Promise.resolve());
    return 'prepare';
  }

  /** Settles some due jobs of a kind; a run that is interrupted takes all of it back. */
  async #work(): Promise<string> {
    const worker = this.#random.pick(this.#workers);
    const jobs = await readDueJobs(this.#store, worker.kind, this.#now, this.#random.within(1, 4));
    if (jobs.length === 0) return `no ${worker.task}`;
    const finished: { job: Job; result: unknown }[] = [];
    for (const job of jobs) finished.push({ job, result: await this.#results.of(job) });
    const isInterrupted = this.#random.chance(0.1);
    const isBug = this.#random.chance(0.03);
    const settle = async (transaction: StoreWriter) => {
      if (isBug)
        for (const job of jobs) await failJob(transaction, job.jobId, fail('bug'), { nextAttemptAt: this.#now });
      else await worker.settle(transaction, finished);
      if (isInterrupted) throw INTERRUPTED;
    };
    await this.#store
      .transaction()
      .execute(settle)
      .catch((error: unknown) => {
        if (error !== INTERRUPTED) throw error;
      });
    const outcomes = finished.map(({ result }) => (isFailure(result) ? result.code : 'ok')).join(' ');
    return `${worker.task}: ${outcomes}${isBug ? ', a bug' : ''}${isInterrupted ? ', interrupted' : ''}`;
  }
}

const INTERRUPTED = new Error('interrupted');
