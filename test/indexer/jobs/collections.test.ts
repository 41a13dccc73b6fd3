// Tokens of collections: which there are, from events; and what each answers, in the real VM.

import { Cl } from '@stacks/transactions';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { queueFurther } from '#indexer/queue/queue-collections.ts';
import { fail } from '#model/failure.ts';
import type { NftMode } from '#model/token.ts';
import { countTokensOf, readCollectionStates } from '#store/tokens/collection-states.ts';
import { readDocuments, writeDocuments } from '#store/tokens/documents.ts';
import { staleDocuments } from '#store/tokens/due-documents.ts';
import { readTokensById } from '#store/tokens/tokens.ts';
import { apply, mustRead } from '../../support/chain-index.ts';
import { emptyIndex } from '../../support/empty-index.ts';
import { COLLECTION_INTERFACE, SFT_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { deployJson, type Json, nftEvent } from '../../support/observer-lines.ts';
import { ADDRESS, at, call, openVmIndex } from '../../support/vm-index.ts';

const ID = `${ADDRESS}.token`;
const HUGE = 2n ** 128n - 1n;

/** A collection with `get-token-uri` as given, and whatever it needs. */
const collection = (getter: string, more = '', name = 'token') =>
  deployJson(
    name,
    `(define-non-fungible-token thing uint)
     (define-read-only (get-last-token-id) (ok u0))
     (define-read-only (get-owner (id uint)) (ok (nft-get-owner? thing id)))
     (define-public (transfer (id uint) (from principal) (to principal)) (ok true))
     ${more}
     (define-read-only (get-token-uri (id uint)) ${getter})`,
    { clarityVersion: 2, interface: COLLECTION_INTERFACE },
  );
const SHARED = collection('(ok (some "https://x.test/{id}.json"))');
/** Each has the URI that its mint gave it. */
const OWN_URIS = collection(
  '(ok (map-get? uris id))',
  `(define-map uris uint (string-ascii 100))
   (define-public (mint (id uint) (uri (string-ascii 100))) 
     (begin (map-set uris id uri) (nft-mint? thing id tx-sender)))`,
);

const mintTo = (uri: string, number: bigint) => call('mint', [Cl.uint(number), Cl.stringAscii(uri)]);
/** A transaction in which events happened, and they. */
const withEvents = (make: (txid: unknown) => readonly Json[], transaction = call('mint', [])) =>
  [[transaction], { events: make(transaction.txid) }] as const;
const minted = (...numbers: readonly (bigint | number)[]) =>
  withEvents((txid) => numbers.map((number) => nftEvent('mint', txid, ID, BigInt(number))));
const burned = (number: number) => withEvents((txid) => [nftEvent('burn', txid, ID, BigInt(number))]);

const { store, evaluate, close } = await openVmIndex();
beforeEach(() => emptyIndex(store));
afterAll(close);

const states = async () => readCollectionStates(store, (await mustRead(store, ID)).deployId, 10);

/** State and URI of each token that is there, by number; `+` behind one that is burned. */
async function tokens(): Promise<Record<string, string>> {
  const { deployId } = await mustRead(store, ID);
  const rows = await store
    .selectFrom('token')
    .select('token_id')
    .where('deploy_id', '=', deployId)
    .where('token_number', '<>', '')
    .where('minted', '=', 1)
    .execute();
  const read = await readTokensById(
    store,
    rows.map((row) => row.token_id),
  );
  return Object.fromEntries(
    read.map(({ tokenNumber, state, values, isBurned }) => [
      tokenNumber,
      `${state} ${values.tokenUri ?? '-'}${isBurned ? '+' : ''}`,
    ]),
  );
}

test('default: what all share is read once', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(0, 7, HUGE))]);
  expect(await tokens()).toEqual({ 0: 'queued -', 7: 'queued -', [String(HUGE)]: 'queued -' });
  expect(await evaluate()).toBe(1);
  const uri = 'partial https://x.test/{id}.json';
  expect(await tokens()).toEqual({ 0: uri, 7: uri, [String(HUGE)]: uri });
  expect(await store.selectFrom('reading').select('token_id').execute()).toHaveLength(1);
});

test('behavior: a later mint needs no evaluation where all share what is read', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1))]);
  await evaluate();
  await apply(store, [at(2, ...minted(2))]);
  expect(await evaluate()).toBe(0);
  expect(await tokens()).toMatchObject({ 2: 'partial https://x.test/{id}.json' });
});

test('behavior: one more mint of many writes a handful of rows', async () => {
  const changes = async () => {
    const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(store);
    return Number(rows[0]?.changes);
  };
  await apply(store, [at(0, [SHARED]), at(1, ...minted(...Array.from({ length: 2_000 }, (_, index) => index)))]);
  await evaluate();
  const before = await changes();
  await apply(store, [at(2, ...minted(2_000))]);
  expect((await changes()) - before).toBeLessThan(20);
});

test('behavior: a map that mints fill is replayed, and only what changed changes', async () => {
  await apply(store, [
    at(0, [OWN_URIS]),
    at(1, ...withEvents((txid) => [nftEvent('mint', txid, ID, 1n)], mintTo('a:1', 1n))),
  ]);
  await evaluate();
  expect(await tokens()).toEqual({ 1: 'partial a:1' });
  const before = await revisionOf('1');
  await apply(store, [at(2, ...withEvents((txid) => [nftEvent('mint', txid, ID, 2n)], mintTo('a:2', 2n)))]);
  expect(await evaluate()).toBe(1);
  expect(await tokens()).toEqual({ 1: 'partial a:1', 2: 'partial a:2' });
  expect(await revisionOf('1')).toBe(before);
});

test('behavior: a mint on an orphan is no token, and is one once the orphan is adopted', async () => {
  await apply(store, [
    at(0, [SHARED]),
    at(1, ...minted(1)),
    at(1, minted(2)[0], { ...minted(2)[1], id: '1b', parent: '0' }),
  ]);
  const [transactions, options] = minted(3);
  await apply(store, [at(1, transactions, { ...options, id: '1c', parent: '0' })]);
  await evaluate();
  expect(Object.keys(await tokens())).toEqual(['1']);
  await apply(store, [at(2, [], { id: '2c', parent: '1c' })]);
  expect(await tokens()).toEqual({ 3: 'partial https://x.test/{id}.json' });
  const { deployId } = await mustRead(store, ID);
  expect((await countTokensOf(store, [deployId])).get(deployId)).toMatchObject({ minted: 1 });
});

test('behavior: a burned token stays, and one that is minted again is there', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1, 2)), at(2, ...burned(1)), at(3, ...burned(2))]);
  await apply(store, [at(4, ...minted(2))]);
  await evaluate();
  const uri = 'partial https://x.test/{id}.json';
  expect(await tokens()).toEqual({ 1: `${uri}+`, 2: uri });
});

test('behavior: what is inline is read, and each document has its own number', async () => {
  const inline = collection('(ok (some "data:application/json,%7B%22name%22:%22Thing {id}%22%7D"))');
  await apply(store, [at(0, [inline]), at(1, ...minted(1, 2))]);
  await evaluate();
  const rows = await store.selectFrom('token').select('token_id').where('token_number', '<>', '').execute();
  const documents = await readDocuments(
    store,
    rows.map((row) => row.token_id),
  );
  expect([...documents.values()].map(([one]) => one?.text)).toEqual([
    JSON.stringify({ name: 'Thing 1' }),
    JSON.stringify({ name: 'Thing 2' }),
  ]);
});

test.each<[NftMode, number, string]>([
  ['uris', 0, 'partial https://x.test/{id}.json'],
  ['documents', 2, 'queued https://x.test/{id}.json'],
])('behavior: with --nft %s', async (nft, documents, state) => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1, 2))], { nft });
  await evaluate({ nft });
  const jobs = await store.selectFrom('job').select('kind').execute();
  expect(jobs.filter(({ kind }) => kind === 'fetch-document')).toHaveLength(documents);
  expect(await tokens()).toEqual({ 1: state, 2: state });
});

test('behavior: with --nft none, nothing is queued', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1))], { nft: 'none' });
  expect(await store.selectFrom('job').select('kind').execute()).toEqual([]);
});

test('behavior: semi-fungible tokens, by prints and by assets of owners; a burn of one owner ends none', async () => {
  const source = `(define-fungible-token part)
      (define-map supplies uint uint)
      (define-read-only (get-decimals (id uint)) (ok u2))
      (define-read-only (get-total-supply (id uint)) (ok (default-to u0 (map-get? supplies id))))
      (define-read-only (get-token-uri (id uint)) (ok (some "https://x.test/{id}")))
      (define-public (mint (id uint) (amount uint)) (ok (map-set supplies id amount)))`;
  const mint = call('mint', [Cl.uint(1), Cl.uint(50)]);
  const other = call('other', []);
  await apply(store, [
    at(0, [deployJson('token', source, { clarityVersion: 2, interface: SFT_INTERFACE })]),
    at(1, [mint, other], {
      events: [
        nftEvent('mint', other.txid, ID, { owner: Cl.principal(ADDRESS), 'token-id': Cl.uint(1) }),
        nftEvent('burn', other.txid, ID, { owner: Cl.principal(ADDRESS), 'token-id': Cl.uint(1) }),
        printEvent(other.txid, { type: Cl.stringAscii('sft_mint'), 'token-id': Cl.uint(9), amount: Cl.uint(1) }),
      ],
    }),
  ]);
  await evaluate();
  expect(await tokens()).toEqual({ 1: 'partial https://x.test/{id}', 9: 'partial https://x.test/{id}' });
  const supplies = await store
    .selectFrom('reading')
    .innerJoin('token', 'token.token_id', 'reading.token_id')
    .select(['token_number', 'value', 'height', 'calls'])
    .where('getter', '=', 'get-total-supply')
    .orderBy('token_number')
    .execute();
  expect(supplies).toEqual([
    { token_number: '1', value: '50', height: 1, calls: 1 },
    { token_number: '9', value: '0', height: 1, calls: 1 },
  ]);
});

test.each([
  ['256 characters of nothing', ' '.repeat(256), 'empty-uri'],
  ['no URI', 'nothing to see', 'not-a-uri'],
])('error: a reason for each token whose URI is %s', async (_, uri, code) => {
  await apply(store, [at(0, [collection(`(ok (some "${uri}"))`)]), at(1, ...minted(1, 2))]);
  await evaluate();
  expect(await states()).toMatchObject({
    byState: { partial: 2 },
    byFailure: { [code]: 2 },
  });
});

test('error: document-not-fetched and no-uri: a reason for each token whose document nobody asked for', async () => {
  const reasons = async () => (await readCollectionStates(store, (await mustRead(store, ID)).deployId, 10)).byFailure;
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1, 2))]);
  await evaluate();
  expect(await reasons()).toEqual({ 'document-not-fetched': 2 });
  // One that failed has a reason of its own.
  const [row] = await store.selectFrom('token').select('token_id').where('token_number', '=', '2').execute();
  const result = fail('http-status');
  await store
    .transaction()
    .execute((transaction) =>
      writeDocuments(transaction, [{ tokenId: row?.token_id ?? 0, locale: '', uri: 'https://x.test', result }]),
    );
  expect(await reasons()).toEqual({ 'document-not-fetched': 1, 'http-status': 1 });

  await emptyIndex(store);
  const some = collection('(ok (if (is-eq id u1) (some "https://x.test/1") none))');
  await apply(store, [at(0, [some]), at(1, ...minted(1, 2, 3))]);
  await evaluate();
  expect(await tokens()).toEqual({ 1: 'partial https://x.test/1', 2: 'partial -', 3: 'partial -' });
  expect(await reasons()).toEqual({ 'document-not-fetched': 1, 'no-uri': 2 });
  await emptyIndex(store);
  await apply(store, [at(0, [collection('(ok none)')]), at(1, ...minted(1))]);
  await evaluate();
  expect(await reasons()).toEqual({ 'no-uri': 1 });
});

test('behavior: a run that goes further queues what earlier ones left alone', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1, 2))], { nft: 'none' });
  await queueFurther(store, 'none');
  expect(await store.selectFrom('job').select('kind').execute()).toEqual([]);
  await queueFurther(store, 'uris');
  expect(await store.selectFrom('job').select('kind').execute()).toEqual([{ kind: 'evaluate-token' }]);
  await evaluate();
  await queueFurther(store, 'uris');
  expect(await store.selectFrom('job').select('kind').execute()).toEqual([]);
  await queueFurther(store, 'documents');
  const fetch = { kind: 'fetch-document' };
  expect(await store.selectFrom('job').select('kind').execute()).toEqual([fetch, fetch]);
});

test('behavior: a notification has the documents fetched again that it names, and a frozen one never', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1, 2, 3))]);
  await evaluate();
  const rows = await store
    .selectFrom('token')
    .select(['token_id', 'token_number'])
    .where('token_number', '<>', '')
    .execute();
  const result = { document: { name: 'Thing' }, warnings: [] };
  await store.transaction().execute((transaction) =>
    writeDocuments(
      transaction,
      rows.map(({ token_id }) => ({ tokenId: token_id, locale: '', uri: 'https://x.test', result, fetchedAt: 1 })),
    ),
  );
  const notice = (mode: string, numbers: readonly number[]) =>
    withEvents((txid) => [
      printEvent(txid, {
        notification: Cl.stringAscii('token-metadata-update'),
        payload: Cl.tuple({
          'token-class': Cl.stringAscii('nft'),
          'contract-id': Cl.principal(ID),
          'token-ids': Cl.list(numbers.map((number) => Cl.uint(number))),
          'update-mode': Cl.stringAscii(mode),
        }),
      }),
    ]);
  await apply(store, [at(2, ...notice('standard', [2]))]);
  const queued = await store
    .selectFrom('job')
    .innerJoin('token', 'token.token_id', 'job.token_id')
    .select('token_number')
    .execute();
  expect(queued).toEqual([{ token_number: '2' }]);
  await apply(store, [at(3, ...notice('frozen', [1, 3])), at(4, ...notice('standard', [3]))]);
  const stale = await staleDocuments(store, 10_000, 100);
  const numbers = new Map(rows.map((row) => [row.token_id, row.token_number]));
  expect(stale.map(({ tokenId }) => numbers.get(tokenId))).toEqual(['2', '3']);
});

test('error: clarity-error, of a collection that the VM refuses and of each of its tokens', async () => {
  await apply(store, [at(0, [collection('(ok (some nothing))')]), at(1, ...minted(1))]);
  await evaluate();
  expect(await tokens()).toEqual({ 1: 'error -' });
  expect(await states()).toMatchObject({
    byState: { error: 1 },
    byFailure: { 'clarity-error': 1 },
    exceptions: [{ tokenNumber: '1', reason: { code: 'clarity-error' } }],
  });
});

test('error: not-a-uri: a number in the name of a host is asked of none', async () => {
  await apply(store, [at(0, [collection('(ok (some "https://{id}.x.test/"))')]), at(1, ...minted(1, 2))]);
  await evaluate({ nft: 'documents' });
  expect(await store.selectFrom('job').select('kind').execute()).toEqual([]);
  expect(await states()).toMatchObject({ byFailure: { 'not-a-uri': 2 } });
});

test('error: calls-not-recorded: a URI that depends on who owns a token is not known', async () => {
  const owned = collection('(ok (if (is-eq (nft-get-owner? thing id) (some tx-sender)) (some "a:b") none))', MINT);
  await apply(store, [at(0, [owned]), at(1, ...minted(1))]);
  await evaluate();
  expect(await states()).toMatchObject({ byFailure: { 'calls-not-recorded': 1 } });
});

test('error: replay-diverged: tokens keep what they were proven to be', async () => {
  const odd = call('mint', [Cl.uint(1), Cl.stringAscii('a:2')], { result: Cl.ok(Cl.uint(7)) });
  await apply(store, [
    at(0, [OWN_URIS]),
    at(1, ...withEvents((txid) => [nftEvent('mint', txid, ID, 1n)], mintTo('a:1', 1n))),
    at(2, [odd]),
  ]);
  await evaluate();
  expect(await tokens()).toEqual({ 1: 'partial a:1' });
  expect(await states()).toMatchObject({ byFailure: { 'replay-diverged': 1 } });
});

test('behavior: no more tokens than --max-nft-tokens, and how many are left out', async () => {
  const numbers = Array.from({ length: 2_400 }, (_, index) => index);
  await apply(store, [at(0, [SHARED]), at(1, ...minted(...numbers, 5, 5))], { maxNftTokens: 2_000 });
  const { deployId } = await mustRead(store, ID);
  expect((await countTokensOf(store, [deployId])).get(deployId)).toEqual({
    minted: 2_000,
    stored: 2_000,
    leftOut: 400,
  });
  await apply(store, [at(2, ...minted(99_999))], { maxNftTokens: 2_000 });
  expect((await countTokensOf(store, [deployId])).get(deployId)).toMatchObject({ stored: 2_000, leftOut: 401 });
});

test('behavior: events of what is no collection, or of assets without unsigned numbers, are nothing', async () => {
  const mint = call('mint', []);
  await apply(store, [
    at(0, [deployJson('coin', '(print 1)', { interface: TOKEN_INTERFACE, nonce: 9 }), SHARED]),
    at(1, [mint], {
      events: [
        nftEvent('mint', mint.txid, `${ADDRESS}.coin`, 1n),
        nftEvent('mint', mint.txid, `${ADDRESS}.missing`, 1n),
        nftEvent('mint', mint.txid, ID, { owner: Cl.principal(ADDRESS), 'token-id': Cl.uint(1) }),
        { ...nftEvent('mint', mint.txid, ID, 3n), committed: false },
        // Another asset of the contract is not its tokens.
        JSON.parse(JSON.stringify(nftEvent('mint', mint.txid, ID, 4n)).replace('::thing', '::badge')),
      ],
    }),
  ]);
  expect(await tokens()).toEqual({});
});

test('behavior: a contract that is a collection on one fork only', async () => {
  const fungible = deployJson('token', '(print 1)', { interface: TOKEN_INTERFACE });
  const [transactions, options] = minted(1);
  await apply(store, [
    at(0, []),
    at(1, [SHARED], { id: '1a', parent: '0' }),
    at(2, transactions, { ...options, id: '2a', parent: '1a' }),
    at(1, [fungible], { id: '1b', parent: '0' }),
  ]);
  await evaluate();
  expect(Object.keys(await tokens())).toEqual(['1']);
  await apply(store, [at(2, [], { id: '2b', parent: '1b' }), at(3, [], { id: '3b', parent: '2b' })]);
  expect((await mustRead(store, ID)).standard).toBe('sip-010');
  expect(await tokens()).toEqual({});
  const left = await store.selectFrom('collection').select('minted').execute();
  expect(left).toEqual([{ minted: 0 }]);
});

const MINT = '(define-public (mint (id uint)) (nft-mint? thing id tx-sender))';

/** The revision at which a token changed last. */
async function revisionOf(tokenNumber: string): Promise<number | undefined> {
  const row = await store
    .selectFrom('ledger')
    .innerJoin('token', 'token.token_id', 'ledger.key')
    .select('revision')
    .where('entity', '=', 'token')
    .where('token_number', '=', tokenNumber)
    .executeTakeFirst();
  return row?.revision;
}

function printEvent(txid: unknown, value: Parameters<typeof Cl.tuple>[0]): Json {
  const raw_value = `0x${Cl.serialize(Cl.tuple(value))}`;
  const contract_event = { contract_identifier: ID, topic: 'print', raw_value };
  return { txid, type: 'contract_event', committed: true, event_index: 0, contract_event };
}
