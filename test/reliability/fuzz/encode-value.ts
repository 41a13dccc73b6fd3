// Serializes a decoded Clarity value as in SIP-005, so that tests can compare it with the original bytes.
import { Cl, type ClarityValue as ReferenceValue, serializeCVBytes } from '@stacks/transactions';
import type { ClarityValue } from '#clarity/decode-value.ts';
import { shortText, u32 } from '../../support/transactions.ts';

const WRAPPER_IDS = { ok: 0x07, err: 0x08, some: 0x0a } as const;
/** Functions of the reference library that make values without parts. They throw for numbers of more than 128 bits. */
const LEAVES = {
  int: Cl.int,
  uint: Cl.uint,
  bool: Cl.bool,
  none: Cl.none,
  principal: Cl.principal,
  buffer: Cl.buffer,
  'string-ascii': Cl.stringAscii,
  'string-utf8': Cl.stringUtf8,
} as const;

/** Returns the serialized bytes of a value. Tuple keys keep their order, and a repeated key is encoded once. */
export function encodeValue(value: ClarityValue): Buffer {
  switch (value.type) {
    case 'ok':
    case 'err':
    case 'some':
      return Buffer.concat([Buffer.from([WRAPPER_IDS[value.type]]), encodeValue(value.value)]);
    case 'list':
      return Buffer.concat([Buffer.from([0x0b]), u32(value.value.length), ...value.value.map(encodeValue)]);
    case 'tuple': {
      const entries = [...value.value].flatMap(([key, item]) => [shortText(key), encodeValue(item)]);
      return Buffer.concat([Buffer.from([0x0c]), u32(value.value.size), ...entries]);
    }
    default: {
      const make = LEAVES[value.type] as (value: unknown) => ReferenceValue;
      return Buffer.from(serializeCVBytes(make('value' in value ? value.value : undefined)));
    }
  }
}
