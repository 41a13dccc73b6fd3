// Tests values from a node: the reasons for missing values, repeated reads, and an archive in addition to the node.
import { describe, expect, test } from 'vitest';
import { listFailures } from '#store/status/counts.ts';
import { chainOf } from '../support/chain-listener.ts';
import { ft, indexOfServers, liveToken, parse, status } from '../support/index-of-servers.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { tokenSource } from '../support/token-source.ts';
import { blockLine, deployJson, idOf, notificationOf } from '../support/transactions.ts';

describe('values at a node', () => {
  test('SIP-010, Implementing in wallets and other applications: reports each getter that fails', async () => {
    const world = await indexOfServers(
      [
        liveToken('token', {
          'get-name': '(err u6004)',
          'get-symbol': '(ok u1)',
          'get-decimals': '(ok (/ u6 (- u1 u1)))',
        }),
      ],
      { isIndexed: true },
    );
    expect(parse(await world.build(), status('token'))).toMatchObject({
      state: 'partial',
      values: {
        name: { failure: { code: 'getter-error' } },
        symbol: { failure: { code: 'getter-wrong-type' } },
        decimals: { failure: { code: 'clarity-error' } },
        total_supply: { read_from: 'node', height: 200_000 },
        token_uri: { read_from: 'node', height: 200_000, none: true },
      },
    });
  });

  test('reports all reasons for a token without values', async () => {
    const call = () => ({ cause: 'Runtime(DivisionByZero)' });
    const world = await indexOfServers([liveToken('token', {}, { call })], { isIndexed: true });
    const body = parse(await world.build(), `errors/422/${ft('token')}`) as { message: string };
    expect(body.message).toMatch(/get-name fails: Runtime\(DivisionByZero\).*get-token-uri fails/);
  });

  test('reads new values in a refresh, and keeps values after failures', async () => {
    const world = await indexOfServers([liveToken('token')], { isIndexed: true });
    const refresh = { principals: [idOf('token')], maxAgeMs: undefined };
    const changed = {
      'get-total-supply': '(ok u2000)',
      'get-name': '(err u1)',
      'get-token-uri': '(ok (some u"data:,{}"))',
    };
    world.chain = chainOf([liveToken('token', changed)], { tipHeight: 200_001 });
    await world.run({ refresh });
    const tree = await world.build();
    expect(parse(tree, ft('token'))).toMatchObject({ name: 'Live', total_supply: '2000', metadata: { sip: 16 } });
    expect(parse(tree, status('token'))).toMatchObject({
      values: { name: { height: 200_000 }, total_supply: { height: 200_001 } },
    });
    world.chain = chainOf([liveToken('token', { 'get-token-uri': '(ok none)' })], { tipHeight: 200_002 });
    await world.run({ refresh });
    const answer = parse(await world.build(), ft('token')) as object;
    expect(Object.keys(answer)).not.toContain('metadata');
    expect(Object.keys(answer)).not.toContain('token_uri');
  });

  test('keeps newer values if another node at the same address lags', async () => {
    const world = await indexOfServers([liveToken('token', { 'get-total-supply': '(ok u2000)' })], {
      tipHeight: 1_000,
      isIndexed: true,
    });
    world.chain = chainOf([liveToken('token')], { tipHeight: 5 });
    await world.run({ refresh: { principals: [idOf('token')], maxAgeMs: undefined } });
    expect(parse(await world.build(), ft('token'))).toMatchObject({ total_supply: '2000' });
  });

  test('requests values again from a node that lacked the contract', async () => {
    const token = liveToken('token');
    const call = () => ({ status: 404, text: 'No such contract' });
    const world = await indexOfServers([{ ...token, call }]);
    expect(await world.run({ contracts: [idOf('token')] })).toMatchObject({ leftToDo: true });
    expect(await listFailures(world.store)).toMatchObject([{ what: 'values', code: 'source-invalid', attempts: 1 }]);
    world.chain = chainOf([token]);
    await world.store.updateTable('job').set({ next_attempt_at: 0 }).execute();
    expect(await world.run()).toMatchObject({ leftToDo: false });
    expect(parse(await world.build(), ft('token'))).toMatchObject({ name: 'Live' });
  });

  test('reads older values again with --max-age', async () => {
    const world = await indexOfServers([liveToken('token')], { isIndexed: true });
    expect(await world.run({ refresh: { principals: undefined, maxAgeMs: 3_600_000 } })).toMatchObject({ values: 0 });
    expect(await world.run({ refresh: { principals: undefined, maxAgeMs: 0 } })).toMatchObject({ values: 1 });
  });
});

describe('an archive and a node together', () => {
  const source = tokenSource({ 'get-total-supply': '(ok (ft-get-supply coin))' });
  const deploy = () => deployJson('token', source, { clarityVersion: 2, interface: TOKEN_INTERFACE });
  const block = (height: number, transactions = [deploy()]) =>
    blockLine({ id: `b${height}`, parent: `b${height - 1}`, height, burnHeight: 800_000, transactions });

  test('default', async () => {
    const txId = String(deploy().txid);
    const world = await indexOfServers([liveToken('token', { 'get-name': '(ok "Renamed")' }, { txId })]);
    const archive = world.archive([block(0)]);
    await world.run({ archives: [archive], source: undefined, vm: true });
    expect(parse(await world.build(), ft('token'))).toMatchObject({ name: 'Live', total_supply: '0' });
    expect(await world.run({ archives: [archive], vm: true })).toMatchObject({ values: 1, contracts: 0 });
    const tree = await world.build();
    expect(parse(tree, ft('token'))).toMatchObject({ name: 'Renamed', total_supply: '1000', tx_id: txId });
    expect(parse(tree, status('token'))).toMatchObject({ values: { total_supply: { read_from: 'node' } } });
  });

  test("reads a node's values again after a notification of the token", async () => {
    const world = await indexOfServers([liveToken('token')]);
    await world.run({ archives: [world.archive([block(0)])] });
    world.chain = chainOf([liveToken('token', { 'get-name': '(ok "Renamed")' })]);
    const { transaction, event } = notificationOf(idOf('token'), 7);
    const more = blockLine({ id: 'b1', parent: 'b0', height: 1, transactions: [transaction], events: [event] });
    expect(await world.run({ archives: [world.archive([block(0), more])] })).toMatchObject({ values: 1 });
    expect(parse(await world.build(), ft('token'))).toMatchObject({ name: 'Renamed' });
  });

  test('requests values again from a node that lags behind the archive', async () => {
    const world = await indexOfServers([liveToken('token', { 'get-name': '(ok "Old")' })], { tipHeight: 0 });
    const archives = [world.archive([block(0), block(1, [])])];
    expect(await world.run({ archives })).toMatchObject({ leftToDo: true, values: 0 });
    expect(await listFailures(world.store)).toMatchObject([{ what: 'values', code: 'source-invalid' }]);
    world.chain = chainOf([liveToken('token')], { tipHeight: 1 });
    await world.store.updateTable('job').set({ next_attempt_at: 0 }).execute();
    expect(await world.run({ archives })).toMatchObject({ leftToDo: false });
    expect(parse(await world.build(), ft('token'))).toMatchObject({ name: 'Live' });
  });
});
