import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CUT_OFF, scanner } from '#source/observer/json-scanner.ts';

/**
 * Returns the offset of the end of a value. Tests put spaces before values, since the scanner reads 64 bytes as a unit.
 */
function endOfValue(json: string, after = ','): number {
  const bytes = Buffer.from(json + after);
  scanner.load(bytes);
  const end = scanner.endOfValue(scanner.start);
  return end === CUT_OFF ? CUT_OFF : end - scanner.start;
}

const json = fc.json({ maxDepth: 5 });
/** Generates strings with many quotes, backslashes and brackets. */
const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', 'a', '€', '\\\\'), maxLength: 200 });

test('finds the end of any value', () => {
  fc.assert(
    fc.property(json, text, (value, hidden) => {
      for (const text of [value, JSON.stringify([hidden, { [hidden]: JSON.parse(value) }])]) {
        expect(endOfValue(text)).toBe(Buffer.byteLength(text));
        expect(endOfValue(`[${text}`, '')).toBe(CUT_OFF);
      }
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

test('decodes hex digits of any length', () => {
  for (let length = 0; length < 100; length++) {
    const bytes = Buffer.from(Array.from({ length }, (_, index) => (37 * index + length) % 256));
    for (const digits of [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]) {
      scanner.load(Buffer.from(`${digits}"xyz`));
      const mark = scanner.free;
      expect(scanner.decodeHex(scanner.start, scanner.start + digits.length)).toEqual(bytes);
      scanner.free = mark;
    }
  }
});

test('rejects an invalid hex digit at any position', () => {
  for (const bad of ['/', ':', '@', 'G', '`', 'g', '\0', '\x80', '\xff', ' '])
    for (let at = 0; at < 40; at++) {
      const digits = `${'0'.repeat(at)}${bad}${'f'.repeat(39 - at)}`;
      scanner.load(Buffer.from(digits, 'latin1'));
      expect(scanner.decodeHex(scanner.start, scanner.start + 40)).toBeUndefined();
    }
});

test('finds a text at any position before the end', () => {
  const searched = scanner.keep(Buffer.from('needle'));
  for (let at = 0; at < 50; at++) {
    scanner.load(Buffer.from(`${'needl'.repeat(20).slice(0, at)}needle${'n'.repeat(20)}`));
    expect(scanner.contains(scanner.start, scanner.start + at + 6, searched, 6)).toBe(true);
    expect(scanner.contains(scanner.start, scanner.start + at + 5, searched, 6)).toBe(false);
  }
});
