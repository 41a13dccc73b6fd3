// Tests the reading of SIP-019 notifications, which contracts print.
import assert from 'node:assert/strict';
import { Cl, type ClarityValue, serializeCVBytes } from '@stacks/transactions';
import fc from 'fast-check';
import { isFailure } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';
import { decodeNotification, isEntitled } from '#standards/sip-019.ts';
import { arbitraryAddress, arbitraryName } from '../../support/arbitrary-value.ts';
import type { Random } from '../../support/random.ts';
import { fuzz } from './fuzz.ts';
import { nest } from './mutate-value.ts';
import { sizeOf } from './size-of.ts';

const MAX_MESSAGE_LENGTH = 200;

function makeNotification(random: Random, address: string, name: string): ClarityValue {
  const text = (value: string) => (random.chance(0.5) ? Cl.stringAscii(value) : Cl.stringUtf8(value));
  return Cl.tuple({
    notification: text('token-metadata-update'),
    payload: Cl.tuple({
      'token-class': text(random.pick(['ft', 'nft', 'sft'])),
      'contract-id': Cl.contractPrincipal(address, name),
      ...(random.chance(0.5) ? { 'token-ids': Cl.list(random.list(20, () => Cl.uint(random.below(2 ** 40)))) } : {}),
      ...(random.chance(0.5) ? { 'update-mode': text(random.pick(['standard', 'frozen', 'dynamic'])) } : {}),
      ...(random.chance(0.5) ? { ttl: Cl.uint(random.below(2 ** 50)) } : {}),
    }),
  });
}

fuzz({
  name: 'notification',
  inputs: 10_000,
  valid: (random) =>
    fc
      .sample(fc.tuple(arbitraryAddress, arbitraryName), { seed: random.below(2 ** 31), numRuns: 40 })
      .map(([address, name]) => Buffer.from(serializeCVBytes(makeNotification(random, address, name)))),
  mutate: nest,
  tokens: ['token-metadata-update', 'notification', 'payload', 'token-class', 'contract-id', 'token-ids', 'ttl'],
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
