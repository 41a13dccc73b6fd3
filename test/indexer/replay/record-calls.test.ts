import { Cl } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { ChainReader } from '#indexer/replay/chain-reader.ts';
import { variableOf } from '#indexer/replay/transitive-effects.ts';
import { apply, at } from '../../support/chain-index.ts';
import { ADDRESS, call, OTHER_ADDRESS } from '../../support/transactions.ts';
import { contract, replayedToken, setName, setUri, TOKEN, token, tokenSource } from './replayed-token.ts';

const { store, evaluate, readingOf } = await replayedToken();

const kinds = async () =>
  (await store.selectFrom('call_kind').selectAll().orderBy('kind_id').execute()).map(
    ({ contract_id, function_name, passed }) => `${contract_id.split('.')[1]} ${function_name} ${passed}`.trim(),
  );
const calls = () => store.selectFrom('call').selectAll().execute();

test('records calls of writing functions, with the contracts that they may forward', async () => {
  const other = contract('other', '(define-public (run (x principal)) (contract-call? .token set-uri u"a:1"))', 2);
  const principal = Cl.contractPrincipal(ADDRESS, 'any');
  await apply(store, [at(0, [token(), other])]);
  await apply(store, [at(1, [setUri('a:1'), call('ping', []), call('run', [principal], { on: 'other' })])]);
  expect(await kinds()).toEqual(['token set-uri', `other run ${ADDRESS}.any`]);
  expect(await calls()).toHaveLength(2);
});

test('records a contract beside bytes that look like thousands of contracts in little memory', async () => {
  const other = contract('other', '(define-public (run (x principal) (b (buff 9))) (contract-call? x go))', 2);
  const principal = Cl.contractPrincipal(ADDRESS, 'any');
  await apply(store, [at(0, [token(), other])]);
  const looks = Buffer.alloc(1_000_000, Buffer.from([6, 22, 255, 1]));
  const many = Array.from({ length: 3 }, (_, index) => {
    looks.writeUInt32BE(index);
    return call('run', [principal, Cl.buffer(Buffer.from(looks))], { on: 'other' });
  });
  const { heapUsed } = process.memoryUsage();
  await apply(store, [at(1, many)]);
  expect(process.memoryUsage().heapUsed - heapUsed).toBeLessThan(150_000_000);
  expect(await kinds()).toEqual([`other run ${ADDRESS}.any`]);
  expect(await calls()).toHaveLength(3);
});

test('records calls of unknown contracts, and evaluates when their code arrives', async () => {
  await apply(store, [at(2, [setUri('a:2')])]);
  expect(await calls()).toHaveLength(1);
  await apply(store, [at(0, [token()]), at(1, [setUri('a:1')])]);
  await evaluate();
  expect(await readingOf()).toEqual({ getter: 'get-token-uri', source: 'vm', value: 'a:2', height: 2, calls: 2 });
});

test('gives each sender one id', async () => {
  await apply(store, [
    at(0, [token(tokenSource('true'))]),
    at(1, [setUri('a:1'), setUri('a:2', { by: OTHER_ADDRESS })]),
  ]);
  await apply(store, [at(2, [setUri('a:3', { by: OTHER_ADDRESS }), setUri('a:4')])]);
  const senders = (await calls()).map(({ sender_id }) => sender_id);
  expect(senders).toEqual([1, 2, 2, 1]);
  expect(await store.selectFrom('sender').select('principal').execute()).toHaveLength(2);
  await evaluate();
  expect(await readingOf()).toMatchObject({ value: 'a:4', calls: 4 });
});

test('evaluates again only after calls that write inputs of a value', async () => {
  const more = '(define-data-var other uint u0) (define-public (count) (ok (var-set other u1)))';
  await apply(store, [at(0, [token(tokenSource(undefined, more))])]);
  await evaluate();
  await apply(store, [at(1, [call('count', [])])]);
  expect(await evaluate()).toBe(0);
  await apply(store, [at(2, [call('count', []), setUri('a:1')])]);
  expect(await evaluate()).toBe(1);
  await apply(store, [at(3, [call('count', [])]), at(4, [setName('unknown', { on: 'nothing' })])]);
  expect(await evaluate()).toBe(0);
});

test('caches the writers of a variable by limit', async () => {
  await apply(store, [at(0, [token()]), at(1, [setUri('a:1')])]);
  const chain = new ChainReader(store);
  const uri = variableOf(TOKEN, 'uri');
  expect(await chain.kindsWriting(uri, 0)).toBeUndefined();
  expect((await chain.kindsWriting(uri, 1))?.kinds).toHaveLength(1);
});

test('combines cached and uncached calls of kinds', async () => {
  const owner = call('set-owner', [Cl.standardPrincipal(ADDRESS)]);
  await apply(store, [at(0, [token()]), at(1, [setUri('a:1'), owner]), at(2, [setUri('a:2')])]);
  const chain = new ChainReader(store);
  const [uris = [], owners = []] = await Promise.all(
    ['uri', 'owner'].map(async (name) => (await chain.kindsWriting(variableOf(TOKEN, name), 9))?.kinds),
  );
  const heights = async (...some: (typeof uris)[]) =>
    (await chain.callsOf(some.flat(), 9)).map(({ blockHeight, txIndex }) => [blockHeight, txIndex]);
  const first = await heights(uris);
  expect(first.map(([height]) => height)).toEqual([1, 2]);
  expect(await heights(uris, owners)).toHaveLength(3);
  expect(await heights(uris)).toEqual(first);
  expect((await heights(uris, owners)).map(([height]) => height)).toEqual([1, 1, 2]);
});

test('computes the variables of kinds again when blocks are missing', async () => {
  const variables = () => store.selectFrom('kind_write').selectAll().execute();
  await apply(store, [at(0, [token()]), at(1, [setUri('a:1')])]);
  await evaluate();
  const before = await variables();
  expect(before).toHaveLength(1);
  await store.deleteFrom('kind_write').execute();
  await apply(store, [at(5, [])]);
  expect(await variables()).toEqual(before);
});
