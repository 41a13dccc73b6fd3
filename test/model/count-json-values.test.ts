import { describe, expect, test } from 'vitest';
import { countJsonValues } from '#model/count-json-values.ts';

describe('countJsonValues', () => {
  test.each([
    ['7', 1],
    ['""', 1],
    ['[1,2,3]', 4],
    ['{"a":{"b":[]}}', 6],
    ['"a,b:[{"', 1],
    [String.raw`["a\",\\\",",1]`, 3],
    [String.raw`["\\",1]`, 3],
    ['"not closed, [', 1],
  ])('default: %s', (text, count) => {
    expect(countJsonValues(text)).toBe(count);
  });
});
