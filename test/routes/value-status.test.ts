// Tests how the status of a token describes a single value.
import { expect, test } from 'vitest';
import { fail } from '#model/failure.ts';
import { describeReading } from '#routes/value-status.ts';

const READING = { getter: 'get-decimals', source: 'vm', height: 7, calls: 2 } as const;

test('behavior: reports none only for a value that is not outdated', () => {
  expect(describeReading(READING)).toMatchObject({ none: true, height: 7 });
  const failure = fail('ownership-not-followed');
  expect(describeReading({ ...READING, failure })).toMatchObject({ none: undefined, failure: { code: failure.code } });
  expect(describeReading({ ...READING, value: '6' }).none).toBeUndefined();
});
