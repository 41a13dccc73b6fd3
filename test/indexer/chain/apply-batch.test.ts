import { describe, expect, test } from 'vitest';
import { unpackCode } from '#model/packed-code.ts';
import { readCode } from '#store/chain/code-columns.ts';
import type { Store } from '#store/index-database.ts';
import { newIndex } from '../../support/archives.ts';
import { apply, block, microblocks, mustRead, served } from '../../support/chain-index.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import {
  addressOf,
  callJson,
  type DeployOptions,
  deployJson,
  type Json,
  TEST_KEY,
} from '../../support/observer-lines.ts';

const ADDRESS = addressOf(TEST_KEY);
const ID = `${ADDRESS}.c`;
const deploy = (options: DeployOptions = {}) => deployJson('c', '(print 1)', options);
const token = deploy({ interface: TOKEN_INTERFACE });
/** Block of a height on top of that of the height below, both of one fork. */
const on = (fork: string, height: number, transactions: Json[] = [], parent = `${fork}${height - 1}`) =>
  block({ id: `${fork}${height}`, parent, height, transactions });
const jobs = (store: Store) => store.selectFrom('job').select('kind').execute();

// Which of several deploys is served, on random trees and known ones, is in test/reliability/forks.
describe('applyBatch: contracts', () => {
  test('default', async () => {
    const store = await newIndex();
    const applied = await apply(store, [on('a', 0), on('a', 1, [callJson(), token])]);
    expect(applied).toMatchObject({ blocks: 2, repeatedBlocks: 0, deploys: 1, failures: [] });
    const contract = await mustRead(store, ID);
    expect(contract).toMatchObject({
      txId: token.txid,
      senderAddress: ADDRESS,
      txIndex: 1,
      blockHeight: 1,
      standard: 'sip-010',
    });
    const code = (await readCode(store, [contract.deployId])).get(contract.deployId);
    expect(code && unpackCode(code).source).toBe('(print 1)');
    expect(await jobs(store)).toEqual([{ kind: 'evaluate-token' }]);
  });

  test.each(['abort_by_response', 'abort_by_post_condition', 'problematic_skipped', 'of_the_future'])(
    'behavior: a deploy with status %s is no contract',
    async (status) => {
      const store = await newIndex();
      await apply(store, [on('a', 0, [deploy({ status, interface: TOKEN_INTERFACE })])]);
      expect(await served(store, ID)).toBeUndefined();
      expect(await store.selectFrom('deploy').selectAll().execute()).toEqual([]);
    },
  );

  test('behavior: a failed deploy, then a good one of the same id', async () => {
    const store = await newIndex();
    const good = deploy({ nonce: 1 });
    await apply(store, [on('a', 0, [deploy({ status: 'abort_by_response' })]), on('a', 1, [good])]);
    expect(await mustRead(store, ID)).toMatchObject({ txId: good.txid, blockHeight: 1 });
  });

  test('behavior: an interface that one of two forks leaves out is kept, in one batch and in two', async () => {
    for (const [first, second] of [
      [token, deploy()],
      [deploy(), token],
    ] as const) {
      const events = [on('a', 0), on('a', 1, [first]), on('b', 1, [], 'a0'), on('b', 2, [second])];
      for (const batches of [[events], events.map((event) => [event])]) {
        const store = await newIndex();
        for (const batch of batches) await apply(store, batch);
        const { deployId, standard } = await mustRead(store, ID);
        expect(standard).toBe('sip-010');
        expect((await readCode(store, [deployId])).get(deployId)?.interfaceBytes).toBeDefined();
        expect(await jobs(store)).toHaveLength(1);
      }
    }
  });

  const EPOCH_3 = { ...EMPTY_INTERFACE, epoch: 'Epoch30', clarity_version: 'Clarity3' };
  test.each([
    ['on mainnet, the epoch of the burn height', 1, 800_000, { clarityVersion: 2, interface: EPOCH_3 }, 2, '2.4'],
    ['a version newer than the burn height allows', 1, 800_000, { interface: EPOCH_3 }, 3, '3.0'],
    ['an old version in a new epoch', 1, 870_000, { clarityVersion: 1 }, 1, '3.0'],
    ['below the first epoch', 1, 666_049, {}, undefined, undefined],
    ['another chain', 5, 800_000, {}, undefined, undefined],
    ['another chain, wire', 5, 800_000, { clarityVersion: 4 }, 4, undefined],
    ['another chain, interface', 5, 800_000, { interface: EPOCH_3 }, 3, '3.0'],
    ['a chain that is not known', 'unknown', 800_000, {}, undefined, undefined],
    ['an epoch of the future', 1, 800_000, { interface: { ...EPOCH_3, epoch: 'Epoch99' } }, 3, 'Epoch99'],
  ] as const)('behavior: clarity version and epoch: %s', async (_, chainId, burnHeight, options, version, epoch) => {
    const store = await newIndex();
    const event = block({ id: 1, parent: 0, height: 0, burnHeight, transactions: [deploy(options)] });
    await apply(store, [event], { chainId });
    const contract = await mustRead(store, ID);
    expect([contract.clarityVersion, contract.epoch]).toEqual([version, epoch]);
  });
});

describe('applyBatch: microblocks', () => {
  test('default: unconfirmed, then confirmed, then a token', async () => {
    const store = await newIndex();
    await apply(store, [on('a', 0), on('a', 1), microblocks('a1', [token])]);
    expect(await served(store, ID)).toBe('c@2?');
    expect(await jobs(store)).toEqual([]);
    await apply(store, [on('a', 2, [token])]);
    expect(await served(store, ID)).toBe('c@2');
    expect(await jobs(store)).toHaveLength(1);
  });

  test('behavior: the tip that moves on without it leaves it non-canonical', async () => {
    for (const before of [true, false]) {
      const store = await newIndex();
      const events = [on('a', 0), microblocks('a0', [token]), on('a', 1)];
      for (const batch of before ? [events] : events.map((event) => [event])) await apply(store, batch);
      expect(await served(store, ID)).toBe('c@1!?');
      expect(await jobs(store)).toEqual([]);
    }
  });

  test('behavior: on a block that comes later, or that is not the tip', async () => {
    const store = await newIndex();
    await apply(store, [on('a', 0), microblocks('a1', [token])]);
    expect(await served(store, ID)).toBeUndefined();
    await apply(store, [on('a', 1)]);
    expect(await served(store, ID)).toBe('c@2?');
    await apply(store, [on('b', 1, [], 'a0'), microblocks('b1', [deployJson('d', '(print 1)')])]);
    expect(await served(store, `${ADDRESS}.d`)).toBe('d@2!?');
  });

  test('behavior: confirmed in a fork that is then left', async () => {
    const store = await newIndex();
    await apply(store, [on('a', 0), microblocks('a0', [token]), on('a', 1, [token])]);
    await apply(store, [on('b', 1, [], 'a0'), on('b', 2)]);
    expect(await served(store, ID)).toBe('c@1!');
  });
});
