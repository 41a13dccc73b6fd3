// Tests the reading of SIP-019 notifications, which contracts print.
import assert from 'node:assert/strict';
import { Cl, type ClarityValue, serializeCVBytes } from '@stacks/transactions';
import fc from 'fast-check';
import { isFailure } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';
import { decodeNotification, isEntitled } from '#standards/sip-019.ts';
import { arbitraryAddress, arbitraryName } from '../../support/arbitrary-value.ts';
import { fuzz } from './fuzz.ts';
import { sizeOf } from './size-of.ts';
import { VALUE_WRAPPERS } from './value-wrappers.ts';

const MAX_MESSAGE_LENGTH = 200;

const text = (...values: readonly [string, ...string[]]) =>
  fc
    .tuple(fc.constantFrom(...values), fc.boolean())
    .map(([value, isAscii]) => (isAscii ? Cl.stringAscii : Cl.stringUtf8)(value));
const uint = (max: number) => fc.nat(max).map((number) => Cl.uint(number));
const notification = fc.record({
  notification: text('token-metadata-update'),
  payload: fc
    .record(
      {
        'token-class': text('ft', 'nft', 'sft'),
        'contract-id': fc
          .tuple(arbitraryAddress, arbitraryName)
          .map(([address, name]) => Cl.contractPrincipal(address, name)),
        'token-ids': fc.array(uint(2 ** 40), { maxLength: 20 }).map((ids) => Cl.list(ids)),
        'update-mode': text('standard', 'frozen', 'dynamic'),
        ttl: uint(2 ** 50),
      },
      { requiredKeys: ['token-class', 'contract-id'] },
    )
    .map((payload) => Cl.tuple(payload as Record<string, ClarityValue>)),
});

fuzz({
  name: 'notification',
  inputs: 2_000,
  valid: notification.map((value) => Buffer.from(serializeCVBytes(Cl.tuple(value)))),
  tokens: [
    'token-metadata-update',
    'notification',
    'payload',
    'token-class',
    'contract-id',
    'token-ids',
    'ttl',
    ...VALUE_WRAPPERS,
  ],
  read: (input) => {
    const notification = decodeNotification(`0x${input.toString('hex')}`);
    if (notification === undefined) return false;
    if (isFailure(notification)) {
      assert.equal(notification.code, 'notification-malformed');
      assert.ok(notification.message.length <= MAX_MESSAGE_LENGTH);
      return false;
    }
    assert.ok(isContractId(notification.contractId));
    assert.ok(isEntitled(notification, notification.contractId, undefined));
    assert.ok((notification.tokenNumbers ?? []).every((number) => /^\d{1,39}$/.test(number)));
    assert.ok(Number.isSafeInteger(notification.ttlSeconds ?? 0));
    assert.equal(notification.ttlSeconds !== undefined, notification.updateMode === 'dynamic');
    // The text may be longer than the input, since a number of 17 bytes has up to 39 digits.
    assert.ok(sizeOf(notification) <= 3 * input.length + 200);
    return true;
  },
});
