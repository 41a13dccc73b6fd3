import { describe, expect, test } from 'vitest';
import { MalformedError } from '#source/observer/malformed-error.ts';
import { parsePayload } from '#source/observer/parse-payload.ts';

const HEX = 'ab'.repeat(200);
const BYTES = Buffer.from(HEX, 'hex');
const parse = (payload: unknown) => parsePayload(Buffer.from(JSON.stringify(payload)));

describe('parsePayload', () => {
  test('default', () => {
    const of = (...all: unknown[]) => ({ a: 'ü', transactions: all.map((raw_tx) => ({ b: 1, raw_tx })) });
    const payload = of(`0x${HEX}`, '0x00', `0x${HEX}00`);
    const parsed = of(BYTES, '0x00', Buffer.concat([BYTES, Buffer.alloc(1)]));
    expect(parse(payload)).toEqual(parsed);
    expect(parsePayload(Buffer.from(JSON.stringify(payload).replaceAll(':', ': ')))).toEqual(parsed);
  });

  test.each([
    ['an odd number of digits', { raw_tx: `0x${HEX}0` }],
    ['no hex', { raw_tx: `0x${'zz'.repeat(200)}` }],
    ['no 0x', { raw_tx: HEX }],
    ['another key', { raw_value: `0x${HEX}` }],
    ['the key inside a string', { a: `"raw_tx":"0x${HEX}"`, b: `\\"raw_tx":"0x${HEX}` }],
    ['a list', { raw_tx: [`0x${HEX}`] }],
    ['a string that is a mark', { a: '\u00000', raw_tx: `0x${HEX}` }],
    ['null', null],
  ])('behavior: %s is left as it is', (_, transaction) => {
    const payload = { transactions: [transaction] };
    expect(parse(payload)).toEqual(payload);
    const others = { transactions: [transaction, null, 1, { raw_tx: 5 }], a: transaction };
    expect(parse(others)).toEqual(others);
  });

  test.each([[[]], [1], ['a'], [null], [{ transactions: { raw_tx: '0x' } }]])(
    'behavior: %j is no object',
    (payload) => {
      expect(parse(payload)).toEqual(payload);
    },
  );

  test('error: JSON that is cut off stays broken', () => {
    const json = Buffer.from(JSON.stringify({ transactions: [{ raw_tx: `0x${HEX}` }] }));
    for (let end = 0; end < json.length; end++)
      expect(() => parsePayload(json.subarray(0, end))).toThrow(MalformedError);
  });
});
