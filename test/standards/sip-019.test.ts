import { Cl, type ClarityValue, serializeCV } from '@stacks/transactions';
import { describe, expect, test } from 'vitest';
import type { MetadataNotification } from '#model/chain-event.ts';
import { decodeNotification, isEntitled } from '#standards/sip-019.ts';

const ADDRESS = 'SP000000000000000000002Q6VF78';
const CONTRACT = `${ADDRESS}.token`;

const DYNAMIC = Cl.stringAscii('dynamic');
const LARGEST = 2n ** 128n - 1n;
const MALFORMED = expect.objectContaining({ code: 'notification-malformed' });

const print = (value: ClarityValue) => `0x${serializeCV(value)}`;

/** Returns a SIP-019 notification. `payload` replaces members of its payload. */
function notification(payload: Record<string, ClarityValue> = {}): string {
  return print(
    Cl.tuple({
      notification: Cl.stringAscii('token-metadata-update'),
      payload: Cl.tuple({
        'token-class': Cl.stringAscii('ft'),
        'contract-id': Cl.contractPrincipal(ADDRESS, 'token'),
        ...payload,
      }),
    }),
  );
}

describe('SIP-019, Specification: decodeNotification', () => {
  test('default', () => {
    expect(decodeNotification(notification())).toStrictEqual({
      tokenClass: 'ft',
      contractId: CONTRACT,
      updateMode: 'standard',
    });
  });

  test.each<[string, Record<string, ClarityValue>, Partial<MetadataNotification>]>([
    ['an nft', { 'token-class': Cl.stringAscii('nft') }, { tokenClass: 'nft' }],
    ['an sft', { 'token-class': Cl.stringAscii('sft') }, { tokenClass: 'sft' }],
    [
      'a list of numbers',
      { 'token-ids': Cl.list([Cl.uint(0), Cl.uint(LARGEST)]) },
      { tokenNumbers: ['0', `${LARGEST}`] },
    ],
    ['an empty list of numbers', { 'token-ids': Cl.list([]) }, { tokenNumbers: [] }],
    ['the mode standard', { 'update-mode': Cl.stringAscii('standard') }, { updateMode: 'standard' }],
    ['the mode frozen', { 'update-mode': Cl.stringAscii('frozen') }, { updateMode: 'frozen' }],
    ['the mode dynamic', { 'update-mode': DYNAMIC }, { updateMode: 'dynamic', ttlSeconds: 86_400 }],
    ['a ttl', { 'update-mode': DYNAMIC, ttl: Cl.uint(60) }, { updateMode: 'dynamic', ttlSeconds: 60 }],
    ['a ttl of 0', { 'update-mode': DYNAMIC, ttl: Cl.uint(0) }, { updateMode: 'dynamic', ttlSeconds: 0 }],
    ['a ttl in another mode', { ttl: Cl.uint(60) }, { updateMode: 'standard' }],
    ['utf8 texts', { 'update-mode': Cl.stringUtf8('frozen') }, { updateMode: 'frozen' }],
    ['an additional field', { more: Cl.none() }, {}],
  ])('decodes %s', (_, payload, expected) => {
    const plain = { tokenClass: 'ft', contractId: CONTRACT, updateMode: 'standard' };
    expect(decodeNotification(notification(payload))).toStrictEqual({ ...plain, ...expected });
  });

  test.each([
    ['a number', print(Cl.uint(1))],
    ['only the name', print(Cl.stringAscii('token-metadata-update'))],
    ['the name in another field', print(Cl.tuple({ event: Cl.stringAscii('token-metadata-update') }))],
    ['another notification', print(Cl.tuple({ notification: Cl.stringAscii('token-metadata-update-2') }))],
    [
      'a notification that is not a string',
      print(Cl.tuple({ notification: Cl.bufferFromAscii('token-metadata-update') })),
    ],
    ['bytes that are not a value', '0xff'],
    ['an empty text', ''],
  ])('ignores %s', (_, rawValue) => {
    expect(decodeNotification(rawValue)).toBeUndefined();
  });

  test.each<[string, Record<string, ClarityValue>]>([
    ['an unknown class', { 'token-class': Cl.stringAscii('coin') }],
    ['a class that is not a string', { 'token-class': Cl.uint(1) }],
    ['a standard principal', { 'contract-id': Cl.standardPrincipal(ADDRESS) }],
    ['a contract that is a string', { 'contract-id': Cl.stringAscii(CONTRACT) }],
    ['an invalid contract name', { 'contract-id': Cl.contractPrincipal(ADDRESS, '1x') }],
    ['numbers that are not a list', { 'token-ids': Cl.uint(1) }],
    ['numbers of type int', { 'token-ids': Cl.list([Cl.int(1)]) }],
    ['an unknown mode', { 'update-mode': Cl.stringAscii('sometimes') }],
    ['a mode that is not a string', { 'update-mode': Cl.none() }],
    ['a ttl that is not a uint', { ttl: Cl.int(60) }],
    ['a ttl above the safe integers', { 'update-mode': DYNAMIC, ttl: Cl.uint(2n ** 64n) }],
  ])('reports notification-malformed, %s', (_, payload) => {
    expect(decodeNotification(notification(payload))).toEqual(MALFORMED);
  });

  test('reports notification-malformed, a missing payload', () => {
    const name = Cl.stringAscii('token-metadata-update');
    expect(decodeNotification(print(Cl.tuple({ notification: name })))).toEqual(MALFORMED);
    expect(decodeNotification(print(Cl.tuple({ notification: name, payload: Cl.uint(1) })))).toEqual(MALFORMED);
  });

  test('reports notification-malformed, truncated bytes', () => {
    expect(decodeNotification(notification().slice(0, -2))).toEqual(MALFORMED);
  });
});

describe('SIP-019, Considerations for metadata indexers: isEntitled', () => {
  const notice: MetadataNotification = { tokenClass: 'ft', contractId: CONTRACT, updateMode: 'standard' };
  const OTHER = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE';

  test.each([
    ['the contract itself, signed by another address', CONTRACT, OTHER, true],
    ['the contract itself, with an unknown signer', CONTRACT, undefined, true],
    ['another contract, signed by the deployer', `${OTHER}.proxy`, ADDRESS, true],
    ['another contract of the deployer, signed by another address', `${ADDRESS}.other`, OTHER, false],
    ['another contract, signed by another address', `${OTHER}.proxy`, OTHER, false],
    ['another contract, with an unknown signer', `${OTHER}.proxy`, undefined, false],
  ])('%s', (_, emitter, origin, entitled) => {
    expect(isEntitled(notice, emitter, origin)).toBe(entitled);
  });
});
