import { Cl } from '@stacks/transactions';
import { expect, test } from 'vitest';
import type { Store } from '#store/index-database.ts';
import { changedContracts, lastRevision } from '#store/ledger/ledger.ts';
import { newIndex } from '../../support/archives.ts';
import { apply, block, microblocks, served } from '../../support/chain-index.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import {
  addressOf,
  burnEvent,
  callJson,
  deployJson,
  type Json,
  mintEvent,
  OTHER_KEY,
  printEvent,
  TEST_KEY,
} from '../../support/observer-lines.ts';

const ADDRESS = addressOf(TEST_KEY);
const ID = `${ADDRESS}.c`;
const token = deployJson('c', '(print 1)', { interface: TOKEN_INTERFACE });
/** Block of a height on top of that of the height below, both of one fork. */
const on = (
  fork: string,
  height: number,
  transactions: Json[] = [],
  events: Json[] = [],
  parent = `${fork}${height - 1}`,
) => block({ id: `${fork}${height}`, parent, height, transactions, events });
const failures = (store: Store) =>
  store.selectFrom('chain_failure').select(['code', 'subject']).where('code', '<>', 'block-gap').execute();

const supply = async (store: Store) =>
  Object.fromEntries(
    (await store.selectFrom('asset_supply').selectAll().execute()).map((row) => [row.asset_identifier, row.amount]),
  );
const asset = `${ID}::coin`;

test('default: minted less burned', async () => {
  const store = await newIndex();
  const call = callJson();
  await apply(store, [
    on(
      'a',
      0,
      [token, call],
      [
        mintEvent(token.txid, asset, '10'),
        mintEvent(call.txid, asset, String(2n ** 127n)),
        burnEvent(call.txid, asset, '3'),
      ],
    ),
  ]);
  expect(await supply(store)).toEqual({ [asset]: String(2n ** 127n + 7n) });
});

test('behavior: what is not committed, or of a failed or missing transaction, does not count', async () => {
  const store = await newIndex();
  const failed: Json = { ...callJson(), status: 'abort_by_response' };
  const events = [
    mintEvent(token.txid, asset, '1', { committed: false }),
    mintEvent(failed.txid, asset, '2'),
    mintEvent('0x00', asset, '4'),
  ];
  await apply(store, [on('a', 0, [token, failed], [...events, mintEvent(token.txid, asset, '8')])]);
  expect(await supply(store)).toEqual({ [asset]: '8' });
});

test('behavior: a mint marks the contract as changed, and only it', async () => {
  const store = await newIndex();
  await apply(store, [on('a', 0, [token, deployJson('d', '(print 1)')])]);
  const call = callJson();
  const before = await lastRevision(store);
  await apply(store, [on('a', 1, [call], [mintEvent(call.txid, asset, '1')])]);
  expect([...(await changedContracts(store, before, ['contract', 'token'])).keys()]).toEqual([ID]);
});

const notification = (contract: string, more: Record<string, ReturnType<typeof Cl.uint>> = {}) =>
  Cl.tuple({
    notification: Cl.stringAscii('token-metadata-update'),
    payload: Cl.tuple({ 'token-class': Cl.stringAscii('ft'), 'contract-id': Cl.principal(contract), ...more }),
  });
test('behavior: SIP-019 notifications are stored with who may speak for the contract', async () => {
  const store = await newIndex();
  const [own, strange] = [callJson(), callJson({ key: OTHER_KEY })];
  const elsewhere = `${addressOf(OTHER_KEY)}.x`;
  const prints = [
    printEvent(strange.txid, ID, notification(ID), 0),
    printEvent(strange.txid, elsewhere, notification(ID), 1),
    printEvent(own.txid, elsewhere, notification(ID), 2),
    printEvent(own.txid, ID, Cl.tuple({ other: Cl.uint(1) }), 3),
    { ...printEvent(own.txid, ID, notification(ID), 4), committed: false },
    printEvent(own.txid, ID, notification(ID, { ttl: Cl.uint(2n ** 60n) }), 5),
  ];
  await apply(store, [on('a', 0, [token, own, strange], prints)]);
  const rows = await store
    .selectFrom('notification')
    .select(['event_index', 'entitled', 'contract_id'])
    .orderBy('event_index')
    .execute();
  expect(rows).toEqual([1, 0, 1].map((entitled, event_index) => ({ event_index, entitled, contract_id: ID })));
  expect(await failures(store)).toEqual([{ code: 'notification-malformed', subject: `${own.txid} event 5` }]);
});

test('behavior: burnchain operations are skipped', async () => {
  const store = await newIndex();
  const operation = { ...callJson(), raw_tx: '0x00' };
  await apply(store, [on('a', 0, [operation, token])]);
  expect(await failures(store)).toEqual([]);
  expect(await served(store, ID)).toBe('c@0');
});

test('behavior: a transaction that cannot be decoded costs itself alone, and is noted once', async () => {
  const store = await newIndex();
  const call = callJson();
  const future = { ...call, raw_tx: `${String(call.raw_tx).slice(0, 12)}77` };
  await apply(store, [on('a', 0, [future, token]), on('b', 0, [future])]);
  await apply(store, [on('a', 1, [future]), microblocks('a1', [future])]);
  expect(await failures(store)).toEqual([{ code: 'transaction-undecodable', subject: call.txid }]);
  expect(await served(store, ID)).toBe('c@0');
});

test('behavior: a new tip adds a revision and changes no contract; an orphan adds none', async () => {
  const store = await newIndex();
  await apply(store, [on('a', 0), microblocks('a0', [token])]);
  await apply(store, [on('a', 1)]);
  const before = await lastRevision(store);
  await apply(store, [on('a', 2), on('a', 3)]);
  const after = await lastRevision(store);
  expect(after).toBeGreaterThan(before);
  expect([...(await changedContracts(store, before, ['contract', 'token', 'work'])).keys()]).toEqual([]);
  await apply(store, [on('b', 2)]);
  expect(await lastRevision(store)).toBe(after);
});
