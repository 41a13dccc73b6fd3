import { expect, test } from 'vitest';
import { parseRetryAfter } from '#net/send-request.ts';

const now = Date.UTC(2026, 0, 1);
test.each([
  ['120', 120],
  [' 0 ', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['999999999', 3_600],
  ['soon', undefined],
  [undefined, undefined],
])('%s', (header, seconds) => {
  expect(parseRetryAfter(header, now)).toBe(seconds);
});
