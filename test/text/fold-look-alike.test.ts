import { expect, test } from 'vitest';
import { foldLookAlike } from '#text/fold-look-alike.ts';

test.each([
  ['sBTC', 'SBTC'],
  ['sBTC', 's\ufe0fB\u{e0101}T\u{e0042}\u3164C\u2800\u00ad\u{1d173}'],
  ['sBTC', 's BTC'],
  ['sBTC', 'ѕВТС'],
  ['sBTC', 's\u200bBTC\u202e'],
  ['sBTC', 'ｓＢＴＣ'],
  ['sBTC', '𝗌𝐁𝗧𝘾'],
  ['TOKEN', 'T0KEN'],
  ['Alex', 'AIex'],
  ['Alex', 'A1ex'],
  ['comet', 'cornet'],
  ['Café', 'Cafe\u0301'],
])('%s looks like %s', (left, right) => {
  expect(foldLookAlike(left)).toBe(foldLookAlike(right));
});

test.each([
  ['sBTC', 'xBTC'],
  ['Wrapped Bitcoin', 'Wrapped STX'],
  ['Café', 'Cafe'],
  ['Token 2', 'Token 3'],
])('%s does not look like %s', (left, right) => {
  expect(foldLookAlike(left)).not.toBe(foldLookAlike(right));
});
