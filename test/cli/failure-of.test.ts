// Tests which thrown values are reported as failures of a command, and which are reported as bugs.
import { expect, test } from 'vitest';
import { failureOf } from '#cli/main.ts';
import { FailureError, fail } from '#model/failure.ts';

test('reports the error that ended the work, not the error of its clean-up', () => {
  const [work, cleanUp] = [fail('disk-full', 'The disk is full.'), new Error('it cannot be closed')];
  expect(failureOf(new SuppressedError(cleanUp, new FailureError(work)))).toBe(work);
  expect(failureOf(new SuppressedError(new FailureError(work), cleanUp))).toBeUndefined();
  expect(failureOf(cleanUp)).toBeUndefined();
});
