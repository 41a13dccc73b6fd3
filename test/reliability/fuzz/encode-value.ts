// Serializes a decoded Clarity value again (SIP-005), so that what was decoded can be compared with what it was decoded
// from.
import { Cl, type ClarityValue as ReferenceValue, serializeCVBytes } from '@stacks/transactions';
import type { ClarityValue } from '#clarity/decode-value.ts';

const WRAPPER_IDS = { ok: 0x07, err: 0x08, some: 0x0a } as const;
/** What holds no others is made by the reference library, which throws for a number that has no 128 bits. */
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

/** The bytes of the value, keys of a tuple in their order; a tuple in which a key came twice has lost one. */
export function encodeValue(value: ClarityValue): Buffer {
  switch (value.type) {
    case 'ok':
    case 'err':
    case 'some':
      return Buffer.concat([Buffer.from([WRAPPER_IDS[value.type]]), encodeValue(value.value)]);
    case 'list':
      return counted(0x0b, value.value.map(encodeValue));
    case 'tuple': {
      const entries = [...value.value].map(([key, item]) => Buffer.concat([name(key), encodeValue(item)]));
      return counted(0x0c, entries);
    }
    default: {
      const make = LEAVES[value.type] as (value: unknown) => ReferenceValue;
      return Buffer.from(serializeCVBytes(make('value' in value ? value.value : undefined)));
    }
  }
}

function counted(id: number, items: readonly Buffer[]): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(items.length);
  return Buffer.concat([Buffer.from([id]), count, ...items]);
}

function name(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}
