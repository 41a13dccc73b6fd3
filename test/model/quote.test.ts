import { describe, expect, test } from 'vitest';
import { escapeControls, excerpt, quote } from '#text/quote.ts';

describe('escapeControls', () => {
  test('default', () => {
    for (const text of ['Münze 🪙, a "b" \\ c', '👩\u200d🚀', 'नमस्\u200dते']) expect(escapeControls(text)).toBe(text);
  });

  test.each([
    ['a moving cursor', '\u001b[2K\u009b1A', '\\u001b[2K\\u009b1A'],
    ['lines', 'a\r\nb\u0085c\u2028d\u2029e', 'a\\u000d\\u000ab\\u0085c\\u2028d\\u2029e'],
    ['a reversed text direction', '\u202eabc\u2066\u200f', '\\u202eabc\\u2066\\u200f'],
    ['hidden characters, also beyond the first plane', 'A\u200b\ufeffB\u{e0041}', 'A\\u200b\\ufeffB\\udb40\\udc41'],
    ['invisible control characters', '\u0000\u007f', '\\u0000\\u007f'],
  ])('escapes %s', (_, text, escaped) => {
    expect(escapeControls(text)).toBe(escaped);
    expect(JSON.parse(escapeControls(JSON.stringify(text)))).toBe(text);
  });
});

describe('quote and excerpt', () => {
  test('default', () => {
    expect(quote('a\n\u009b')).toBe('"a\\n\\u009b"');
    expect(quote('x'.repeat(81))).toBe(`"${'x'.repeat(80)}…"`);
    expect(excerpt(' it is\r\n broken\u009b ', 100)).toBe('it is broken\\u009b');
    expect(excerpt('x'.repeat(81), 80)).toBe('x'.repeat(80));
  });
});
