// Tests the decoding of transactions, both from the hex of arbitrary bytes and from text that is not hex.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeAddress } from '#clarity/address.ts';
import { decodeTransaction, transactionId } from '#clarity/decode-transaction.ts';
import { isFailure } from '#model/failure.ts';
import { ADDRESS_PATTERN } from '#model/principal.ts';
import { arbitraryDeploy, arbitraryTransaction } from '../../support/arbitrary-transaction.ts';
import { fuzz } from './fuzz.ts';
import { sizeOf } from './size-of.ts';
import { VALUE_WRAPPERS } from './value-wrappers.ts';

/** The maximum length of a message about a transaction. */
const MAX_MESSAGE_LENGTH = 200;

function readHex(hex: string): boolean {
  const decoded = decodeTransaction(hex);
  if (isFailure(decoded)) {
    assert.equal(decoded.code, 'transaction-undecodable');
    assert.ok(decoded.message.length <= MAX_MESSAGE_LENGTH);
    return false;
  }
  assert.match(transactionId(hex), /^0x[0-9a-f]{64}$/);
  assert.match(encodeAddress(decoded.origin), ADDRESS_PATTERN);
  assert.ok(sizeOf(decoded.deploy) <= hex.length);
  return true;
}

fuzz({
  name: 'transaction',
  inputs: 1_000,
  valid: fc
    .oneof(arbitraryTransaction(), arbitraryTransaction(arbitraryDeploy))
    .map((transaction) => Buffer.from(transaction.serializeBytes())),
  tokens: VALUE_WRAPPERS,
  read: (input) => {
    readHex(input.toString('latin1'));
    return readHex(`0x${input.toString('hex')}`);
  },
});
