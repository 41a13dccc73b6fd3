// Makes random job results for every kind of job: responses of nodes, APIs, servers and the VM, and failures.
import { keyOf } from '#clarity/name-key.ts';
import { documentUri } from '#indexer/documents/read-documents.ts';
import { type Failure, type FailureCode, fail } from '#model/failure.ts';
import type { Job, JobKind } from '#model/job.ts';
import { type GetterResult, gettersOf, isCollectionStandard, TOKEN_GETTERS, type TokenGetter } from '#model/token.ts';
import type { Store } from '#store/index-database.ts';
import { readNumbers } from '#store/tokens/collections.ts';
import { readToken, type Token } from '#store/tokens/tokens.ts';
import type { Random } from '../../support/random.ts';
import { hashOf } from '../../support/transactions.ts';
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

/** Returns a function that makes a random result for the job that it receives. */
export function randomResults(store: Store, random: Random, blocks: RandomBlocks): (job: Job) => Promise<unknown> {
  let reports = 0;

  function orFailure<T>(make: () => T): T | Failure {
    return random.chance(0.25) ? failure() : make();
  }

  function failure(): Failure {
    return fail(random.pick(FAILURES));
  }

  function tokenPage(): unknown {
    const tokens = IDS.filter(() => random.chance(0.5)).map((contractId) => ({
      contractId,
      results: TOKEN_GETTERS.filter(() => random.chance(0.5)).map((getter) => answer(getter)),
    }));
    return { tokens, unreadable: random.chance(0.5) ? [7] : [], next: random.chance(0.3) ? 60 : undefined };
  }

  function tokenNumbers(): string[] {
    return random.list(20, () => String(random.below(90)));
  }

  /**
   * Makes a report about a contract. In most cases only the tip height differs from earlier reports, so that only the
   * status of the chain changes.
   */
  function reportedContract(contractId: string): unknown {
    const isUsual = random.chance(0.8);
    const name = contractId.split('.')[1] as string;
    const { code, references, interfaceFacts } = isUsual ? usualDeploy(name) : blocks.deploy();
    // A few reports contain the transaction id of another contract.
    const txId = txIdOf(random.chance(0.05) ? random.pick(NAMES) : name, isUsual ? 0 : random.below(3));
    const report = {
      contractId,
      txId,
      blockHeight: isUsual ? 3 : random.below(9),
      canonical: isUsual || random.chance(0.5),
      tipHeight: random.chance(0.9) ? 1_000 + reports++ : undefined,
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

  function answer(getter: TokenGetter): GetterResult {
    if (random.chance(0.1)) return { getter, failure: fail('getter-error') };
    if (getter === 'get-token-uri') {
      const value = random.pick(URIS);
      return value === undefined ? { getter } : { getter, value };
    }
    const isNumber = getter === 'get-decimals' || getter === 'get-total-supply';
    return { getter, value: isNumber ? String(random.below(9)) : random.pick(['Coin', 'Token']) };
  }

  function answers(getters: readonly TokenGetter[]): unknown {
    const called = random.chance(0.2) ? getters.slice(0, random.below(getters.length)) : getters;
    return {
      results: called.map((getter) => answer(getter)),
      height: random.pick([undefined, 5, 50, random.below(500)]),
      failure: called.length === getters.length ? undefined : fail('http-503'),
      taken: [],
      left: getters,
    };
  }

  async function evaluation(tokenId: number): Promise<unknown> {
    const token = await readToken(store, tokenId);
    if (token === undefined || random.chance(0.05)) return undefined;
    const isCollection = isCollectionStandard(token.standard);
    const hasEvents = !isCollection && random.chance(0.5);
    const getters = gettersOf(token.standard).filter((getter) => !hasEvents || getter !== 'get-total-supply');
    const source = 'vm' as const;
    const partial = random.chance(0.3);
    const evaluation = random.chance(0.4)
      ? fail(random.pick(['clarity-error', 'vm-timeout'] as const))
      : {
          readings: (await reads(token, getters)).map(([getter, number]) => {
            const reading = {
              ...answer(getter),
              ...number,
              source,
              partial,
              height: random.below(9),
              calls: random.below(3),
            };
            const { code, message } = fail('replay-diverged');
            return random.chance(0.2) ? { ...reading, failure: { code, message } } : reading;
          }),
          ...(hasEvents ? { supplyAssets: ['coin'] } : {}),
        };
    const contractIds = IDS.filter(() => random.chance(0.5));
    return { token, evaluation, inputs: { contractIds, variableKeys: contractIds.map(keyOf) } };
  }

  /**
   * Returns the getters to store for a token. A collection has each getter either once for all tokens, or once per
   * token number.
   */
  async function reads(
    token: Token,
    getters: readonly TokenGetter[],
  ): Promise<[TokenGetter, { tokenNumber?: string }][]> {
    const isShared = !isCollectionStandard(token.standard) || random.chance(0.5);
    const numbers = isShared ? [] : await readNumbers(store, token.deployId);
    return getters.flatMap((getter): [TokenGetter, { tokenNumber?: string }][] =>
      isShared ? [[getter, {}]] : numbers.map((tokenNumber) => [getter, { tokenNumber }]),
    );
  }

  /** Makes the result of a job that fetches a document: the token's current URI, and a response or a failure. */
  async function document(job: Job<'fetch-document'>): Promise<unknown> {
    const token = await readToken(store, job.tokenId);
    const uri = job.locale === '' ? token && documentUri(token) : `https://x.test/${job.locale}`;
    if (uri === undefined) return undefined;
    return { uri, response: orFailure(() => httpResponse()) };
  }

  function httpResponse(): unknown {
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

  async function image(job: Job<'fetch-image'>): Promise<unknown> {
    const [row] = await store
      .selectFrom('document')
      .select('document')
      .where('token_id', '=', job.tokenId)
      .where('locale', '=', job.locale)
      .execute();
    const { image: uri } = JSON.parse(row?.document ?? '{}') as { image?: string };
    if (uri === undefined || random.chance(0.1)) return random.pick(['nothing', 'intact']);
    const sha256 = hashOf(random.below(4)).slice(2);
    const bytes = random.below(3);
    const files = [{ name: `${sha256}.png`, bytes, sha256: hashOf(bytes).slice(2) }];
    return { uri, result: orFailure(() => ({ sha256, extension: 'png', files })) };
  }

  return async (job: Job): Promise<unknown> => {
    const make: { readonly [K in JobKind]: (job: Job<K>) => unknown } = {
      'list-tokens': () => orFailure(() => tokenPage()),
      'fetch-contract': ({ contractId }) => orFailure(() => reportedContract(contractId)),
      'compute-interface': () => undefined,
      'list-numbers': () => orFailure(() => tokenNumbers()),
      'read-values': ({ getters }) => answers(getters),
      'evaluate-token': ({ tokenId }) => evaluation(tokenId),
      'fetch-document': (fetch) => document(fetch),
      'fetch-image': (fetch) => image(fetch),
    };
    return (make[job.kind] as (job: Job) => unknown)(job);
  };
}
