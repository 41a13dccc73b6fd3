// Tests the documents of tokens in collections: their URIs, repeated reads, and the reasons for missing documents.
import { Cl } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { queueReadMore } from '#indexer/queue/queue-new-tokens.ts';
import { fail } from '#model/failure.ts';
import type { NftMode } from '#model/token.ts';
import { readDocuments, writeDocuments } from '#store/tokens/documents.ts';
import { staleDocuments } from '#store/tokens/due-documents.ts';
import { apply, at } from '../../support/chain-index.ts';
import { emptyIndex } from '../../support/index-of-archive.ts';
import { call, callJson, notificationValue, OTHER_ADDRESS, printEvent } from '../../support/transactions.ts';
import {
  collection,
  collectionIndex,
  HUGE,
  ID,
  minted,
  mintedTo,
  OWN_URIS,
  SHARED,
  withEvents,
} from './collection-index.ts';

const { store, evaluate, states, tokens } = await collectionIndex();
const kinds = async () => (await store.selectFrom('job').select('kind').execute()).map(({ kind }) => kind);
const numbered = () =>
  store.selectFrom('token').select(['token_id', 'token_number']).where('token_number', '<>', '').execute();
const write = (documents: Parameters<typeof writeDocuments>[1]) =>
  store.transaction().execute((transaction) => writeDocuments(transaction, documents));

test('takes linear time for new tokens with inline documents', async () => {
  const inline = collection('(ok (some "data:application/json,%7B%22name%22:%22All%22%7D"))');
  const costs: number[] = [];
  for (const count of [4_000, 16_000]) {
    await emptyIndex(store);
    await apply(store, [at(0, [inline]), at(1, ...minted(1))]);
    await evaluate();
    const start = process.threadCpuUsage();
    await apply(store, [at(2, ...minted(...Array.from({ length: count }, (_, index) => index + 2)))]);
    const { user, system } = process.threadCpuUsage(start);
    costs.push(user + system);
    expect((await states()).byState.complete).toBe(count + 1);
  }
  const [few = 0, many = 0] = costs;
  expect(many / few).toBeLessThan(8);
});

test("reads inline documents, and fills in each token's number", async () => {
  const inline = collection('(ok (some "data:application/json,%7B%22name%22:%22Thing {id}%22%7D"))');
  await apply(store, [at(0, [inline]), at(1, ...minted(1, 2))]);
  await evaluate();
  const ids = (await numbered()).map((row) => row.token_id);
  const documents = await readDocuments(store, ids);
  expect([...documents.values()].map(([first]) => first?.text)).toEqual([
    JSON.stringify({ name: 'Thing 1' }),
    JSON.stringify({ name: 'Thing 2' }),
  ]);
});

test('SIP-016, JSON scheme of Metadata: fills {id} into a shared document and its locales', async () => {
  const dataUri = (value: object) =>
    `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`;
  const localized = `data:application/json,%7B%22name%22:%22Ding {id} {locale}%22%7D`;
  const localization = { uri: localized, default: 'en', locales: ['en', 'de'] };
  const shared = dataUri({ name: 'Thing {id}', properties: { no: ['{id}'] }, localization });
  await apply(store, [at(0, [collection(`(ok (some "${shared}"))`)]), at(1, ...minted(1, HUGE))]);
  await evaluate();
  const documents = await readDocuments(
    store,
    (await numbered()).map((row) => row.token_id),
  );
  const texts = [...documents.values()].map((all) => all.map(({ text }) => JSON.parse(text ?? 'null') as object));
  const expected = ['1', `${HUGE}`].map((id) => [
    {
      name: `Thing ${id}`,
      properties: { no: [id] },
      localization: { ...localization, uri: localized.replace('{id}', id) },
    },
    { name: `Ding ${id} de` },
  ]);
  expect(texts).toEqual(expected);
});

test.each<[NftMode, number, string]>([
  ['uris', 0, 'partial https://x.test/{id}.json'],
  ['documents', 2, 'queued https://x.test/{id}.json'],
])('queues documents according to --nft %s', async (nft, documents, state) => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1, 2))], { nft });
  await evaluate({ nft });
  expect((await kinds()).filter((kind) => kind === 'fetch-document')).toHaveLength(documents);
  expect(await tokens()).toEqual({ 1: state, 2: state });
});

test.each([
  ['256 spaces', collection(`(ok (some "${' '.repeat(256)}"))`), 'partial', 'empty-uri'],
  ['not a URI', collection('(ok (some "nothing to see"))'), 'partial', 'not-a-uri'],
  ['a template with {id} in the host name', collection('(ok (some "https://{id}.x.test/"))'), 'partial', 'not-a-uri'],
  ['refused by the VM', collection('(ok (some nothing))'), 'error', 'clarity-error'],
])('reports the reason for each token whose URI is %s', async (_, deploy, state, code) => {
  await apply(store, [at(0, [deploy]), at(1, ...minted(1, 2))]);
  await evaluate({ nft: 'documents' });
  expect(await kinds()).toEqual([]);
  const exceptions = ['1', '2'].map((tokenNumber) => ({ tokenNumber, reason: { code } }));
  expect(await states()).toMatchObject({ byState: { [state]: 2 }, byFailure: { [code]: 2 }, exceptions });
});

test('reports ownership-not-followed for a URI that depends on the owner of a token', async () => {
  const getter = '(ok (if (is-eq (nft-get-owner? thing id) (some tx-sender)) (some "a:b") none))';
  const owned = collection(getter, '(define-public (mint (id uint)) (nft-mint? thing id tx-sender))');
  await apply(store, [at(0, [owned]), at(1, ...minted(1))]);
  await evaluate();
  expect(await states()).toMatchObject({ byFailure: { 'ownership-not-followed': 1 } });
});

test('reports document-not-fetched and no-uri for tokens whose documents were not requested', async () => {
  const reasons = async () => (await states()).byFailure;
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1, 2))]);
  await evaluate();
  expect(await reasons()).toEqual({ 'document-not-fetched': 2 });
  // Makes the document of the second token fail, which gives a different reason.
  const second = (await numbered()).find((row) => row.token_number === '2');
  const result = fail('http-status');
  await write([{ tokenId: second?.token_id ?? 0, locale: '', uri: 'https://x.test', result }]);
  expect(await reasons()).toEqual({ 'document-not-fetched': 1, 'http-status': 1 });

  await emptyIndex(store);
  const some = collection('(ok (if (is-eq id u1) (some "https://x.test/1") none))');
  await apply(store, [at(0, [some]), at(1, ...minted(1, 2, 3))]);
  await evaluate();
  expect(await tokens()).toEqual({ 1: 'partial https://x.test/1', 2: 'partial -', 3: 'partial -' });
  expect(await reasons()).toEqual({ 'document-not-fetched': 1, 'no-uri': 2 });
  const exceptions = ['2', '3'].map((tokenNumber) => ({ tokenNumber, reason: { code: 'no-uri' } }));
  expect(await states()).toMatchObject({ exceptions });
  await emptyIndex(store);
  await apply(store, [at(0, [collection('(ok none)')]), at(1, ...minted(1))]);
  await evaluate();
  expect(await states()).toMatchObject({ byFailure: { 'no-uri': 1 }, exceptions: [] });
});

test('queues nothing with --nft none, and queues skipped data with a higher mode', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1, 2))], { nft: 'none' });
  expect(await kinds()).toEqual([]);
  await queueReadMore(store, 'none');
  expect(await kinds()).toEqual([]);
  await queueReadMore(store, 'uris');
  expect(await kinds()).toEqual(['evaluate-token']);
  await evaluate();
  await queueReadMore(store, 'uris');
  expect(await kinds()).toEqual([]);
  await queueReadMore(store, 'documents');
  expect(await kinds()).toEqual(['fetch-document', 'fetch-document']);
});

test('SIP-019, Non-Fungible Tokens: fetches the named documents again, and never frozen ones', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1, 2, 3))]);
  await evaluate();
  const rows = await numbered();
  const result = { document: { name: 'Thing' }, warnings: [] };
  await write(rows.map((row) => ({ tokenId: row.token_id, locale: '', uri: 'https://x.test', result, fetchedAt: 1 })));
  const notice = (mode: string, numbers: readonly number[]) => {
    const value = notificationValue(ID, {
      'token-class': Cl.stringAscii('nft'),
      'token-ids': Cl.list(numbers.map((number) => Cl.uint(number))),
      'update-mode': Cl.stringAscii(mode),
    });
    return withEvents((txid) => [printEvent(txid, ID, value)]);
  };
  await apply(store, [at(2, ...notice('standard', [2]))]);
  const queued = await store
    .selectFrom('job')
    .innerJoin('token', 'token.token_id', 'job.token_id')
    .select('token_number')
    .execute();
  expect(queued).toEqual([{ token_number: '2' }]);
  await apply(store, [at(3, ...notice('frozen', [1, 3])), at(4, ...notice('standard', [3]))]);
  const stale = await staleDocuments(store, 10_000, 100).execute();
  const numbers = new Map(rows.map((row) => [row.token_id, row.token_number]));
  expect(stale.map((row) => numbers.get(row.token_id))).toEqual(['2', '3']);
});

test('SIP-019, Non-Fungible Tokens: fetches all again without token-ids, each once', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1, 2))]);
  await evaluate();
  const result = { document: { name: 'Thing' }, warnings: [] };
  const rows = await numbered();
  await write(rows.map((row) => ({ tokenId: row.token_id, locale: '', uri: 'https://x.test', result, fetchedAt: 1 })));
  const value = notificationValue(ID, { 'token-class': Cl.stringAscii('nft') });
  const twice = (emitter: string) =>
    withEvents(
      (txid) => [0, 1].map((index) => printEvent(txid, emitter, value, index)),
      callJson({ by: OTHER_ADDRESS }),
    );
  await apply(store, [at(2, ...twice(`${ID}-2`))]);
  expect(await kinds()).toEqual([]);
  await apply(store, [at(3, ...twice(ID))]);
  expect(await kinds()).toEqual(['fetch-document', 'fetch-document']);
});

test('reports replay-diverged, and tokens keep their proven values', async () => {
  const odd = call('mint', [Cl.uint(1), Cl.stringAscii('a:2')], { result: Cl.ok(Cl.uint(7)) });
  await apply(store, [at(0, [OWN_URIS]), at(1, ...mintedTo('a:1', 1n)), at(2, [odd])]);
  await evaluate();
  expect(await tokens()).toEqual({ 1: 'partial a:1' });
  expect(await states()).toMatchObject({ byFailure: { 'replay-diverged': 1 } });
});
