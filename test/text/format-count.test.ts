// Formats of counts, sizes and times, at the limits where rounding changes the unit.
import { expect, test } from 'vitest';
import { formatBytes, formatCount, formatSeconds } from '#text/format-count.ts';

test('rounds before it chooses the unit', () => {
  const cases = <Value>(format: (value: number) => Value, texts: Record<number, Value>) =>
    expect(Object.fromEntries(Object.keys(texts).map((value) => [value, format(Number(value))]))).toEqual(texts);
  cases(formatBytes, {
    0: '0 B',
    999: '999 B',
    999.6: '1.0 kB',
    1000: '1.0 kB',
    999949: '999.9 kB',
    999950: '1.0 MB',
    999949999: '999.9 MB',
    999950000: '1.0 GB',
    999950000000: '1.0 TB',
    999950000000000: '1000.0 TB',
  });
  cases(formatCount, { 0: '0', 1.04: '1', 1.5: '1.5', 9.94: '9.9', 9.96: '10', 999.6: '1,000', 1234567: '1,234,567' });
  cases(formatSeconds, { 59: '59 s', 59.1: '1 min', 60: '1 min', 61: '2 min', 3540.1: '1 h 0 min', 3661: '1 h 2 min' });
});
