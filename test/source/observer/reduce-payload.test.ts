import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCalls } from '#clarity/packed-calls.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import { MalformedError } from '#source/observer/malformed-error.ts';
import { parsePayload } from '#source/observer/parse-payload.ts';
import { reducePayload } from '#source/observer/reduce-payload.ts';
import {
  ADDRESS,
  blockJson,
  callJson,
  deployJson,
  mintEvent,
  nftEvent,
  notificationOf,
} from '../../support/transactions.ts';
import { withoutEvents } from '../../support/without-events.ts';

const deploy = deployJson('a', '(print "\\"€\\n")');
const call = callJson();
const notification = notificationOf(`${ADDRESS}.a`, 1);
/** A value that has no effect. It contains every kind of JSON value. */
const OTHER = { 'k"\\': ['€😀', [{}], { '}': '\\', ',]': -1.5e-3 }, []], '': null, true: true, '€': '\\\\"' };
const EVENTS = [
  mintEvent(deploy.txid, `${ADDRESS}.a::coin`, '5'),
  { txid: call.txid, type: 'stx_transfer_event', committed: true, event_index: 1, stx_transfer_event: OTHER },
  notification.event,
];
const TRANSACTIONS = [deploy, call, notification.transaction];
const BLOCK = {
  ...blockJson({ id: 1, parent: 0, height: 1, transactions: TRANSACTIONS, events: EVENTS }),
  matured_miner_rewards: [[1, '€'], {}, OTHER],
  other: OTHER,
};
const TEXT = JSON.stringify(BLOCK);

function read(text: string): ChainEvent {
  return reducePayload(parsePayload(Buffer.from(text)), 'block');
}

const expected = read(TEXT);

/** Returns a copy of the value, in which the next numbers determine the order of each object's members. */
function reordered(value: unknown, numbers: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item, numbers));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => ({ place: numbers.next().value as number, key, member: reordered(member, numbers) }))
      .sort((left, right) => left.place - right.place)
      .map(({ key, member }) => [key, member]),
  );
}

/** Returns the JSON text with an escape for each lower-case letter in strings. */
function escaped(json: string): string {
  const asEscape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replace(/\\.|[a-z]/g, (part) => (part.length === 1 ? asEscape(part) : part)),
  );
}

test('default', () => {
  expect(expected).toMatchObject({
    kind: 'block',
    height: 1,
    chainId: 1,
    deploys: [{ contractId: `${ADDRESS}.a`, txIndex: 0 }],
    supplyChanges: [{ assetIdentifier: `${ADDRESS}.a::coin`, amount: 5n }],
    notifications: [{ contractId: `${ADDRESS}.a`, entitled: true, eventIndex: 0 }],
    failures: [],
  });
  const calls = expected.kind === 'block' ? [...readCalls(expected.calls)] : [];
  expect(calls.map(({ txId, txIndex }) => [`0x${txId.toString('hex')}`, txIndex])).toEqual([
    [call.txid, 1],
    [notification.transaction.txid, 2],
  ]);
});

test('reads the events of calls and deploys', () => {
  const eventsOf = (event: ChainEvent) =>
    event.kind === 'block'
      ? [
          ...event.deploys.map(({ events }) => events?.length),
          ...[...readCalls(event.calls)].map(({ outcome }) => outcome[0] === 1),
        ]
      : [];
  expect(eventsOf(expected)).toEqual([8, true, true]);
  const foreignEvents = EVENTS.map((event) => ({ ...event, txid: `0x${'00'.repeat(32)}` }));
  expect(eventsOf(read(JSON.stringify({ ...BLOCK, events: foreignEvents })))).toEqual([0, true, true]);
  expect(eventsOf(read(JSON.stringify({ ...BLOCK, events: [] })))).toEqual([undefined, false, false]);
});

test('orders events by index', () => {
  const id = `${ADDRESS}.a`;
  const events = [
    notification.event,
    { ...notificationOf(id, 1).event, txid: notification.transaction.txid },
    nftEvent('mint', call.txid, id, 1n),
    nftEvent('burn', call.txid, id, 1n),
  ].map((event, event_index) => ({ ...event, event_index }));
  const inOrder = read(JSON.stringify({ ...BLOCK, events }));
  expect(inOrder).toMatchObject({
    notifications: [{ eventIndex: 0 }, { eventIndex: 1 }],
    tokenEvents: [{ tokenNumber: '1', minted: true, burned: true }],
  });
  const reversed = read(JSON.stringify({ ...BLOCK, events: events.toReversed() }));
  expect(withoutEvents(reversed)).toEqual(withoutEvents(inOrder));
});

test('SIP-019, Metadata update notifications: ignores events other than prints', () => {
  const event = JSON.parse(JSON.stringify(notification.event).replace('"topic":"print"', '"topic":"other"'));
  expect(read(JSON.stringify({ ...BLOCK, events: [event] }))).toMatchObject({ notifications: [], failures: [] });
});

test('keeps the assets of a contract apart', () => {
  const events = ['mint', 'burn'].map((kind, index) => {
    const event = nftEvent(kind as 'mint', call.txid, `${ADDRESS}.a`, 1n);
    return JSON.parse(JSON.stringify({ ...event, event_index: index }).replace('::', `::${kind}ed-`));
  });
  expect(read(JSON.stringify({ ...BLOCK, events }))).toMatchObject({
    tokenEvents: [
      { assetName: expect.stringMatching(/^minted-/), minted: true, burned: false },
      { assetName: expect.stringMatching(/^burned-/), minted: false, burned: true },
    ],
  });
});

test('reads members in any order, with any spaces', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), fc.constantFrom(undefined, 1, '\t\r'), (numbers, indent) => {
      expect(withoutEvents(read(JSON.stringify(reordered(BLOCK, numbers), null, indent)))).toEqual(
        withoutEvents(expected),
      );
    }),
    { numRuns: 200, seed: 1 },
  );
});

test('reads escapes instead of letters', () => {
  const text = escaped(TEXT);
  expect(JSON.parse(text)).toEqual(BLOCK);
  expect(withoutEvents(read(text))).toEqual(withoutEvents(expected));
});

test('uses the last of several members with one key', () => {
  const twice = TEXT.replace('"tx_index":1', '"tx_index":[],"tx_index":1');
  expect(withoutEvents(read(twice.replace('{', '{"block_height":7,"events":null,')))).toEqual(withoutEvents(expected));
});

const withMember = (json: string) => `{"odd":${json},${TEXT.slice(1)}`;

test('reads nesting of any depth', () => {
  const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  expect(withoutEvents(read(withMember(`{"a":${deep}}`)))).toEqual(withoutEvents(expected));
});

test('rejects every truncation', () => {
  for (let end = 0; end < TEXT.length; end += 7)
    expect(() => read(TEXT.slice(0, end)), TEXT.slice(0, end)).toThrow(MalformedError);
});

const members = TEXT.slice(1, -1);
test.each([
  ['text after it', `${TEXT}x`],
  ['an object after it', TEXT + TEXT],
  ['one bracket too many', `${TEXT}}`],
  ['text before it', `x${TEXT}`],
  ['a byte order mark', `\ufeff${TEXT}`],
  ['a comma at the end', `{${members},}`],
  ['a missing value', `{${members},"a":}`],
  ['two commas', `{${members},"a":1,,"b":2}`],
  ['a missing colon', `{${members},"a" 1}`],
  ['missing quotes', `{${members},a:1}`],
  ['a missing comma', `{${members},"a":1 "b":2}`],
  ['an open list', `{${members},"a":[1}`],
  ['brackets in the wrong order', `{${members},"a":{"b":[1}]}`],
  ['a wrong bracket', `{${members},"a":{"b":{]}}`],
  ['a list with a comma at its end', `{${members},"a":[1,]}`],
  ['a list without commas', `{${members},"a":[1 2]}`],
  ['an invalid space', `{${members},"a":[\u00a0]}`],
  ['a wrong bracket at the end', `{${members}]`],
  ['an invalid number', TEXT.replace('"block_height":1', '"block_height":01')],
  ['a transaction without a colon', TEXT.replace('"txid":', '"txid"')],
  ['a list', '[]'],
  ['null', 'null'],
  ['an empty text', ''],
])('rejects %s', (_, text) => {
  expect(() => JSON.parse(text).block_height.missing).toThrow();
  expect(() => read(text)).toThrow(MalformedError);
});

test.each(['"events":{}', '"transactions":1', '"transactions":[null]'])('rejects other lists, as in %s', (more) => {
  expect(() => read(`{${members},${more}}`)).toThrow(MalformedError);
});

test('reads a result of megabytes', () => {
  const [large] = [{ ...call, raw_result: `0x${'00'.repeat(4_000_000)}` }];
  const event = read(JSON.stringify({ ...BLOCK, transactions: [large] }));
  expect(event.kind === 'block' && [...readCalls(event.calls)]).toHaveLength(1);
});

test.each([
  ['a print that cannot be a notification', { type: 'contract_event', contract_event: 5 }, []],
  ['a mint without an amount', { type: 'ft_mint_event', ft_mint_event: {} }, ['event-invalid']],
  ['a transfer without a transaction', { txid: 5, type: 'stx_transfer_event' }, []],
  ['a mint without a transaction', { txid: 5, type: 'ft_mint_event', ft_mint_event: {} }, ['event-invalid']],
  ['a number', 5, ['event-invalid']],
])('ignores %s, and reports it if it may be relevant', (_, odd, codes) => {
  const event = typeof odd === 'object' ? { txid: call.txid, committed: true, ...odd } : odd;
  const { failures, ...rest } = read(JSON.stringify({ ...BLOCK, events: [...EVENTS, event] }));
  expect(failures.map(({ code }) => code)).toEqual(codes);
  expect(withoutEvents({ ...rest, failures: [] } as ChainEvent)).toEqual(withoutEvents(expected));
});

test('reads other members next to a list without a name', () => {
  expect(read(`{"":[1],${members},"x":1,"y":2}`)).toMatchObject({ kind: 'block' });
});
