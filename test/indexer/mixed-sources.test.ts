// Reads contracts from an API or a node first, and from an archive later. The result must be the same as in the reverse
// order.
import { Cl } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { chainOf } from '../support/chain-listener.ts';
import { ft, indexOfServers, liveToken, parse, status } from '../support/index-of-servers.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { blockLine, deployJson, hashOf, idOf, type Json } from '../support/transactions.ts';
import { setUri, tokenSource } from './replay/replayed-token.ts';

const SOURCE = tokenSource('true');
const deployOf = (source = SOURCE) => deployJson('token', source, { clarityVersion: 2, interface: TOKEN_INTERFACE });
const chainOfBlocks = (...blocks: readonly (readonly Json[])[]) =>
  blocks.map((transactions, height) =>
    blockLine({ id: `b${height}`, parent: `b${height - 1}`, height, burnHeight: 800_000, transactions }),
  );
/** Fields of the API's response about the token. */
const reported = { txId: String(deployOf().txid), blockHeight: 0, sourceCode: SOURCE };

test('evaluates a listed token when its archive arrives', async () => {
  const listed = { name: 'Coin', symbol: 'C', decimals: 6, total_supply: '1000', token_uri: 'a:listed' };
  const world = await indexOfServers([liveToken('token', {}, { listed, ...reported })], { tipHeight: 1 });
  await world.run({ discover: true });
  const lines = chainOfBlocks([deployOf()], [setUri('a:listed')], [setUri('a:2')], []);
  await world.run({ archives: [world.archive(lines)], vm: true });
  expect(parse(await world.build(), ft('token'))).toMatchObject({ token_uri: 'a:2', total_supply: '0' });
});

test('marks listed values as unproven after unproven calls or untracked changes', async () => {
  const rich = '(> (stx-get-balance tx-sender) u7)';
  const source = tokenSource(rich).replace('"Coin"', `(if ${rich} "Rich" "Coin")`);
  const listed = { name: 'Coin', symbol: 'C', decimals: 6, total_supply: '1000', token_uri: 'a:listed' };
  const deploy = deployOf(source);
  const listing = { listed, txId: String(deploy.txid), blockHeight: 0, sourceCode: source };
  const world = await indexOfServers([liveToken('token', {}, listing)], { tipHeight: 1 });
  await world.run({ discover: true });
  const index = async (...blocks: Json[][]) => {
    await world.run({ archives: [world.archive(chainOfBlocks(...blocks))], vm: true, source: undefined });
    return parse(await world.build(), status('token'));
  };
  const isUnproven = (code: string) => ({ read_from: 'token-list', failure: { code } });
  const values = { name: isUnproven('calls-not-recorded'), symbol: { read_from: 'clarity-vm', height: 0 } };
  expect(await index([deploy], [], [])).toMatchObject({ values });
  await world.run({ discover: true });
  expect(parse(await world.build(), status('token'))).toMatchObject({ values });
  const unproven = setUri('a:2', { result: Cl.ok(Cl.uint(7)) });
  await index([deploy], [], [], [unproven]);
  await world.run({ discover: true });
  expect(parse(await world.build(), status('token'))).toMatchObject({
    values: { token_uri: isUnproven('evaluation-pending') },
  });
});

test.each([
  ['before', [0, 1]],
  ['after', [1, 0]],
] as const)('keeps proven values if a token list comes %s the archive', async (_, order) => {
  const listed = { name: 'Old', symbol: 'OLD', decimals: 2, total_supply: '77', token_uri: 'a:1' };
  const world = await indexOfServers([liveToken('token', {}, { ...reported, listed })], { tipHeight: 3 });
  // The node does not answer, so that only the list has values.
  world.chain = chainOf(
    [{ ...liveToken('token', {}, { ...reported, listed }), call: () => ({ status: 500, text: '' }) }],
    {
      tipHeight: 3,
    },
  );
  const lines = chainOfBlocks([deployOf()], [setUri('a:1')], [setUri('a:2')]);
  const runs = [
    () => world.run({ discover: true }),
    () => world.run({ archives: [world.archive(lines)], vm: true, source: undefined }),
  ];
  for (const run of order) await runs[run]?.();
  const tree = await world.build();
  expect(parse(tree, ft('token'))).toMatchObject({ name: 'Coin', token_uri: 'a:2', total_supply: '0' });
  expect(parse(tree, status('token'))).toMatchObject({
    values: { token_uri: { read_from: 'clarity-vm', height: 2 }, total_supply: { read_from: 'events' } },
  });
});

test('serves listed values without a height', async () => {
  const listed = { name: 'Listed', symbol: 'L', decimals: 6, total_supply: '1000', token_uri: 'a:listed' };
  const world = await indexOfServers([liveToken('token', {}, { listed, ...reported })], { tipHeight: 3 });
  await world.run({ discover: true });
  const from = { read_from: 'token-list' };
  expect((parse(await world.build(), status('token')) as { values: unknown }).values).toEqual({
    ...{ name: from, symbol: from, decimals: from, total_supply: from, token_uri: from },
  });
});

test("marks a node's value as unproven after a diverged call", async () => {
  const uri = { 'get-token-uri': '(ok (some u"a:node"))' };
  const world = await indexOfServers([liveToken('token', uri)], { tipHeight: 1 });
  const deploy = deployOf(tokenSource('(is-eq (mod (stx-get-balance tx-sender) u2) u0)'));
  const blocks = [[deploy], [setUri('a:node')], [setUri('a:2', { result: Cl.ok(Cl.uint(7)) })]];
  await world.run({ archives: [world.archive(chainOfBlocks(...blocks.slice(0, 2)))], vm: true });
  await world.run({ archives: [world.archive(chainOfBlocks(...blocks))], vm: true, source: undefined });
  const failure = { code: 'replay-diverged' };
  expect(parse(await world.build(), status('token'))).toMatchObject({ values: { token_uri: { failure } } });
});

test("marks a node's value as unproven after a call if the VM is off", async () => {
  const world = await indexOfServers([liveToken('token', { 'get-token-uri': '(ok (some u"a:node"))' })], {
    tipHeight: 1,
  });
  const index = async (blocks: Json[][], options = {}) => {
    await world.run({ archives: [world.archive(chainOfBlocks(...blocks))], ...options });
    return (parse(await world.build(), status('token')) as { values: { token_uri: object } }).values.token_uri;
  };
  const blocks = [[deployOf()], [setUri('a:node')]];
  expect(await index(blocks)).toEqual({ read_from: 'node', height: 1 });
  const failure = { code: 'evaluation-pending' };
  expect(await index([...blocks, [setUri('a:2')]], { source: undefined })).toMatchObject({ failure });
  const refresh = { principals: [], maxAgeMs: undefined };
  world.chain = chainOf([...world.chain.contracts.values()], { tipHeight: 3 });
  expect(await index([...blocks, [setUri('a:2')], []], { refresh })).toEqual({ read_from: 'node', height: 3 });
});

const infoPath = (name: string) => `extended/v1/contract/${idOf(name)}`;

test.each([
  ['source', { sourceCode: SOURCE.replace('"Coin"', '"Forged"') }],
  ['interface', { abi: { ...TOKEN_INTERFACE, fungible_tokens: [{ name: 'liar' }] } }],
  ['interface without a token', { abi: EMPTY_INTERFACE }],
  ['Clarity version', { clarityVersion: 1 }],
  ['transaction', { txId: hashOf('other') }],
  ['block', { blockHeight: 7, canonical: false }],
] as const)('serves the contract of a block if an API reports another %s', async (_, lie) => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const world = await indexOfServers([liveToken('token', {}, { ...reported, ...lie })], { tipHeight: 50 });
    const runs = [
      () => world.run({ contracts: [idOf('token')] }),
      () => world.run({ archives: [world.archive(chainOfBlocks([deployOf()], []))], source: undefined, vm: true }),
    ];
    for (const run of order) await runs[run]?.();
    const tree = await world.build();
    expect(parse(tree, infoPath('token'))).toMatchObject({
      ...{ source_code: SOURCE, tx_id: deployOf().txid, block_height: 0, canonical: true, clarity_version: 2 },
      abi: JSON.stringify(TOKEN_INTERFACE),
    });
    expect(parse(tree, ft('token'))).toMatchObject({ asset_identifier: `${idOf('token')}::coin` });
    expect(world.warnings).toEqual([]);
  }
});

test('evaluates a token again if a block has another source of a called contract than an API reported', async () => {
  const lib = (name: string) =>
    deployJson('lib', `(define-read-only (name) (ok "${name}"))`, { clarityVersion: 2, interface: EMPTY_INTERFACE });
  const source = SOURCE.replace('(ok "Coin")', '(contract-call? .lib name)');
  const fields = {
    txId: String(lib('Right').txid),
    blockHeight: 0,
    sourceCode: '(define-read-only (name) (ok "Forged"))',
  };
  const world = await indexOfServers([{ contractId: idOf('lib'), abi: EMPTY_INTERFACE, ...fields }], { tipHeight: 0 });
  await world.run({ contracts: [idOf('lib')] });
  const later = blockLine({ id: 'b1', parent: 'b0', height: 1, burnHeight: 800_000, transactions: [deployOf(source)] });
  await world.run({ archives: [world.archive([later])], source: undefined, vm: true });
  expect(parse(await world.build(), ft('token'))).toMatchObject({ name: 'Forged' });
  const lines = [...chainOfBlocks([lib('Right')]), later];
  await world.run({ archives: [world.archive(lines, 'whole.tsv')], source: undefined, vm: true });
  expect(parse(await world.build(), ft('token'))).toMatchObject({ name: 'Right' });
});

test.each([
  ['before', [0, 1]],
  ['after', [1, 0]],
] as const)('keeps a deploy whose transaction an API names for another contract, %s the archive', async (_, order) => {
  const other = liveToken('other', {}, { txId: String(deployOf().txid), clarityVersion: 3 });
  const world = await indexOfServers([other], { tipHeight: 50 });
  const runs = [
    () => world.run({ contracts: [idOf('other')] }),
    () => world.run({ archives: [world.archive(chainOfBlocks([deployOf()], []))], source: undefined, vm: true }),
  ];
  for (const run of order) await runs[run]?.();
  const tree = await world.build();
  expect(parse(tree, infoPath('token'))).toMatchObject({ source_code: SOURCE, clarity_version: 2 });
  expect(parse(tree, infoPath('other'))).toMatchObject({ source_code: other.sourceCode, clarity_version: 3 });
});

test('serves the contract of an orphaned block, and does not request it from an API', async () => {
  const world = await indexOfServers([liveToken('token', {}, reported)], { tipHeight: 50 });
  const fork = [1, 2].map((height) =>
    blockLine({ id: `f${height}`, parent: height === 1 ? 'b0' : 'f1', height, burnHeight: 800_000 }),
  );
  const lines = [...chainOfBlocks([], [deployOf()]), ...fork];
  await world.run({ contracts: [idOf('token')] });
  expect(parse(await world.build(), infoPath('token'))).toMatchObject({ canonical: true, block_height: 0 });
  await world.run({ archives: [world.archive(lines)], source: undefined });
  expect(parse(await world.build(), infoPath('token'))).toMatchObject({ canonical: false, block_height: 1 });
  await world.store.deleteFrom('report').execute();
  const before = world.server.requests.length;
  await world.run({ contracts: [idOf('token')] });
  expect(world.server.requests.slice(before)).toEqual(['/v2/info']);
  const again = blockLine({ id: 'f3', parent: 'f2', height: 3, burnHeight: 800_000, transactions: [deployOf()] });
  await world.run({ archives: [world.archive([...lines, again])], source: undefined });
  expect(parse(await world.build(), infoPath('token'))).toMatchObject({ canonical: true, block_height: 3 });
});
