// Tests the decoding of serialized Clarity values, some of them as results of getters.
import assert from 'node:assert/strict';
import { serializeCVBytes } from '@stacks/transactions';
import { decodeValue } from '#clarity/decode-value.ts';
import { isFailure } from '#model/failure.ts';
import { TOKEN_GETTERS } from '#model/token.ts';
import { readGetterResult } from '#standards/read-getter-result.ts';
import { arbitraryValue } from '../../support/arbitrary-value.ts';
import { encodeValue } from './encode-value.ts';
import { fuzz } from './fuzz.ts';
import { VALUE_WRAPPERS } from './value-wrappers.ts';

const MAX_MESSAGE_LENGTH = 500;

fuzz({
  name: 'clarity-value',
  inputs: 5_000,
  valid: arbitraryValue.map((value) => Buffer.from(serializeCVBytes(value))),
  tokens: VALUE_WRAPPERS,
  read: (input) => {
    const value = decodeValue(input.toString('hex'));
    if (isFailure(value)) {
      assert.equal(value.code, 'clarity-value-invalid');
      assert.ok(value.message.length <= MAX_MESSAGE_LENGTH);
      return false;
    }
    const encoded = encodeValue(value);
    assert.ok(encoded.equals(input) || encoded.length < input.length, 'the decoded value differs from the input');
    for (const getter of TOKEN_GETTERS) {
      const result = readGetterResult(getter, value);
      assert.ok((result.value ?? '').length <= Math.max(input.length, 39));
      assert.ok((result.failure?.message ?? '').length <= MAX_MESSAGE_LENGTH);
    }
    return true;
  },
});
