// Tests the order of a block's transactions, some of which the block confirms from microblocks.
import { expect, test } from 'vitest';
import { readCalls } from '#clarity/packed-calls.ts';
import { parsePayload } from '#source/observer/parse-payload.ts';
import { reducePayload } from '#source/observer/reduce-payload.ts';
import {
  ADDRESS,
  blockJson,
  callJson,
  deployJson,
  nftEvent,
  notificationValue,
  printEvent,
} from '../../support/transactions.ts';

test('orders transactions from microblocks before those of the block itself', () => {
  const [call, deploy] = [callJson(), deployJson('a', '(print 2)')];
  const ownDeploy = deployJson('own', '(print 1)', { nonce: 1 });
  const transactions = [
    { ...call, microblock_sequence: null },
    { ...ownDeploy, microblock_sequence: null },
    { ...deploy, microblock_sequence: 0 },
    { ...callJson({ nonce: 2 }), microblock_sequence: 1 },
  ];
  const events = [nftEvent('burn', call.txid, ADDRESS, 1n), nftEvent('mint', deploy.txid, ADDRESS, 1n)].map(
    (event, event_index) => ({ ...event, event_index }),
  );
  const payload = blockJson({ id: 1, parent: 0, height: 1, transactions, events });
  const block = reducePayload(parsePayload(Buffer.from(JSON.stringify(payload))), 'block');
  if (block.kind !== 'block') throw new Error('no block');
  expect([...readCalls(block.calls)].map(({ txIndex }) => txIndex)).toEqual([3, 4]);
  expect(block.deploys.map(({ contractId, txIndex }) => [contractId, txIndex])).toEqual([
    [`${ADDRESS}.own`, 5],
    [`${ADDRESS}.a`, 2],
  ]);
  expect(block.tokenEvents).toMatchObject([{ tokenNumber: '1', minted: true, burned: true }]);
});

test('orders events by their transactions, also if each transaction numbers its events', () => {
  const transactions = [callJson({ nonce: 1 }), callJson({ nonce: 2 })];
  const [first, second] = transactions.map(({ txid }) => txid);
  const notice = (txid: unknown, event_index: number) =>
    printEvent(txid, `${ADDRESS}.a`, notificationValue(`${ADDRESS}.a`), event_index);
  const events = [
    { ...nftEvent('burn', second, ADDRESS, 1n), event_index: 0 },
    notice(second, 1),
    notice(first, 2),
    { ...nftEvent('mint', first, ADDRESS, 1n), event_index: 1 },
  ];
  // The order of the lists is of no account.
  for (const listed of [events, events.toReversed()]) {
    const payload = blockJson({ id: 1, parent: 0, height: 1, transactions, events: listed });
    const block = reducePayload(parsePayload(Buffer.from(JSON.stringify(payload))), 'block');
    if (block.kind !== 'block') throw new Error('no block');
    expect(block.tokenEvents).toMatchObject([{ tokenNumber: '1', minted: true, burned: true }]);
    expect(block.notifications.map(({ txId }) => txId)).toEqual([first, second]);
  }
});
