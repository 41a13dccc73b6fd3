import { Cl } from '@stacks/transactions';
import { beforeAll, expect, test } from 'vitest';
import { digestVmEvents, EVENT_DIGEST_BYTES, type VmEvent } from '#clarity/event-digest.ts';
import { EventReducer } from '#source/observer/event-reducer.ts';
import { openSimnet } from '../support/simnet.ts';

const DEPLOYER = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE';
const OTHER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
const SOURCE = `
(define-fungible-token coin)
(define-non-fungible-token item {id: uint, who: principal})
(define-public (go (other principal))
  (begin
    (print {a: u1, b: "x", c: 0x0102, d: u"h\\u{20ac}", e: (some (list 1 2)), f: none, g: other, h: (ok true)})
    (try! (ft-mint? coin u100 tx-sender))
    (try! (ft-transfer? coin u10 tx-sender other))
    (try! (ft-burn? coin u5 tx-sender))
    (try! (nft-mint? item {id: u1, who: other} tx-sender))
    (try! (nft-transfer? item {id: u1, who: other} tx-sender other))
    (try! (nft-burn? item {id: u1, who: other} other))
    (try! (stx-transfer? u7 tx-sender other))
    (try! (stx-transfer-memo? u8 tx-sender other 0x68656c6c6f))
    (try! (stx-burn? u9 tx-sender))
    (if (is-eq u1 u1) (ok true) (err u1))))`;

const CONTRACT = `${DEPLOYER}.a`;
const coin = { asset_identifier: `${CONTRACT}::coin` };
const id = Cl.tuple({ id: Cl.uint(1), who: Cl.principal(OTHER) });
const item = {
  asset_identifier: `${CONTRACT}::item`,
  raw_value: `0x${Cl.serialize(id)}`,
  value: { Tuple: 'as in a node' },
};
const from = { sender: DEPLOYER };
const to = { recipient: OTHER };
const printed = Cl.tuple({
  a: Cl.uint(1),
  b: Cl.stringAscii('x'),
  c: Cl.bufferFromHex('0102'),
  d: Cl.stringUtf8('h€'),
  e: Cl.some(Cl.list([Cl.int(1), Cl.int(2)])),
  f: Cl.none(),
  g: Cl.principal(OTHER),
  h: Cl.ok(Cl.bool(true)),
});

/** The same events, as a node sends them to observers: their members are in another order. */
const OBSERVED = [
  [
    'contract_event',
    { raw_value: `0x${Cl.serialize(printed)}`, topic: 'print', contract_identifier: CONTRACT, value: 1 },
  ],
  ['ft_mint_event', { ...coin, amount: '100', recipient: DEPLOYER }],
  ['ft_transfer_event', { ...to, ...from, amount: '10', ...coin }],
  ['ft_burn_event', { ...coin, amount: '5', ...from }],
  ['nft_mint_event', { ...item, recipient: DEPLOYER }],
  ['nft_transfer_event', { ...item, ...from, ...to }],
  ['nft_burn_event', { ...item, sender: OTHER }],
  ['stx_transfer_event', { amount: '7', ...from, ...to, memo: '' }],
  ['stx_transfer_event', { amount: '8', ...from, ...to, memo: '68656c6c6f' }],
  ['stx_burn_event', { amount: '9', ...from }],
].map(([type, event], event_index) => ({ txid: '0x00', event_index, committed: true, type, [type as string]: event }));

let events: VmEvent[];
beforeAll(async () => {
  const simnet = await openSimnet('3.0');
  simnet.mintSTX(DEPLOYER, 1_000n);
  simnet.deployContract('a', SOURCE, { clarityVersion: 2 }, DEPLOYER);
  events = simnet.callPublicFn(CONTRACT, 'go', [Cl.principal(OTHER)], DEPLOYER).events as VmEvent[];
});

/** Returns the digests of a transaction's events. `observed` is the list of events in an observer's payload. */
function digestObserved(observed: readonly object[]): Uint8Array | undefined {
  const reducer = new EventReducer(() => {});
  for (const event of JSON.parse(JSON.stringify(observed))) reducer.add(event);
  return reducer.digestsOf('0x00');
}

test('digests events of the VM and of observers alike', () => {
  expect(digestObserved(OBSERVED)).toEqual(digestVmEvents(events));
  expect(digestVmEvents(events)).toHaveLength(OBSERVED.length * EVENT_DIGEST_BYTES);
});

test('orders events by index, and ignores uncommitted ones and other transactions', () => {
  const [first, second] = OBSERVED;
  const ignored = [
    { ...OBSERVED[2], txid: '0x01' },
    { ...OBSERVED[3], committed: false },
  ];
  expect(digestObserved([second, ...ignored, first] as object[])).toEqual(digestObserved([first, second] as object[]));
  expect(digestObserved(ignored)).toHaveLength(0);
});

test('reads escapes in the JSON of an event', () => {
  const [print] = OBSERVED;
  const { contract_event: content, ...rest } = print as Record<string, unknown>;
  const escaped = { ...rest, contract_event: { odd: '"\u0000\\', ...(content as object) } };
  expect(digestObserved([escaped])).toEqual(digestObserved([print as object]));
});

test('computes a different digest for each event', () => {
  const hexOf = (event: object) => Buffer.from(digestObserved([event]) ?? []).toString('hex');
  const digests = OBSERVED.map(hexOf);
  expect(new Set(digests).size).toBe(OBSERVED.length);
  const [print] = OBSERVED;
  for (const [name, value] of [
    ['raw_value', '0x03'],
    ['topic', 'other'],
    ['contract_identifier', `${CONTRACT}b`],
  ] as const)
    expect(digests).not.toContain(
      hexOf({ ...print, contract_event: { ...(print?.contract_event as object), [name]: value } }),
    );
});

test('digests malformed events, and returns undefined without events', () => {
  expect(digestObserved([])).toBeUndefined();
  const odd = { txid: '0x00', committed: true };
  expect(digestObserved([odd, { ...odd, type: 'contract_event', contract_event: 5 }])).toHaveLength(
    2 * EVENT_DIGEST_BYTES,
  );
});
