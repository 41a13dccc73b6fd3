import { Cl } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { unpackCode } from '#model/packed-code.ts';
import { readCode } from '#store/chain/code-columns.ts';
import { changedContracts, lastRevision } from '#store/ledger/ledger.ts';
import { apply, block, microblocks, mustRead, served } from '../../support/chain-index.ts';
import { emptyIndex, indexOfArchive } from '../../support/index-of-archive.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import {
  ADDRESS,
  type BlockOptions,
  burnEvent,
  callJson,
  type DeployOptions,
  deployJson,
  type Json,
  mintEvent,
  notificationValue,
  OTHER_ADDRESS,
  printEvent,
} from '../../support/transactions.ts';

const { store } = await indexOfArchive();
const ID = `${ADDRESS}.c`;
const deploy = (options: DeployOptions = {}) => deployJson('c', '(print 1)', options);
const token = deploy({ interface: TOKEN_INTERFACE });
/** Returns a block on a fork. Its parent is the block of the same fork at the height below. */
const on = (fork: string, height: number, transactions: Json[] = [], more: Partial<BlockOptions> = {}) =>
  block({ id: `${fork}${height}`, parent: `${fork}${height - 1}`, height, transactions, ...more });
const jobs = () => store.selectFrom('job').select('kind').execute();
const failures = () =>
  store.selectFrom('chain_failure').select(['code', 'subject']).where('code', '<>', 'block-gap').execute();

// How the index chooses between several deploys is tested in test/reliability/forks, with random and fixed trees.
test('default', async () => {
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
  expect(await jobs()).toEqual([{ kind: 'evaluate-token' }]);
});

test.each(['abort_by_response', 'abort_by_post_condition', 'problematic_skipped', 'of_the_future'])(
  'does not serve a deploy with status %s',
  async (status) => {
    await apply(store, [on('a', 0, [deploy({ status, interface: TOKEN_INTERFACE })])]);
    expect(await served(store, ID)).toBeUndefined();
    expect(await store.selectFrom('deploy').selectAll().execute()).toEqual([]);
  },
);

test('serves a successful deploy after a failed one with the same id', async () => {
  const good = deploy({ nonce: 1 });
  await apply(store, [on('a', 0, [deploy({ status: 'abort_by_response' })]), on('a', 1, [good])]);
  expect(await mustRead(store, ID)).toMatchObject({ txId: good.txid, blockHeight: 1 });
});

test('keeps an interface that one of two forks lacks, in one batch and in two', async () => {
  for (const [first, second] of [
    [token, deploy()],
    [deploy(), token],
  ] as const) {
    const events = [on('a', 0), on('a', 1, [first]), on('b', 1, [], { parent: 'a0' }), on('b', 2, [second])];
    for (const batches of [[events], events.map((event) => [event])]) {
      await emptyIndex(store);
      for (const batch of batches) await apply(store, batch);
      const { deployId, standard } = await mustRead(store, ID);
      expect(standard).toBe('sip-010');
      expect((await readCode(store, [deployId])).get(deployId)?.interfaceBytes).toBeDefined();
      expect(await jobs()).toHaveLength(1);
    }
  }
});

const EPOCH_3 = { ...EMPTY_INTERFACE, epoch: 'Epoch30', clarity_version: 'Clarity3' };
test.each([
  ['mainnet, by the burn height', 1, 960_230, {}, 6, '4.0'],
  ['an interface before the table', 1, 800_000, { clarityVersion: 2, interface: EPOCH_3 }, 2, '3.0'],
  ['a version newer than the burn height allows', 1, 800_000, { interface: EPOCH_3 }, 3, '3.0'],
  ['an old version in a new epoch', 1, 870_000, { clarityVersion: 1 }, 1, '3.0'],
  ['a height below the first epoch', 1, 666_049, {}, undefined, undefined],
  ['another chain', 5, 800_000, {}, undefined, undefined],
  ['another chain, with a version in the transaction', 5, 800_000, { clarityVersion: 4 }, 4, undefined],
  ['another chain, with an interface', 5, 800_000, { interface: EPOCH_3 }, 3, '3.0'],
  ['an unknown chain', undefined, 800_000, {}, undefined, undefined],
  ['an epoch of the future', 1, 800_000, { interface: { ...EPOCH_3, epoch: 'Epoch99' } }, 3, 'Epoch99'],
] as const)(
  'finds the Clarity version and the epoch for %s',
  async (_, chainId, burnHeight, options, version, epoch) => {
    const event = block({ id: 1, parent: 0, height: 0, burnHeight, transactions: [deploy(options)] });
    await apply(store, [event], { newChainId: chainId });
    const contract = await mustRead(store, ID);
    expect([contract.clarityVersion, contract.epoch]).toEqual([version, epoch]);
  },
);

test("serves a microblock's deploy as unconfirmed until a block confirms it", async () => {
  await apply(store, [on('a', 0), on('a', 1), microblocks('a1', [token])]);
  expect(await served(store, ID)).toBe('c@2?');
  expect(await jobs()).toEqual([]);
  await apply(store, [on('a', 2, [token])]);
  expect(await served(store, ID)).toBe('c@2');
  expect(await jobs()).toHaveLength(1);
});

test("serves a microblock's deploy as not canonical if the next block omits it", async () => {
  for (const before of [true, false]) {
    await emptyIndex(store);
    const events = [on('a', 0), microblocks('a0', [token]), on('a', 1)];
    for (const batch of before ? [events] : events.map((event) => [event])) await apply(store, batch);
    expect(await served(store, ID)).toBe('c@1!?');
    expect(await jobs()).toEqual([]);
  }
});

test('links microblocks to blocks that arrive later or are not the tip', async () => {
  await apply(store, [on('a', 0), microblocks('a1', [token])]);
  expect(await served(store, ID)).toBeUndefined();
  await apply(store, [on('a', 1)]);
  expect(await served(store, ID)).toBe('c@2?');
  await apply(store, [on('b', 1, [], { parent: 'a0' }), microblocks('b1', [deployJson('d', '(print 1)')])]);
  expect(await served(store, `${ADDRESS}.d`)).toBe('d@2!?');
});

test('serves a deploy as not canonical if the chain leaves its fork', async () => {
  await apply(store, [on('a', 0), microblocks('a0', [token]), on('a', 1, [token])]);
  await apply(store, [on('b', 1, [], { parent: 'a0' }), on('b', 2)]);
  expect(await served(store, ID)).toBe('c@1!');
});

const supply = async () =>
  Object.fromEntries(
    (await store.selectFrom('asset_supply').selectAll().execute()).map((row) => [row.asset_identifier, row.amount]),
  );
const asset = `${ID}::coin`;

test('computes a supply as minted minus burned amounts', async () => {
  const call = callJson();
  await apply(store, [
    on('a', 0, [token, call], {
      events: [
        mintEvent(token.txid, asset, '10'),
        mintEvent(call.txid, asset, String(2n ** 127n)),
        burnEvent(call.txid, asset, '3'),
      ],
    }),
  ]);
  expect(await supply()).toEqual({ [asset]: String(2n ** 127n + 7n) });
});

test('ignores uncommitted events, and events of failed or missing transactions', async () => {
  const failed: Json = { ...callJson(), status: 'abort_by_response' };
  const events = [
    mintEvent(token.txid, asset, '1', { committed: false }),
    mintEvent(failed.txid, asset, '2'),
    mintEvent('0x00', asset, '4'),
  ];
  await apply(store, [on('a', 0, [token, failed], { events: [...events, mintEvent(token.txid, asset, '8')] })]);
  expect(await supply()).toEqual({ [asset]: '8' });
});

test('marks only the minted contract as changed', async () => {
  await apply(store, [on('a', 0, [token, deployJson('d', '(print 1)')])]);
  const call = callJson();
  const before = await lastRevision(store);
  await apply(store, [on('a', 1, [call], { events: [mintEvent(call.txid, asset, '1')] })]);
  expect([...(await changedContracts(store, before, ['contract', 'token'])).keys()]).toEqual([ID]);
});

test('SIP-019, Considerations for metadata indexers: stores whether the emitter is entitled', async () => {
  const [deployer, other] = [callJson(), callJson({ by: OTHER_ADDRESS })];
  const elsewhere = `${OTHER_ADDRESS}.x`;
  const prints = [
    printEvent(other.txid, ID, notificationValue(ID), 0),
    printEvent(other.txid, elsewhere, notificationValue(ID), 1),
    printEvent(deployer.txid, elsewhere, notificationValue(ID), 2),
    printEvent(deployer.txid, ID, Cl.tuple({ other: Cl.uint(1) }), 3),
    { ...printEvent(deployer.txid, ID, notificationValue(ID), 4), committed: false },
    printEvent(deployer.txid, ID, notificationValue(ID, { ttl: Cl.uint(2n ** 60n) }), 5),
  ];
  await apply(store, [on('a', 0, [token, deployer, other], { events: prints })]);
  const rows = await store
    .selectFrom('notification')
    .select(['event_index', 'entitled', 'contract_id'])
    .orderBy('event_index')
    .execute();
  expect(rows).toEqual([1, 0, 1].map((entitled, event_index) => ({ event_index, entitled, contract_id: ID })));
  expect(await failures()).toEqual([{ code: 'notification-malformed', subject: `${deployer.txid} event 5` }]);
});

test('skips burnchain operations', async () => {
  const operation = { ...callJson(), raw_tx: '0x00' };
  await apply(store, [on('a', 0, [operation, token])]);
  expect(await failures()).toEqual([]);
  expect(await served(store, ID)).toBe('c@0');
});

test('skips only an undecodable transaction, and records it once', async () => {
  const call = callJson();
  const future = { ...call, raw_tx: `${String(call.raw_tx).slice(0, 12)}77` };
  await apply(store, [on('a', 0, [future, token]), on('b', 0, [future])]);
  await apply(store, [on('a', 1, [future]), microblocks('a1', [future])]);
  expect(await failures()).toEqual([{ code: 'transaction-undecodable', subject: call.txid }]);
  expect(await served(store, ID)).toBe('c@0');
});

test('adds a revision without changed contracts for a new tip, and none for an orphan', async () => {
  await apply(store, [on('a', 0), microblocks('a0', [token])]);
  await apply(store, [on('a', 1)]);
  const before = await lastRevision(store);
  await apply(store, [on('a', 2), on('a', 3)]);
  const after = await lastRevision(store);
  expect(after).toBeGreaterThan(before);
  expect([...(await changedContracts(store, before, ['contract', 'token', 'status-only'])).keys()]).toEqual([]);
  await apply(store, [on('b', 2)]);
  expect(await lastRevision(store)).toBe(after);
});
