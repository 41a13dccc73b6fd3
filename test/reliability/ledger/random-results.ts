// What a job of any kind may come to, made up: answers of nodes, APIs, servers and the VM, and failures.
import { documentUri } from '#indexer/documents/read-documents.ts';
import { type Failure, type FailureCode, fail } from '#model/failure.ts';
import type { Job, JobKind } from '#model/job.ts';
import { type GetterAnswer, gettersOf, isCollectionStandard, TOKEN_GETTERS, type TokenGetter } from '#model/token.ts';
import type { Store } from '#store/index-database.ts';
import { readNumbers } from '#store/tokens/collections.ts';
import { readToken, type Token } from '#store/tokens/tokens.ts';
import { hashOf } from '../../support/observer-lines.ts';
import type { Random } from '../../support/random.ts';
import { DEPLOYER, IDS, NAMES, txIdOf, usualDeploy } from './few-contracts.ts';
import type { RandomBlocks } from './random-blocks.ts';

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

export class RandomResults {
  readonly #store: Store;
  readonly #random: Random;
  readonly #blocks: RandomBlocks;
  #reports = 0;

  constructor(store: Store, random: Random, blocks: RandomBlocks) {
    this.#store = store;
    this.#random = random;
    this.#blocks = blocks;
  }

  async of(job: Job): Promise<unknown> {
    const make: { readonly [K in JobKind]: (job: Job<K>) => unknown } = {
      'list-tokens': () => this.#orFailure(() => this.#tokenPage()),
      'fetch-contract': ({ contractId }) => this.#orFailure(() => this.#reportedContract(contractId)),
      'list-numbers': () => this.#orFailure(() => ({ tokenNumbers: this.#tokenNumbers(), next: undefined })),
      'list-mints': () =>
        this.#orFailure(() => ({
          tokenNumbers: this.#tokenNumbers(),
          next: this.#random.chance(0.3) ? 200 : undefined,
        })),
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

  #tokenNumbers(): string[] {
    return this.#random.list(20, () => String(this.#random.below(90)));
  }

  /** Mostly the same, at ever higher tips: then only what is known of the chain changes. */
  #reportedContract(contractId: string): unknown {
    const random = this.#random;
    const isUsual = random.chance(0.8);
    const name = contractId.split('.')[1] as string;
    const { code, references, interfaceFacts } = isUsual ? usualDeploy(name) : this.#blocks.deploy();
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
      references,
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
