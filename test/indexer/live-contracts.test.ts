// Tests contracts and token lists from an API: the data to store, and the requests that later runs repeat.
import { describe, expect, test } from 'vitest';
import type { ServerClient } from '#net/server-client.ts';
import { openChainSource } from '#source/chain-source.ts';
import { readInfo } from '#store/index-info.ts';
import { listFailures } from '#store/status/counts.ts';
import { chainListener, chainOf } from '../support/chain-listener.ts';
import { ft, indexOfServers, liveToken, parse, status } from '../support/index-of-servers.ts';
import { EMPTY_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { serverClient } from '../support/server-client.ts';
import { ADDRESS, hashOf, idOf } from '../support/transactions.ts';

describe('contracts from an API', () => {
  test('default', async () => {
    const token = liveToken(
      'token',
      { 'get-token-uri': '(ok (some u"data:application/json,{}"))' },
      { blockHeight: 7 },
    );
    const world = await indexOfServers([
      token,
      { contractId: idOf('other'), sourceCode: '(+ 1 2)', abi: EMPTY_INTERFACE, clarityVersion: 3 },
    ]);
    const summary = await world.run({ contracts: [idOf('token'), idOf('other')] });
    expect(summary).toMatchObject({ contracts: 2, values: 1, leftToDo: false });
    const tree = await world.build();
    expect(parse(tree, ft('token'))).toEqual({
      name: 'Live',
      symbol: 'LIV',
      decimals: 6,
      total_supply: '1000',
      token_uri: 'data:application/json,{}',
      tx_id: hashOf(idOf('token')),
      sender_address: ADDRESS,
      asset_identifier: `${idOf('token')}::coin`,
      metadata: { sip: 16 },
    });
    expect(parse(tree, `extended/v1/contract/${idOf('token')}`)).toMatchObject({
      tx_id: hashOf(idOf('token')),
      canonical: true,
      block_height: 7,
      clarity_version: 2,
      source_code: token.sourceCode,
    });
    expect(parse(tree, `v2/contracts/interface/${ADDRESS}/other`)).toEqual(EMPTY_INTERFACE);
    expect(tree.get(`errors/404/${ft('other')}`)).toBeUndefined();
    expect((await readInfo(world.store)).chainId).toBe(1);
  });

  test('does not request stored contracts again', async () => {
    const world = await indexOfServers([liveToken('token')], { isIndexed: true });
    const before = world.server.requests.length;
    await world.run({ contracts: [idOf('token')] });
    expect(world.server.requests.slice(before)).toEqual(['/v2/info']);
  });

  test('serves a contract that is not canonical, but not as a token', async () => {
    const world = await indexOfServers([liveToken('token', {}, { canonical: false })], { isIndexed: true });
    const tree = await world.build();
    expect(parse(tree, `extended/v1/contract/${idOf('token')}`)).toMatchObject({ canonical: false });
    expect(tree.has(ft('token'))).toBe(false);
  });

  test('requests a contract again that the API did not know in an earlier run', async () => {
    const world = await indexOfServers([]);
    expect(await world.run({ contracts: [idOf('token')] })).toMatchObject({ contracts: 0, leftToDo: false });
    expect(await listFailures(world.store)).toMatchObject([
      { contractId: idOf('token'), what: 'contract', code: 'http-404' },
    ]);
    world.chain = chainOf([liveToken('token')]);
    await world.run({ contracts: [idOf('token')] });
    expect(await listFailures(world.store)).toMatchObject([{ what: 'document', code: 'no-uri' }]);
  });

  test('builds a source or an interface that arrives later', async () => {
    const token = liveToken('token');
    const refresh = { principals: [idOf('token')], maxAgeMs: undefined };
    const world = await indexOfServers([{ ...token, abi: undefined }], { isIndexed: true });
    expect((await world.build()).has(ft('token'))).toBe(false);
    world.chain = chainOf([token]);
    await world.run({ refresh });
    expect(parse(await world.build(), ft('token'))).toMatchObject({ name: 'Live' });
    world.chain = chainOf([{ ...token, sourceCode: ';; changed', abi: EMPTY_INTERFACE }]);
    await world.store.deleteFrom('report').execute();
    await world.run({ contracts: [idOf('token')] });
    const tree = await world.build();
    expect(parse(tree, `extended/v1/contract/${idOf('token')}`)).toMatchObject({ source_code: ';; changed' });
    expect(tree.has(ft('token'))).toBe(false);
  });

  test('reports other-chain if the API and the node differ', async () => {
    const world = await indexOfServers([liveToken('token')]);
    const node = await loopbackServer(chainListener(chainOf([], { networkId: 0x80000000 })));
    const clients = [world.server.url, node.url].map((url) => serverClient(url));
    const source = openChainSource({ api: clients[0], node: clients[1] as ServerClient });
    await expect(world.run({ source, contracts: [idOf('token')] })).rejects.toThrow('chain 0x80000000');
  });

  test('reports interface-invalid', async () => {
    const world = await indexOfServers([{ contractId: idOf('odd'), sourceCode: '', abi: { functions: 1 } }], {
      isIndexed: true,
    });
    expect(world.warnings).toEqual([expect.stringContaining('interface is invalid')]);
    expect(parse(await world.build(), `extended/v1/contract/${idOf('odd')}`)).toMatchObject({ abi: null });
  });
});

describe('discovery', () => {
  const listed = { name: 'Listed', symbol: 'LST', decimals: 8, total_supply: '5', token_uri: 'data:,{}' };

  test('default', async () => {
    const tokens = Array.from({ length: 130 }, (_, index) => liveToken(`token-${index}`, {}, { listed }));
    const world = await indexOfServers(tokens);
    expect(await world.run({ discover: true })).toMatchObject({ contracts: 130, values: 0, leftToDo: false });
    const lists = world.server.requests.filter((request) => request.startsWith('/metadata'));
    expect(lists.sort()).toEqual([0, 120, 60].map((offset) => `/metadata/v1/ft?limit=60&offset=${offset}`));
    expect(world.server.requests).toHaveLength(1 + 3 + 130);
    const tree = await world.build();
    expect(parse(tree, ft('token-129'))).toMatchObject({ name: 'Listed', decimals: 8, total_supply: '5' });
    expect(parse(tree, status('token-129'))).toMatchObject({ values: { name: { read_from: 'token-list' } } });
  });

  test('reads values from the node that the list replaced by "" and 0', async () => {
    const world = await indexOfServers([
      liveToken('token', {}, { listed: { ...listed, decimals: null, token_uri: null, total_supply: '0' } }),
    ]);
    await world.run({ discover: true });
    const tree = await world.build();
    expect(parse(tree, ft('token'))).toMatchObject({ name: 'Listed', decimals: 6, total_supply: '1000' });
    expect(parse(tree, status('token'))).toMatchObject({
      values: { name: { read_from: 'token-list' }, decimals: { read_from: 'node' }, token_uri: { none: true } },
    });
    expect(world.server.requests.filter((request) => request.includes('call-read'))).toHaveLength(3);
  });

  test('finds new tokens in a later run, and prefers the node to the list', async () => {
    const world = await indexOfServers([liveToken('old', {}, { listed })]);
    await world.run({ discover: true });
    await world.run({ refresh: { principals: [], maxAgeMs: undefined } });
    world.chain = chainOf([liveToken('old', {}, { listed }), liveToken('new', {}, { listed })]);
    expect(await world.run({ discover: true })).toMatchObject({ contracts: 1 });
    const tree = await world.build();
    expect(parse(tree, ft('old'))).toMatchObject({ name: 'Live' });
    expect(parse(tree, ft('new'))).toMatchObject({ name: 'Listed' });
  });

  test('continues the list at a page that failed', async () => {
    const contracts = Array.from({ length: 70 }, (_, index) => liveToken(`token-${index}`, {}, { listed }));
    const world = await indexOfServers();
    const respond = chainListener(chainOf(contracts));
    const second = '/metadata/v1/ft?limit=60&offset=60';
    let isBroken = true;
    const server = await loopbackServer((request, response) =>
      isBroken && request.url === second ? response.writeHead(200).end('{}') : respond(request, response),
    );
    const source = () => {
      const client = serverClient(server.url);
      return openChainSource({ api: client, node: client });
    };
    expect(await world.run({ source: source(), discover: true })).toMatchObject({ contracts: 60, leftToDo: true });
    isBroken = false;
    await world.store.updateTable('job').set({ next_attempt_at: 0 }).execute();
    expect(await world.run({ source: source(), discover: true })).toMatchObject({ contracts: 10, leftToDo: false });
    const first = '/metadata/v1/ft?limit=60&offset=0';
    const pages = server.requests.filter((path) => path.startsWith('/metadata/v1/ft?'));
    expect(pages.filter((path) => path !== second)).toEqual([first]);
    expect(pages.length).toBeGreaterThan(2);
  });

  test('continues a stopped run without reading its pages again', async () => {
    const world = await indexOfServers(
      Array.from({ length: 70 }, (_, index) => liveToken(`token-${index}`, {}, { listed })),
    );
    const stop = new AbortController();
    const stopped = world.run({ discover: true, signal: stop.signal });
    while (!world.server.requests.some((request) => request.startsWith('/extended')))
      await new Promise((next) => setTimeout(next, 5));
    stop.abort();
    expect(await stopped).toMatchObject({ interrupted: true, leftToDo: true });
    expect(await world.run({ discover: true })).toMatchObject({ leftToDo: false });
    const times = (path: string) => world.server.requests.filter((request) => request === path).length;
    expect(times('/metadata/v1/ft?limit=60&offset=0')).toBe(1);
  });
});
