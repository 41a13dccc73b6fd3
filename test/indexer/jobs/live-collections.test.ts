// Tests collections that come from a node and an API: their tokens, and the values of each token.
import { Cl } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { type CallResult, chainOf, type LiveContract } from '../../support/chain-listener.ts';
import { indexOfServers, parse, type ServersIndex } from '../../support/index-of-servers.ts';
import { COLLECTION_INTERFACE, SFT_INTERFACE } from '../../support/interfaces.ts';
import { ADDRESS, blockLine, deployJson, type Json, nftEvent } from '../../support/transactions.ts';

const ID = `${ADDRESS}.things`;
const SHARED_GETTER = '(define-read-only (get-token-uri (id uint)) (ok (some "https://x.test/{id}.json")))';
const OWN_GETTER = '(define-read-only (get-token-uri (id uint)) (ok (map-get? uris id)))';

/** Returns a collection. `last` is the result of its `get-last-token-id`. */
function liveCollection(getter: string, last: number | bigint): LiveContract {
  return {
    contractId: ID,
    sourceCode: getter,
    abi: COLLECTION_INTERFACE,
    call: (name, args): CallResult => {
      if (name === 'get-last-token-id') return { result: `0x${Cl.serialize(Cl.ok(Cl.uint(last)))}` };
      if (name !== 'get-token-uri') return { cause: 'Unchecked(UndefinedFunction)' };
      const uri =
        getter === SHARED_GETTER ? 'https://x.test/{id}.json' : `https://own.test/${BigInt(`0x${args[0]?.slice(4)}`)}`;
      return { result: `0x${Cl.serialize(Cl.ok(Cl.some(Cl.stringAscii(uri))))}` };
    },
  };
}

const deployOf = (source: string) =>
  deployJson('things', source, { interface: COLLECTION_INTERFACE, clarityVersion: 2 });
/** Writes an archive, and returns its path. The first block has the deploy and mints, and `empty` blocks follow it. */
const archiveOf = (world: ServersIndex, deploy: Json, minted: readonly bigint[], empty = 0) =>
  world.archive([
    blockLine({
      ...{ id: 1, parent: 0, height: 1, transactions: [deploy] },
      events: minted.map((number) => nftEvent('mint', deploy.txid, ID, number)),
    }),
    ...Array.from({ length: empty }, (_, index) => blockLine({ id: index + 2, parent: index + 1, height: index + 2 })),
  ]);

const calls = ({ server }: ServersIndex, getter: string) =>
  server.requests.filter((path) => path.endsWith(`/${getter}`)).length;

async function urisOf(world: ServersIndex): Promise<Record<string, unknown>> {
  const tree = await world.build();
  const paths = [...tree.keys()].filter((path) => /^metadata\/v1\/nft\/S[^/]+\/\d+$/.test(path));
  return Object.fromEntries(
    paths.map((path) => [path.split('/').at(-1), (parse(tree, path) as { token_uri?: string }).token_uri]),
  );
}

test('SIP-009, Last token ID: finds the numbers up to it, and calls a shared getter once', async () => {
  const world = await indexOfServers([liveCollection(SHARED_GETTER, 2)], { isIndexed: true });
  expect(await urisOf(world)).toEqual({ 1: 'https://x.test/1.json', 2: 'https://x.test/2.json' });
  expect(calls(world, 'get-token-uri')).toBe(1);
  await world.run();
  expect(calls(world, 'get-token-uri')).toBe(1);
});

test('calls an unshared getter for each token', async () => {
  const world = await indexOfServers([liveCollection(OWN_GETTER, 210)], { isIndexed: true });
  const uris = await urisOf(world);
  expect(Object.keys(uris)).toHaveLength(210);
  expect(uris[210]).toBe('https://own.test/210');
});

test('reports that an API does not list the tokens of a collection, until an archive has it', async () => {
  const sft = { ...liveCollection(SHARED_GETTER, 2), abi: SFT_INTERFACE };
  const world = await indexOfServers([sft], { isIndexed: true });
  const statusOf = async () => parse(await world.build(), `metadata/v1/status/${ID}`);
  const tokens = { count: 0 };
  expect(await statusOf()).toMatchObject({ tokens, failure: { code: 'tokens-not-listed' } });
  const deploy = deployJson('things', SHARED_GETTER, { interface: SFT_INTERFACE, clarityVersion: 2 });
  await world.run({ archives: [archiveOf(world, deploy, [])], source: undefined });
  expect(await statusOf()).toEqual(expect.not.objectContaining({ failure: expect.anything() }));
});

test('lists the tokens of a collection without an interface', async () => {
  const world = await indexOfServers([liveCollection(OWN_GETTER, 2)]);
  const transaction = deployJson('things', COLLECTION_SOURCE, { clarityVersion: 2 });
  await world.run({ archives: [archiveOf(world, transaction, [])], hasApi: false, vm: false });
  expect(parse(await world.build(), `metadata/v1/status/${ID}`)).toMatchObject({ tokens: { count: 2 } });
});

test('does not request archived tokens from a node', async () => {
  const transaction = deployOf(COLLECTION_SOURCE);
  const world = await indexOfServers([liveCollection(OWN_GETTER, 3)]);
  await world.run({ archives: [archiveOf(world, transaction, [5n])], vm: true });
  expect(await urisOf(world)).toEqual({ 1: undefined, 2: undefined, 3: undefined, 5: 'https://own.test/5' });
  expect(calls(world, 'get-token-uri')).toBe(0);
});

test("marks a node's value as unproven if the archive cannot prove it", async () => {
  const getter = OWN_GETTER.replace('(map-get?', '(if (> (stx-get-balance tx-sender) u5) none (map-get?').replace(
    /$/,
    ')',
  );
  const sourceCode = COLLECTION_SOURCE.replace(OWN_GETTER, getter);
  const transaction = deployOf(sourceCode);
  const world = await indexOfServers(
    [{ ...liveCollection(getter, 5), txId: String(transaction.txid), blockHeight: 1, sourceCode }],
    { isIndexed: true },
  );
  await world.run({ archives: [archiveOf(world, transaction, [5n], 1)], vm: true, source: undefined });
  const uris = await urisOf(world);
  expect(uris[5]).toBe('https://own.test/5');
  const failures = { 'calls-not-recorded': Object.keys(uris).length };
  expect(parse(await world.build(), `metadata/v1/status/${ID}`)).toMatchObject({ failures });
});

test('cancels reads of tokens from a node when an archive contains the collection', async () => {
  const transaction = deployOf(COLLECTION_SOURCE);
  const stop = new AbortController();
  const collection = liveCollection(OWN_GETTER, 5);
  const api = { txId: String(transaction.txid), blockHeight: 1, sourceCode: COLLECTION_SOURCE };
  const stopping: LiveContract = {
    ...collection,
    ...api,
    call: (name, args) => {
      if (name === 'get-token-uri') stop.abort();
      return collection.call?.(name, args) ?? { cause: '' };
    },
  };
  const world = await indexOfServers([stopping]);
  await world.run({ contracts: [ID], signal: stop.signal });
  world.chain = chainOf([collection]);
  await world.run({ archives: [archiveOf(world, transaction, [5n])], vm: true, source: undefined });
  const before = await urisOf(world);
  const callsBefore = calls(world, 'get-token-uri');
  await world.run({ vm: true });
  expect(calls(world, 'get-token-uri')).toBe(callsBefore);
  expect(await urisOf(world)).toEqual(before);
});

test('takes a shared URI from the node if the Clarity VM refuses the contract', async () => {
  const sourceCode = SHARED_GETTER.replace('(some "https://x.test/{id}.json")', '(contract-call? .missing get-uri)');
  const world = await indexOfServers([{ ...liveCollection(SHARED_GETTER, 2), sourceCode }]);
  const transaction = deployOf(sourceCode);
  await world.run({ archives: [archiveOf(world, transaction, [])], vm: true });
  expect(await urisOf(world)).toEqual({ 1: 'https://x.test/1.json', 2: 'https://x.test/2.json' });
});

test('lists no tokens while a node does not know a collection, and lists them later', async () => {
  const collection = liveCollection(SHARED_GETTER, 3);
  const unknown = { ...collection, call: (): CallResult => ({ cause: `Unchecked(NoSuchContract("${ID}"))` }) };
  const world = await indexOfServers([unknown]);
  await world.run({ contracts: [ID] });
  expect(await urisOf(world)).toEqual({});
  world.chain = chainOf([collection]);
  await world.store.updateTable('job').set({ next_attempt_at: 0 }).execute();
  await world.run();
  expect(Object.keys(await urisOf(world))).toEqual(['1', '2', '3']);
});

test('limits tokens to --max-nft-tokens', async () => {
  const world = await indexOfServers([liveCollection(SHARED_GETTER, 2n ** 128n - 1n)]);
  await world.run({ contracts: [ID], maxNftTokens: 10 });
  await world.run({ contracts: [ID], maxNftTokens: 10, refresh: { principals: [], maxAgeMs: undefined } });
  expect(Object.keys(await urisOf(world))).toHaveLength(10);
  const status = parse(await world.build(), `metadata/v1/status/${ID}`);
  expect(status).toMatchObject({ tokens: { count: 10, left_out: 1 } });
});

test('leaves no token out of a collection that has as many as --max-nft-tokens', async () => {
  const world = await indexOfServers([liveCollection(SHARED_GETTER, 10n)]);
  await world.run({ contracts: [ID], maxNftTokens: 10 });
  const status = parse(await world.build(), `metadata/v1/status/${ID}`);
  expect(status).toMatchObject({ tokens: { count: 10, left_out: 0 } });
});

test("requests nothing about collections' tokens with --nft none", async () => {
  const world = await indexOfServers([liveCollection(SHARED_GETTER, 5)]);
  await world.run({ contracts: [ID], nft: 'none' });
  expect(world.server.requests.filter((path) => path.includes('call-read'))).toEqual([]);
  expect(await urisOf(world)).toEqual({});
});

const COLLECTION_SOURCE = `(define-non-fungible-token thing uint)
  (define-map uris uint (string-ascii 40))
  (map-set uris u5 "https://own.test/5")
  (define-read-only (get-last-token-id) (ok u3))
  (define-read-only (get-owner (id uint)) (ok (nft-get-owner? thing id)))
  (define-public (transfer (id uint) (from principal) (to principal)) (ok true))
  ${OWN_GETTER}`;
