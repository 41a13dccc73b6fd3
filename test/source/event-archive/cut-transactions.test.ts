import { describe, expect, test } from 'vitest';
import { cutBytes, cutTransactions } from '#source/event-archive/cut-transactions.ts';

const HEX = 'ab'.repeat(200);
/** A payload as JSON, and what is parsed of it with the transactions put back. */
function cutAndParse(json: string): { parsed: unknown; cuts: number } {
  const { text, cut } = cutTransactions(Buffer.from(json));
  const parsed = JSON.parse(text, (_, value: unknown) => {
    const bytes = typeof value === 'string' ? cutBytes(value, cut) : undefined;
    return bytes === undefined ? value : `0x${Buffer.from(bytes).toString('hex')}`;
  });
  return { parsed, cuts: cut.length };
}

describe('cutTransactions', () => {
  test('default', () => {
    const payload = { a: 'ü', transactions: [{ raw_tx: `0x${HEX}` }, { raw_tx: '0x00' }, { raw_tx: `0x${HEX}00` }] };
    expect(cutAndParse(JSON.stringify(payload))).toEqual({ parsed: payload, cuts: 2 });
    expect(cutAndParse(JSON.stringify(payload).replaceAll(':', ': '))).toEqual({ parsed: payload, cuts: 2 });
  });

  test.each([
    ['an odd number of digits', { raw_tx: `0x${HEX}0` }],
    ['no hex', { raw_tx: `0x${'zz'.repeat(200)}` }],
    ['no 0x', { raw_tx: HEX }],
    ['another key', { raw_value: `0x${HEX}` }],
    ['the key inside a text', { a: `"raw_tx":"0x${HEX}"`, b: `\\"raw_tx":"0x${HEX}` }],
    ['a list', { raw_tx: [`0x${HEX}`] }],
    ['a text that is a mark', { a: '\u00000', raw_tx: `0x${HEX}` }],
  ])('behavior: %s is left as it is', (_, payload) => {
    expect(cutAndParse(JSON.stringify(payload))).toEqual({ parsed: payload, cuts: 0 });
  });

  test('behavior: a key that ends like it is cut too, and can be put back', () => {
    const payload = { 'x"raw_tx': `0x${HEX}` };
    expect(cutAndParse(JSON.stringify(payload)).parsed).toEqual(payload);
  });

  test('error: JSON that is cut off stays broken', () => {
    const json = Buffer.from(JSON.stringify({ raw_tx: `0x${HEX}` }));
    for (let end = 0; end < json.length; end++)
      expect(() => JSON.parse(cutTransactions(json.subarray(0, end)).text)).toThrow(SyntaxError);
  });
});
