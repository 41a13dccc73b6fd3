// Serializes a decoded Clarity value again (SIP-005), so that what was decoded can be compared with what it was decoded
// from.
import { c32addressDecode } from 'c32check';
import type { ClarityValue } from '#clarity/decode-value.ts';

const WRAPPER_IDS = { ok: 0x07, err: 0x08, some: 0x0a } as const;
const TEXT_IDS = { buffer: 0x02, 'string-ascii': 0x0d, 'string-utf8': 0x0e } as const;

/** The bytes of the value; a tuple in which a key came twice has lost one. */
export function encodeValue(value: ClarityValue): Buffer {
  switch (value.type) {
    case 'int':
      return id(0x00, i128(value.value));
    case 'uint':
      return id(0x01, u128(value.value));
    case 'bool':
      return id(value.value ? 0x03 : 0x04);
    case 'none':
      return id(0x09);
    case 'principal': {
      const dot = value.value.indexOf('.');
      if (dot === -1) return id(0x05, address(value.value));
      return id(0x06, address(value.value.slice(0, dot)), name(value.value.slice(dot + 1)));
    }
    case 'ok':
    case 'err':
    case 'some':
      return id(WRAPPER_IDS[value.type], encodeValue(value.value));
    case 'list':
      return id(0x0b, u32(value.value.length), ...value.value.map(encodeValue));
    case 'tuple': {
      const entries = [...value.value].map(([key, item]) => Buffer.concat([name(key), encodeValue(item)]));
      return id(0x0c, u32(entries.length), ...entries);
    }
    default: {
      const bytes = Buffer.from(value.value as string);
      return id(TEXT_IDS[value.type], u32(bytes.length), bytes);
    }
  }
}

function id(type: number, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([type]), ...parts]);
}

function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

/** Throws for a number that has no 128 bits. */
function i128(number: bigint): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(number >> 64n);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, number), 8);
  return bytes;
}

function u128(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(32, '0'), 'hex');
}

function name(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function address(text: string): Buffer {
  const [version, hash160] = c32addressDecode(text);
  return Buffer.concat([Buffer.from([version]), Buffer.from(hash160, 'hex')]);
}
