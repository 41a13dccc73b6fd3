// Decodes a serialized Clarity value (SIP-005, "Clarity Value Representation").
import { type Failure, fail } from '#model/failure.ts';
import { encodeAddress } from './address.ts';
import { ByteReader, bytesFromHex, DecodeError } from './byte-reader.ts';

export type ClarityValue =
  | { readonly type: 'int' | 'uint'; readonly value: bigint }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'buffer'; readonly value: Uint8Array }
  | { readonly type: 'principal'; readonly value: string }
  | { readonly type: 'ok' | 'err' | 'some'; readonly value: ClarityValue }
  | { readonly type: 'none' }
  | { readonly type: 'list'; readonly value: readonly ClarityValue[] }
  | { readonly type: 'tuple'; readonly value: ReadonlyMap<string, ClarityValue> }
  | { readonly type: 'string-ascii' | 'string-utf8'; readonly value: string };

/** The maximum nesting depth. Clarity allows 32 levels, so deeper values are invalid. */
const MAX_DEPTH = 64;
/**
 * The maximum number of nested values. A larger number fits into Clarity's limit of 1 MiB only with values of a few
 * bytes, which getters and notifications do not return.
 */
const MAX_VALUES = 100_000;

/** The remaining number of values to read. */
interface Budget {
  left: number;
}

/**
 * Decodes a value from hex text with or without a 0x prefix. Returns the failure `clarity-value-invalid` for any other
 * text, also if bytes follow the value.
 */
export function decodeValue(hex: string): ClarityValue | Failure {
  try {
    const reader = new ByteReader(bytesFromHex(hex));
    const value = readValue(reader, 0, { left: MAX_VALUES });
    if (reader.remaining > 0) throw new DecodeError(`${reader.remaining} bytes left over`);
    return value;
  } catch (error) {
    if (error instanceof DecodeError) return fail('clarity-value-invalid', `Not a Clarity value: ${error.message}.`);
    throw error;
  }
}

/** Reads one value, and moves the reader to its end. Throws DecodeError. */
export function readValue(
  reader: ByteReader,
  depth = 0,
  budget: Budget = { left: Number.POSITIVE_INFINITY },
): ClarityValue {
  if (depth > MAX_DEPTH) throw new DecodeError('nested too deeply');
  if (budget.left-- <= 0) throw new DecodeError(`more than ${MAX_VALUES} values`);
  const id = reader.u8();
  switch (id) {
    case 0x00:
      return { type: 'int', value: reader.i128() };
    case 0x01:
      return { type: 'uint', value: reader.u128() };
    case 0x02:
      return { type: 'buffer', value: reader.bytes(reader.u32()) };
    case 0x03:
      return { type: 'bool', value: true };
    case 0x04:
      return { type: 'bool', value: false };
    case 0x05:
      return { type: 'principal', value: readAddress(reader) };
    case 0x06:
      return { type: 'principal', value: `${readAddress(reader)}.${reader.utf8(reader.u8())}` };
    case 0x07:
      return { type: 'ok', value: readValue(reader, depth + 1, budget) };
    case 0x08:
      return { type: 'err', value: readValue(reader, depth + 1, budget) };
    case 0x09:
      return { type: 'none' };
    case 0x0a:
      return { type: 'some', value: readValue(reader, depth + 1, budget) };
    case 0x0b:
      return { type: 'list', value: readList(reader, depth, budget) };
    case 0x0c:
      return { type: 'tuple', value: readTuple(reader, depth, budget) };
    case 0x0d:
      return { type: 'string-ascii', value: reader.utf8(reader.u32()) };
    case 0x0e:
      return { type: 'string-utf8', value: reader.utf8(reader.u32()) };
    default:
      throw new DecodeError(`unknown type id ${id}`);
  }
}

/** Reads a list. Allocates memory only for items that exist, even if the list declares a greater length. */
function readList(reader: ByteReader, depth: number, budget: Budget): ClarityValue[] {
  const items: ClarityValue[] = [];
  for (let left = reader.u32(); left > 0; left--) items.push(readValue(reader, depth + 1, budget));
  return items;
}

function readTuple(reader: ByteReader, depth: number, budget: Budget): Map<string, ClarityValue> {
  const entries = new Map<string, ClarityValue>();
  for (let left = reader.u32(); left > 0; left--) {
    entries.set(reader.utf8(reader.u8()), readValue(reader, depth + 1, budget));
  }
  return entries;
}

function readAddress(reader: ByteReader): string {
  return encodeAddress({ version: reader.u8(), hash160: reader.hex(20) });
}

/** Serializes a uint: type 1, and 16 bytes. */
export function encodeUint(number: string): Buffer {
  return Buffer.from(`01${BigInt(number).toString(16).padStart(32, '0')}`, 'hex');
}

/** Returns the text of a string value. Undefined for a value of another type, or without a value. */
export function textOf(value: ClarityValue | undefined): string | undefined {
  return value?.type === 'string-ascii' || value?.type === 'string-utf8' ? value.value : undefined;
}
