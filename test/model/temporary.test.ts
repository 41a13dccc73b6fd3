// Tests which failures of a server a later run may not have.
import { expect, test } from 'vitest';
import { type FailureCode, fail } from '#model/failure.ts';
import { isTemporary } from '#model/temporary.ts';

test.each<[boolean, readonly FailureCode[]]>([
  [true, ['http-408', 'http-425', 'http-429', 'http-500', 'http-503', 'http-599']],
  [true, ['connection-failed', 'timeout', 'source-down', 'source-invalid', 'host-held', 'interrupted', 'locked']],
  [false, ['http-301', 'http-302', 'http-400', 'http-401', 'http-403', 'http-404', 'http-407', 'http-410', 'http-451']],
  [false, ['host-not-found', 'tls-error', 'response-invalid', 'not-an-api', 'usage', 'seed-invalid']],
])('returns %s for %j', (expected, codes) => {
  expect(codes.filter((code) => isTemporary(fail(code)) !== expected)).toEqual([]);
  // The work of an index waits for the server, even if the failure lasts.
  if (!expected)
    expect(
      codes.filter(
        (code) => isTemporary({ ...fail(code), retryable: true }) && !['usage', 'seed-invalid'].includes(code),
      ),
    ).toEqual([]);
});
