// Makes Clarity values as a node writes them: serialized, and in the JSON of its events.
import { addressBytes, shortText, u32 } from '../../test/support/transactions.ts';

export interface Value {
  readonly bytes: Buffer;
  readonly json: unknown;
  readonly type: unknown;
}

export function uint(number: number): Value {
  return {
    bytes: Buffer.from(`01${number.toString(16).padStart(32, '0')}`, 'hex'),
    json: { UInt: number },
    type: 'UIntType',
  };
}

export function principal(id: string): Value {
  const [address = '', name] = id.split('.');
  const principal = addressBytes(address);
  const issuer = [principal[0], [...principal.subarray(1)]];
  return {
    bytes: Buffer.concat([
      Buffer.from([name === undefined ? 5 : 6]),
      principal,
      name === undefined ? Buffer.alloc(0) : shortText(name),
    ]),
    json: { Principal: name === undefined ? { Standard: issuer } : { Contract: { name, issuer } } },
    type: 'PrincipalType',
  };
}

export function text(ascii: string): Value {
  const data = Buffer.from(ascii);
  return {
    bytes: Buffer.concat([Buffer.from([0x0d]), u32(data.length), data]),
    json: { Sequence: { String: { ASCII: { data: [...data] } } } },
    type: { SequenceType: { StringType: { ASCII: data.length } } },
  };
}

export const NONE: Value = {
  bytes: Buffer.from([9]),
  json: { Optional: { data: null } },
  type: { OptionalType: 'NoType' },
};

export function tuple(entries: Readonly<Record<string, Value>>): Value {
  const all = Object.entries(entries);
  const map = (of: (value: Value) => unknown) => Object.fromEntries(all.map(([key, value]) => [key, of(value)]));
  const parts = all.flatMap(([key, value]) => [shortText(key), value.bytes]);
  return {
    bytes: Buffer.concat([Buffer.from([0x0c]), u32(all.length), ...parts]),
    json: { Tuple: { data_map: map((value) => value.json), type_signature: { type_map: map((value) => value.type) } } },
    type: { TupleType: { type_map: map((value) => value.type) } },
  };
}

export const hex = (value: Value) => `0x${value.bytes.toString('hex')}`;
