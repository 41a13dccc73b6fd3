// Tests how the status of a token describes a single value.
import { expect, test } from 'vitest';
import { fail } from '#model/failure.ts';
import type { TokenFacts } from '#routes/tokens.ts';
import { describeReading, supplyStatus, valueStatus } from '#routes/value-status.ts';

const READING = { getter: 'get-decimals', source: 'vm', height: 7, calls: 2 } as const;

test('reports none only for a value that is not outdated', () => {
  expect(describeReading(READING)).toMatchObject({ none: true, height: 7 });
  const failure = fail('ownership-not-followed');
  expect(describeReading({ ...READING, failure })).toMatchObject({ none: undefined, failure: { code: failure.code } });
  expect(describeReading({ ...READING, value: '6' }).none).toBeUndefined();
});

test('gives a value without a reading the reason of its token, or that it waits', () => {
  const { code, message } = fail('vm-crash');
  const facts = { token: { readings: [], failure: { code, message } }, pending: [] } as unknown as TokenFacts;
  expect(valueStatus(facts, 'get-name')).toEqual({ failure: { code, message } });
  const queued = { ...facts, pending: [{ kind: 'evaluate-token' }] } as unknown as TokenFacts;
  expect(valueStatus(queued, 'get-name')).toMatchObject({ failure: { code: 'evaluation-pending' } });
});

test('gives no failure of a token to a supply that is a sum of events', () => {
  const token = { readings: [], failure: fail('vm-crash'), supplyAssets: ['a::b'] };
  const facts = { token, pending: [], supply: 7n } as unknown as TokenFacts;
  expect(supplyStatus(facts)).toEqual({ read_from: 'events' });
  expect(supplyStatus({ ...facts, supply: undefined }).failure?.code).toBe('supply-out-of-range');
});
