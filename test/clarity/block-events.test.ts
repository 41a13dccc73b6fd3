import { expect, test } from 'vitest';
import { BlockEvents } from '#clarity/block-events.ts';
import { digestObservedEvents } from '#clarity/event-digest.ts';

const event = (txid: string, event_index: unknown, amount: number, committed = true) => ({
  txid,
  event_index,
  committed,
  type: 'stx_burn_event',
  stx_burn_event: { amount: String(amount), sender: 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE' },
});
const blockEvents = (json: string) => new BlockEvents(new Uint8Array(Buffer.from(json)));

test('default: those of a transaction, in the order of their indexes, if they were committed', () => {
  const [first, second, third] = [event('0xa', 7, 1), event('0xa', 9, 2), event('0xb', 8, 3)];
  const events = blockEvents(JSON.stringify([second, third, event('0xa', 3, 4, false), first]));
  expect(events.digestsOf('0xb')).toEqual(digestObservedEvents([third]));
  expect(events.digestsOf('0xa')).toEqual(digestObservedEvents([first, second]));
});

test('behavior: a transaction without events has none, of whatever is asked first', () => {
  const events = blockEvents(JSON.stringify([event('0xa', 0, 1)]));
  for (const txId of ['0xc', '0xa', '0xc']) expect(events.digestsOf(txId)).toHaveLength(txId === '0xa' ? 8 : 0);
});

test('behavior: an id that is written with escapes', () => {
  const json = JSON.stringify([event('0xa', 0, 1)]).replace('0xa', '\\u0030xa');
  expect(blockEvents(json).digestsOf('0xa')).toHaveLength(8);
});

test('behavior: many deploys do not search many events one by one', () => {
  const events = blockEvents(JSON.stringify(Array.from({ length: 20_000 }, (_, index) => event('0xa', index, index))));
  const start = process.cpuUsage();
  for (let index = 0; index < 20_000; index++) expect(events.digestsOf(`0x${index}`)).toHaveLength(0);
  const { user, system } = process.cpuUsage(start);
  expect(user + system).toBeLessThan(4_000_000);
});

test('behavior: of a block without events nothing is known', () => {
  for (const json of ['[]', '[ \n]']) expect(blockEvents(json).digestsOf('0xa')).toBeUndefined();
  expect(new BlockEvents(undefined).digestsOf('0xa')).toBeUndefined();
});
