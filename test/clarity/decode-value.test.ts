import { Cl, type ClarityValue as ReferenceValue, serializeCV } from '@stacks/transactions';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClarityValue, decodeValue } from '#clarity/decode-value.ts';
import { arbitraryValue } from '../support/arbitrary-value.ts';

const NOT_A_VALUE = expect.objectContaining({ code: 'clarity-value-invalid' });

const u32 = (count: number) => count.toString(16).padStart(8, '0');

/** Returns what `decodeValue` should return for a value that the reference library made. */
function expected(value: ReferenceValue): ClarityValue {
  switch (value.type) {
    case 'int':
    case 'uint':
      return { type: value.type, value: BigInt(value.value) };
    case 'true':
    case 'false':
      return { type: 'bool', value: value.type === 'true' };
    case 'buffer':
      return { type: 'buffer', value: Buffer.from(value.value, 'hex') };
    case 'address':
    case 'contract':
      return { type: 'principal', value: value.value };
    case 'ascii':
    case 'utf8':
      return { type: `string-${value.type}`, value: value.value };
    case 'ok':
    case 'err':
    case 'some':
      return { type: value.type, value: expected(value.value) };
    case 'list':
      return { type: 'list', value: value.value.map(expected) };
    case 'tuple':
      return {
        type: 'tuple',
        value: new Map(Object.entries(value.value).map(([key, item]) => [key, expected(item)])),
      };
    default:
      return { type: 'none' };
  }
}

test('default', () => {
  const value = Cl.tuple({
    'token-id': Cl.uint(7),
    owner: Cl.some(Cl.standardPrincipal('SP000000000000000000002Q6VF78')),
  });
  expect(decodeValue(`0x${serializeCV(value)}`)).toEqual({
    type: 'tuple',
    value: new Map<string, ClarityValue>([
      ['owner', { type: 'some', value: { type: 'principal', value: 'SP000000000000000000002Q6VF78' } }],
      ['token-id', { type: 'uint', value: 7n }],
    ]),
  });
});

test('decodes every value that the reference library serializes', () => {
  fc.assert(
    fc.property(arbitraryValue, (value) => {
      expect(decodeValue(serializeCV(value))).toEqual(expected(value));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['the smallest int', `00${'80'.padEnd(32, '0')}`, { type: 'int', value: -(2n ** 127n) }],
  ['-1', `00${'ff'.repeat(16)}`, { type: 'int', value: -1n }],
  ['the largest uint', `01${'ff'.repeat(16)}`, { type: 'uint', value: 2n ** 128n - 1n }],
  ['an empty list', '0b00000000', { type: 'list', value: [] }],
  ['an empty tuple', '0c00000000', { type: 'tuple', value: new Map() }],
  ['an empty buffer', '0200000000', { type: 'buffer', value: Buffer.of() }],
  ['upper-case hex', '0D000000014A', { type: 'string-ascii', value: 'J' }],
  ['a utf8 text that begins with a byte order mark', '0e00000004efbbbf41', { type: 'string-utf8', value: '\ufeffA' }],
])('%s', (_, hex, value) => {
  expect(decodeValue(hex)).toEqual(value);
});

test('decodes 32 levels, the maximum in Clarity', () => {
  expect(decodeValue(`${'0a'.repeat(31)}09`)).toMatchObject({ type: 'some' });
});

test.each([
  ['no bytes', ''],
  ['no bytes after 0x', '0x'],
  ['text that is not hex', 'zz'],
  ['half a byte', '030'],
  ['an unknown type id', '0f'],
  ['the type id 255', 'ff'],
  ['too many values', `0b000186a0${'09'.repeat(100_000)}`],
  ['bytes left over', '0303'],
  ['a truncated int', `00${'00'.repeat(15)}`],
  ['a buffer shorter than announced', '02ffffffff00'],
  ['a text shorter than announced', '0dffffffff41'],
  ['a list shorter than announced', '0bffffffff09'],
  ['a tuple shorter than announced', '0cffffffff016109'],
  ['a text that is not UTF-8', '0e00000001ff'],
  ['a contract name that is not UTF-8', `0616${'00'.repeat(20)}01ff`],
  ['an address version that c32 cannot write', `0520${'00'.repeat(20)}`],
  ['a million levels', '0a'.repeat(1_000_000)],
  ['200,000 nested lists', '0b00000001'.repeat(200_000)],
  ['100,000 nested tuples', '0c000000010161'.repeat(100_000)],
])('reports clarity-value-invalid, %s', (_, hex) => {
  expect(decodeValue(hex)).toEqual(NOT_A_VALUE);
});

test('does not allocate memory for missing items of nested lists', () => {
  const total = 1_000_000;
  const lists = Array.from({ length: 64 }, (_, level) => `0b${u32(total - (level + 1) * 5)}`).join('');
  const hostile = lists.padEnd(total * 2, '0');
  const before = process.memoryUsage().heapUsed;
  expect(decodeValue(hostile)).toEqual(NOT_A_VALUE);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
});
