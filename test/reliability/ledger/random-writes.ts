// Random sequences of everything that writes to an index: blocks of forks with deploys, supplies and notifications, and
// what the jobs of all kinds store, with answers of nodes, APIs, servers and the VM made up; some of it is rolled back.

import { findCalls } from '#clarity/find-calls.ts';
import { applyBatch } from '#indexer/chain/apply-batch.ts';
import { documentUri } from '#indexer/documents/read-documents.ts';
import type { IndexOptions } from '#indexer/index-options.ts';
import { evaluateTokens } from '#indexer/jobs/evaluate-tokens.ts';
import { fetchContracts } from '#indexer/jobs/fetch-contracts.ts';
import { fetchDocuments } from '#indexer/jobs/fetch-documents.ts';
import { fetchImages } from '#indexer/jobs/fetch-images.ts';
import type { JobContext } from '#indexer/jobs/job-context.ts';
import { listNumbers } from '#indexer/jobs/list-numbers.ts';
import { listTokens } from '#indexer/jobs/list-tokens.ts';
import { readValues } from '#indexer/jobs/read-values.ts';
import { SourceAccess } from '#indexer/jobs/source-access.ts';
import { queueLookups } from '#indexer/queue/queue-lookups.ts';
import { queueRefresh } from '#indexer/queue/queue-refresh.ts';
import { ChainReader } from '#indexer/replay/chain-reader.ts';
import type { JobWorker } from '#indexer/runner/job-worker.ts';
import type { BlockEvent, ChainEvent, ContractDeploy, TokenEvent } from '#model/chain-event.ts';
import { type Failure, type FailureCode, fail, isFailure } from '#model/failure.ts';
import type { Job, JobKind } from '#model/job.ts';
import { packCode } from '#model/packed-code.ts';
import {
  type GetterAnswer,
  gettersOf,
  isCollectionStandard,
  TOKEN_GETTERS,
  type TokenGetter,
  type TokenStandard,
} from '#model/token.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { writeInfo } from '#store/index-info.ts';
import { readNumbers } from '#store/tokens/collections.ts';
import { readToken, type Token } from '#store/tokens/tokens.ts';
import { failJob, readDueJobs } from '#store/work/jobs.ts';
import { indexOptions } from '../../support/index-options.ts';
import { COLLECTION_INTERFACE, EMPTY_INTERFACE, SFT_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { hashOf } from '../../support/observer-lines.ts';
import type { Random } from '../../support/random.ts';

const DEPLOYER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
const NAMES = ['a', 'b', 'c', 'd', 'n'] as const;
const IDS = NAMES.map((name) => `${DEPLOYER}.${name}`);
const IMAGES = ['https://x.test/1.png', 'https://x.test/2.png', 'data:image/png,x'];
const URIS = [
  undefined,
  'https://x.test/{id}.json',
  'ipfs://Qm/1',
  'data:application/json,{"name":"Inline","image":"https://x.test/1.png"}',
  'data:application/json,{"localization":{"uri":"https://x.test/{locale}","default":"en","locales":["en","fr","../x"]}}',
  'data:,broken',
];
const FAILURES: readonly FailureCode[] = ['http-404', 'http-503', 'timeout', 'html-page', 'host-held', 'offline'];
const NO_POSITION = { prefixBytes: 0, prefixHash: '', lastLineOffset: 0, lastLineHash: '', nextOffset: 0, nextLine: 1 };
const CHAIN_ID = 1;

interface Block {
  readonly hash: string;
  readonly height: number;
}

export class RandomWrites {
  readonly #store: Store;
  readonly #random: Random;
  readonly #options: IndexOptions;
  readonly #workers: readonly JobWorker[];
  readonly #blocks: Block[] = [];
  #knowsChain = false;
  #reports = 0;
  /** Milliseconds since the epoch: everything becomes due some time. */
  #now = Date.now();

  constructor(store: Store, random: Random) {
    this.#store = store;
    this.#random = random;
    const unreachable = { isOffline: false, fetch: async () => fail('offline') };
    this.#options = indexOptions({
      vm: true,
      nft: 'images',
      documents: { fetcher: unreachable, maxDocumentBytes: 1_000 },
      images: { folder: 'none', fetcher: unreachable, maxImageBytes: 1_000, maxImagePixels: 1_000 },
    });
    const source = { hasApi: true, downBecauseOf: () => undefined } as unknown as ChainSource;
    const context: JobContext = {
      store,
      options: this.#options,
      chain: new ChainReader(store),
      access: new SourceAccess(source),
      signal: this.#options.signal,
    };
    const kinds = [listTokens, fetchContracts, listNumbers, readValues, evaluateTokens, fetchDocuments, fetchImages];
    this.#workers = kinds.map((open) => open(context) as JobWorker);
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
    const events: ChainEvent[] = Array.from({ length: count }, () => this.#makeBlock());
    if (this.#random.chance(0.2)) {
      const parent = this.#random.pick(this.#blocks);
      const deploys = [this.#makeDeploy()];
      events.push({
        kind: 'microblocks',
        burnBlockHeight: 850_000,
        parentIndexBlockHash: parent.hash,
        deploys,
        failures: [],
      });
    }
    await this.#apply(events);
    return `${count} blocks`;
  }

  async #apply(events: readonly ChainEvent[]): Promise<void> {
    const tellsChain = !this.#knowsChain && this.#random.chance(0.1);
    await applyBatch(this.#store, {
      events,
      skipped: new Map(),
      failures: [],
      position: NO_POSITION,
      archiveName: 'chain.tsv',
      archiveId: undefined,
      nft: this.#random.pick(['uris', 'images']),
      maxNftTokens: 50_000,
      maxCalls: 1_000,
      chainId: this.#knowsChain || tellsChain ? CHAIN_ID : undefined,
      chainIdIsNew: tellsChain,
    });
    this.#knowsChain ||= tellsChain;
  }

  /** On the tip, and nothing else. */
  async #mint(): Promise<string> {
    if (this.#blocks.length === 0) return this.#addBlocks();
    const tip = this.#blocks.reduce((highest, block) => (block.height > highest.height ? block : highest));
    const event = this.#makeBlock(tip);
    const mint = { assetIdentifier: `${this.#random.pick(IDS)}::coin`, amount: 10n };
    await this.#apply([{ ...event, deploys: [], notifications: [], supplyChanges: [mint] }]);
    return 'mint';
  }

  /**
   * On one of the last blocks, so that forks are short and frequent; now and then again, or on a parent that is
   * missing.
   */
  #makeBlock(on?: Block): BlockEvent {
    const random = this.#random;
    const recent = this.#blocks.slice(-6);
    const parent = on ?? (recent.length === 0 || random.chance(0.03) ? undefined : random.pick(recent));
    const height = (parent?.height ?? random.below(3)) + 1;
    const hash = hashOf(`block ${random.chance(0.05) ? this.#blocks.length - 1 : this.#blocks.length}`);
    this.#blocks.push({ hash, height });
    return {
      kind: 'block',
      indexBlockHash: hash,
      parentIndexBlockHash: parent?.hash ?? hashOf(`missing ${height}`),
      height,
      burnBlockHeight: random.pick([700_000, 850_000, 870_000]),
      burnBlockTime: 1_700_000_000 + height,
      deploys: random.list(3, () => this.#makeDeploy()),
      calls: { packed: new Uint8Array(), eventsJson: undefined },
      tokenEvents: random.chance(0.5) ? random.list(40, () => this.#tokenEvent()) : [],
      supplyChanges: random.chance(0.5)
        ? [{ assetIdentifier: `${random.pick(IDS)}::coin`, amount: BigInt(random.pick([-7, 1, 10, 1_000])) }]
        : [],
      notifications: random.chance(0.2)
        ? [
            {
              tokenClass: 'ft',
              contractId: random.pick(IDS),
              updateMode: random.pick(['standard', 'frozen', 'dynamic'] as const),
              ttlSeconds: 60,
              txId: hashOf(`notification ${this.#blocks.length}`),
              eventIndex: 0,
              emitter: random.pick(IDS),
              entitled: true,
            },
          ]
        : [],
      failures: [],
    };
  }

  #tokenEvent(): TokenEvent {
    const random = this.#random;
    const [minted, burned] = random.pick([
      [true, false],
      [true, true],
      [false, true],
    ] as const);
    const contractId = `${DEPLOYER}.${random.pick(['c', 'n', 'd'])}`;
    return { contractId, tokenNumber: String(random.below(90)), minted, burned, isOfOwner: random.chance(0.1) };
  }

  /** One of a few transactions, which come again in other blocks; of some the interface is missing at times. */
  #makeDeploy(): ContractDeploy {
    const random = this.#random;
    const name = random.pick(NAMES);
    const nonce = random.below(3);
    const { standard, json } = kindOf(name, nonce);
    const knowsInterface = random.chance(0.5);
    return {
      contractId: `${DEPLOYER}.${name}`,
      txId: txIdOf(name, nonce),
      txIndex: random.below(3),
      senderAddress: DEPLOYER,
      ...(nonce === 2 ? {} : { wireClarityVersion: 2 }),
      references: findCalls(Buffer.from(`(print ${nonce})`), DEPLOYER),
      code: packCode(`(print ${nonce})`, knowsInterface ? json : undefined),
      interfaceFacts: knowsInterface ? { standard, epoch: undefined, clarityVersion: undefined } : undefined,
    };
  }

  async #refresh(): Promise<string> {
    const tokens = await this.#store.selectFrom('served_token').select('contract_id').execute();
    const reported = await this.#store.selectFrom('report').select('contract_id').execute();
    const known = new Set([...tokens, ...reported].map((row) => row.contract_id));
    const ids = [...known].filter(() => this.#random.chance(0.5));
    await queueRefresh(this.#store, {
      principals: this.#random.pick([undefined, [], ids]),
      maxAgeMs: this.#random.pick([undefined, 0, 86_400_000]),
      contracts: true,
      values: this.#random.chance(0.7),
      documents: this.#random.chance(0.7),
      nft: 'images',
      now: this.#now,
    });
    return 'refresh';
  }

  async #lookUp(): Promise<string> {
    const contracts = IDS.filter(() => this.#random.chance(0.5));
    const forget = await queueLookups(this.#store, {
      contracts,
      discover: this.#random.chance(0.5),
      source: { hasApi: true } as ChainSource,
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
    for (const job of jobs) finished.push({ job, result: await this.#makeResult(job) });
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

  async #makeResult(job: Job): Promise<unknown> {
    const make: { readonly [K in JobKind]: (job: Job<K>) => unknown } = {
      'list-tokens': () => this.#orFailure(() => this.#tokenPage()),
      'fetch-contract': ({ contractId }) => this.#orFailure(() => this.#reportedContract(contractId)),
      'list-numbers': () => this.#orFailure(() => this.#mintPage()),
      'read-values': ({ getters }) => this.#answers(getters),
      'evaluate-token': ({ tokenId }) => this.#evaluation(tokenId),
      'fetch-document': (fetch) => this.#document(fetch),
      'fetch-image': (fetch) => this.#image(fetch),
    };
    return (make[job.kind] as (job: Job) => unknown)(job);
  }

  #orFailure<T>(make: () => T): T | Failure {
    return this.#random.chance(0.25) ? this.#failure() : make();
  }

  #failure(): Failure {
    return fail(this.#random.pick(FAILURES));
  }

  #tokenPage(): unknown {
    const tokens = IDS.filter(() => this.#random.chance(0.5)).map((contractId) => ({
      contractId,
      answers: TOKEN_GETTERS.filter(() => this.#random.chance(0.5)).map((getter) => this.#answer(getter)),
    }));
    return { tokens, unreadable: this.#random.chance(0.5) ? [7] : [], next: this.#random.chance(0.3) ? [60] : [] };
  }

  #mintPage(): unknown {
    const tokenNumbers = this.#random.list(20, () => String(this.#random.below(90)));
    return { tokenNumbers, next: this.#random.chance(0.3) ? 200 : undefined };
  }

  /** Mostly the same, at ever higher tips: then only what is known of the chain changes. */
  #reportedContract(contractId: string): unknown {
    const random = this.#random;
    const isUsual = random.chance(0.8);
    const name = contractId.split('.')[1] as string;
    const { code, interfaceFacts } = isUsual ? usualDeploy(name) : this.#makeDeploy();
    // Now and then the transaction of another contract.
    const txId = txIdOf(random.chance(0.05) ? random.pick(NAMES) : name, isUsual ? 0 : random.below(3));
    const report = {
      contractId,
      txId,
      blockHeight: isUsual ? 3 : random.below(9),
      canonical: isUsual || random.chance(0.5),
      tipHeight: random.chance(0.9) ? 1_000 + this.#reports++ : undefined,
    };
    const deploy = {
      contractId,
      txId,
      senderAddress: DEPLOYER,
      clarityVersion: isUsual ? 2 : random.pick([undefined, 1]),
      epoch: undefined,
      standard: interfaceFacts?.standard,
      code,
    };
    return { deploy, report, interfaceFailure: undefined };
  }

  #answer(getter: TokenGetter): GetterAnswer {
    const random = this.#random;
    if (random.chance(0.1)) return { getter, failure: fail('getter-error') };
    if (getter === 'get-token-uri') {
      const value = random.pick(URIS);
      return value === undefined ? { getter } : { getter, value };
    }
    const isNumber = getter === 'get-decimals' || getter === 'get-total-supply';
    return { getter, value: isNumber ? String(random.below(9)) : random.pick(['Coin', 'Token']) };
  }

  #answers(getters: readonly TokenGetter[]): unknown {
    const asked = this.#random.chance(0.2) ? getters.slice(0, this.#random.below(getters.length)) : getters;
    return {
      answers: asked.map((getter) => this.#answer(getter)),
      height: this.#random.pick([undefined, 5, 50, this.#random.below(500)]),
      failure: asked.length === getters.length ? undefined : fail('http-503'),
    };
  }

  async #evaluation(tokenId: number): Promise<unknown> {
    const token = await readToken(this.#store, tokenId);
    if (token === undefined || this.#random.chance(0.05)) return undefined;
    const isCollection = isCollectionStandard(token.standard);
    const hasEvents = !isCollection && this.#random.chance(0.5);
    const getters = gettersOf(token.standard).filter((getter) => !hasEvents || getter !== 'get-total-supply');
    const source = 'vm' as const;
    const partial = this.#random.chance(0.3);
    const evaluation = this.#random.chance(0.4)
      ? fail(this.#random.pick(['clarity-error', 'vm-timeout'] as const))
      : {
          readings: (await this.#reads(token, getters)).map(([getter, number]) => {
            const reading = {
              ...this.#answer(getter),
              ...number,
              source,
              partial,
              height: this.#random.below(9),
              calls: this.#random.below(3),
            };
            const { code, message } = fail('replay-diverged');
            return this.#random.chance(0.2) ? { ...reading, failure: { code, message } } : reading;
          }),
          ...(hasEvents ? { supplyAssets: ['coin'] } : {}),
        };
    return {
      token,
      evaluation,
      inputs: IDS.filter(() => this.#random.chance(0.5)),
    };
  }

  /** Of a collection, getters that all of its tokens share, or with the number of each. */
  async #reads(token: Token, getters: readonly TokenGetter[]): Promise<[TokenGetter, { tokenNumber?: string }][]> {
    const isShared = !isCollectionStandard(token.standard) || this.#random.chance(0.5);
    const numbers = isShared ? [] : await readNumbers(this.#store, token.deployId);
    return getters.flatMap((getter): [TokenGetter, { tokenNumber?: string }][] =>
      isShared ? [[getter, {}]] : numbers.map((tokenNumber) => [getter, { tokenNumber }]),
    );
  }

  /** What the worker would fetch: of the URI that the token has now. */
  async #document(job: Job<'fetch-document'>): Promise<unknown> {
    const token = await readToken(this.#store, job.tokenId);
    const uri = job.locale === '' ? token && documentUri(token) : `https://x.test/${job.locale}`;
    if (uri === undefined) return undefined;
    return { uri, answer: this.#orFailure(() => this.#httpAnswer()) };
  }

  #httpAnswer(): unknown {
    const random = this.#random;
    if (random.chance(0.15)) return { status: 304, bytes: new Uint8Array() };
    const document = {
      name: random.pick(['Coin', 'Token', 7]),
      ...(random.chance(0.6) ? { image: random.pick(IMAGES) } : {}),
      ...(random.chance(0.3)
        ? {
            localization: { uri: 'https://x.test/{locale}', default: 'en', locales: ['en', random.pick(['fr', 'de'])] },
          }
        : {}),
    };
    return { status: 200, bytes: Buffer.from(JSON.stringify(document)), etag: `"${random.below(9)}"` };
  }

  async #image(job: Job<'fetch-image'>): Promise<unknown> {
    const [row] = await this.#store
      .selectFrom('document')
      .select('document')
      .where('token_id', '=', job.tokenId)
      .where('locale', '=', job.locale)
      .execute();
    const { image: uri } = JSON.parse(row?.document ?? '{}') as { image?: string };
    if (uri === undefined || this.#random.chance(0.1)) return this.#random.pick(['nothing', 'kept']);
    const sha256 = hashOf(this.#random.below(4)).slice(2);
    const bytes = this.#random.below(3);
    const files = [{ name: `${sha256}.png`, bytes, sha256: hashOf(bytes).slice(2) }];
    return { uri, result: this.#orFailure(() => ({ sha256, extension: 'png', files })) };
  }
}

/** One contract is never a token: of it, values are never asked for. One is a collection, and one on some forks. */
function kindOf(name: string, nonce: number): { standard: TokenStandard | undefined; json: string } {
  if (nonce === 1 || name === 'd') return { standard: undefined, json: JSON.stringify(EMPTY_INTERFACE) };
  if (name !== 'n' && !(name === 'c' && nonce === 2))
    return { standard: 'sip-010', json: JSON.stringify(TOKEN_INTERFACE) };
  if (name === 'c') return { standard: 'sip-013', json: JSON.stringify(SFT_INTERFACE) };
  return { standard: 'sip-009', json: JSON.stringify(COLLECTION_INTERFACE) };
}

function usualDeploy(name: string): Pick<ContractDeploy, 'code' | 'interfaceFacts'> {
  const { standard, json } = kindOf(name, 0);
  return {
    code: packCode('(print 0)', json),
    interfaceFacts: { standard, epoch: undefined, clarityVersion: undefined },
  };
}

const INTERRUPTED = new Error('interrupted');

function txIdOf(name: string, nonce: number): string {
  return hashOf(`deploy of ${name}.${nonce}`);
}
