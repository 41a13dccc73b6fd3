// Tests deploys for which the observer sends no interface. The VM computes the interface until an archive has it.
import { expect, test } from 'vitest';
import { graphBlockOf } from '#layout/data-files.ts';
import { readServed } from '#store/contracts/contracts.ts';
import { cannedToken } from '../support/canned-token.ts';
import { ft, indexOfServers, parse, type ServersIndex, status } from '../support/index-of-servers.ts';
import { ADDRESS, blockLine, deployJson, idOf, type Json, nftEvent } from '../support/transactions.ts';
import { setUri, tokenSource } from './replay/replayed-token.ts';

const TRANSFER = `(define-public (transfer (amount uint) (sender principal) (recipient principal)
  (memo (optional (buff 34)))) (ft-transfer? coin amount sender recipient))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance coin who)))`;
const SOURCE = tokenSource('true', TRANSFER);
const NFT = `(define-non-fungible-token thing uint)
(define-data-var base (string-ascii 20) "https://x.test/")
(define-read-only (get-last-token-id) (ok u1))
(define-read-only (get-token-uri (token uint)) (ok (some (var-get base))))
(define-read-only (get-owner (token uint)) (ok (nft-get-owner? thing token)))
(define-public (transfer (token uint) (sender principal) (recipient principal))
  (nft-transfer? thing token sender recipient))`;
/** The source of a contract that uses another contract's trait, and whose deploy depends on the state of the chain. */
const USER = `(use-trait t .traits.t)
(define-constant answer u42)
(define-map seen { who: principal } (list 3 (string-utf8 5)))
(define-public (run (target <t>) (amount (response uint bool))) (contract-call? target f))
(unwrap-panic (stx-transfer? u1 tx-sender 'SP000000000000000000002Q6VF78))`;

const INTERFACE = {
  functions: [],
  variables: [{ name: 'given', type: 'uint128', access: 'constant' }],
  maps: [],
  fungible_tokens: [],
  non_fungible_tokens: [],
  epoch: 'Epoch24',
  clarity_version: 'Clarity2',
};
const deploy = (name: string, source: string, more: object = {}) =>
  deployJson(name, source, { clarityVersion: 2, nonce: name.length, ...more });
const lines = (...blocks: readonly (readonly Json[])[]) =>
  blocks.map((transactions, height) =>
    blockLine({ id: `b${height}`, parent: `b${height - 1}`, height, burnHeight: 800_000, transactions }),
  );
const index = (world: ServersIndex, archive: readonly string[], options: Parameters<ServersIndex['run']>[0] = {}) =>
  world.run({ archives: [world.archive(archive, `${Math.random()}.tsv`)], source: undefined, vm: true, ...options });
const interfaceIn = (tree: ReadonlyMap<string, string>, name: string) =>
  parse(tree, `v2/contracts/interface/${ADDRESS}/${name}`);

test('classifies, tracks and evaluates a token by its computed interface', async () => {
  const world = await indexOfServers([]);
  await index(world, lines([deploy('token', SOURCE)], [setUri('a:2')]));
  const tree = await world.build();
  expect(parse(tree, ft('token'))).toMatchObject({
    name: 'Coin',
    token_uri: 'a:2',
    asset_identifier: `${idOf('token')}::coin`,
  });
  const proven = { read_from: 'clarity-vm', height: 1, calls: 1, whole_contract: true };
  expect(parse(tree, status('token'))).toMatchObject({ interface: 'computed', values: { token_uri: proven } });
  const graph = parse(tree, `graph/${graphBlockOf(idOf('token'))}.json`);
  expect(graph).toMatchObject({ [idOf('token')]: { interface: 'computed' } });
  expect(interfaceIn(tree, 'token')).toMatchObject({ epoch: 'Epoch24', clarity_version: 'Clarity2' });
  expect(parse(tree, 'metadata/v1/index.json')).toMatchObject({
    interfaces: { computed: 1, missing: 0, missing_contracts: [] },
    token_contracts: { 'sip-010': 1 },
  });
});

test('counts the tokens of a collection from its deploy on', async () => {
  const world = await indexOfServers([]);
  const call = setUri('mint');
  const block = { burnHeight: 800_000 };
  await index(world, [
    blockLine({ id: 'b0', parent: 'none', height: 0, transactions: [deploy('token', NFT)], ...block }),
    blockLine({
      ...{ id: 'b1', parent: 'b0', height: 1, transactions: [call], ...block },
      events: [nftEvent('mint', call.txid, idOf('token'), 1n)],
    }),
  ]);
  expect(parse(await world.build(), `metadata/v1/nft/${idOf('token')}/1`)).toMatchObject({
    token_uri: 'https://x.test/',
  });
});

test('computes types without running code that needs the state of the chain', async () => {
  const world = await indexOfServers([]);
  const traits = deploy('traits', '(define-trait t ((f () (response uint uint))))');
  await index(world, lines([traits], [deploy('user', USER), deploy('plain', '(print u1)')]));
  const tree = await world.build();
  expect(interfaceIn(tree, 'user')).toEqual({
    functions: [
      {
        name: 'run',
        access: 'public',
        args: [
          { name: 'target', type: 'trait_reference' },
          { name: 'amount', type: { response: { ok: 'uint128', error: 'bool' } } },
        ],
        outputs: { type: { response: { ok: 'uint128', error: 'uint128' } } },
      },
    ],
    variables: [{ name: 'answer', type: 'uint128', access: 'constant' }],
    maps: [
      {
        name: 'seen',
        key: { tuple: [{ name: 'who', type: 'principal' }] },
        value: { list: { type: { 'string-utf8': { length: 5 } }, length: 3 } },
      },
    ],
    fungible_tokens: [],
    non_fungible_tokens: [],
    epoch: 'Epoch24',
    clarity_version: 'Clarity2',
  });
  expect(interfaceIn(tree, 'plain')).toMatchObject({ functions: [], variables: [] });
});

test('names contracts without an interface, and computes it when their dependencies arrive', async () => {
  const world = await indexOfServers([]);
  const traits = deploy('traits', '(define-trait t ((f () (response uint uint))))');
  const user = deploy('user', USER);
  await index(world, lines([], [user]));
  const missing = { computed: 0, missing: 1, missing_contracts: [idOf('user')] };
  expect(parse(await world.build(), 'metadata/v1/index.json')).toMatchObject({ interfaces: missing });
  const other = (height: number, blockId: string, parent: string, transactions: readonly Json[]) =>
    blockLine({ id: blockId, parent, height, burnHeight: 800_000, transactions });
  await index(world, [other(0, 'x0', 'y', [traits]), other(1, 'x1', 'x0', [user]), other(2, 'x2', 'x1', [])]);
  expect(parse(await world.build(), 'metadata/v1/index.json')).toMatchObject({
    interfaces: { computed: 2, missing: 0 },
  });
});

test('counts contracts without an interface if the VM is off', async () => {
  const world = await indexOfServers([]);
  await index(world, lines([deploy('token', SOURCE)]), { vm: false });
  const tree = await world.build();
  expect(parse(tree, 'metadata/v1/index.json')).toMatchObject({
    interfaces: { computed: 0, missing: 1, missing_contracts: [idOf('token')] },
  });
  expect(tree.has(ft('token'))).toBe(false);
});

test('reads values of a token without an interface from a node if the VM is off', async () => {
  const transaction = deploy('c', SOURCE);
  const token = cannedToken('c', 'a:1', { txId: String(transaction.txid) });
  const world = await indexOfServers([token], { tipHeight: 0 });
  await index(world, lines([transaction]), { vm: false });
  await world.run({ hasApi: false, vm: false });
  const tree = await world.build();
  expect(parse(tree, ft('c'))).toMatchObject({ name: 'Token c', asset_identifier: `${idOf('c')}::coin` });
  expect(parse(tree, `extended/v1/contract/${idOf('c')}`)).toMatchObject({ abi: null });
  expect(interfaceIn(tree, 'c')).toBe(null);
  expect(world.server.requests.filter((path) => path.includes('interface'))).toEqual([]);
  await world.run({ source: undefined, vm: true });
  expect(interfaceIn(await world.build(), 'c')).toMatchObject({ fungible_tokens: [{ name: 'coin' }] });
});

test('replaces a computed interface by the interface from a later archive', async () => {
  const world = await indexOfServers();
  await index(world, lines([deploy('c', SOURCE)]));
  expect(await readServed(world.store, idOf('c'))).toMatchObject({ interfaceFrom: 'vm', standard: 'sip-010' });
  await index(world, lines([deploy('c', SOURCE, { interface: INTERFACE })]));
  expect(interfaceIn(await world.build(), 'c')).toEqual(INTERFACE);
  expect(await readServed(world.store, idOf('c'))).toMatchObject({ interfaceFrom: 'source', standard: undefined });
  expect(world.warnings).toEqual([]);
});

test('computes an interface again after the API has reported the contract again', async () => {
  const world = await indexOfServers([{ contractId: idOf('c'), sourceCode: SOURCE, abi: undefined }]);
  const interfaceOf = async () => (await readServed(world.store, idOf('c')))?.interfaceFrom;
  for (const _ of [1, 2]) {
    await world.store.deleteFrom('report').execute();
    await world.run({ contracts: [idOf('c')] });
    expect(await interfaceOf()).toBe(undefined);
    await world.run({ vm: true });
    expect(await interfaceOf()).toBe('vm');
  }
});
