import { describe, expect, test } from 'vitest';
import { fail } from '#model/failure.ts';
import { HostGate } from '#net/host-gate.ts';
import { parseRetryAfter } from '#net/retry-after.ts';

describe('HostGate', () => {
  test('default', async () => {
    const gate = new HostGate({ perHost: 2, now: Date.now });
    let running = 0;
    let most = 0;
    const request = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return 'done';
    };
    expect(await Promise.all(Array.from({ length: 10 }, () => gate.run('a', request)))).toEqual(Array(10).fill('done'));
    expect(most).toBe(2);
  });

  test('error: host-held, until the time is over, and no other host with it', async () => {
    let now = 1_000_000;
    const gate = new HostGate({ perHost: 1, now: () => now });
    const busy = async () => ({ ...fail('http-429'), retryAfterSeconds: 60 });
    expect(await gate.run('a', busy)).toMatchObject({ code: 'http-429' });
    // A shorter wish of a slower answer shortens nothing.
    now += 20_000;
    expect(await gate.run('a', async () => 'asked')).toMatchObject({
      code: 'host-held',
      retryAfterSeconds: 40,
      retryable: true,
    });
    expect(await gate.run('b', async () => 'asked')).toBe('asked');
    now += 40_000;
    expect(await gate.run('a', async () => 'asked')).toBe('asked');
  });
});

describe('parseRetryAfter', () => {
  const now = Date.UTC(2026, 0, 1);
  test.each([
    ['120', 120],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['999999999', 86_400],
    ['soon', undefined],
    [undefined, undefined],
  ])('default: %s', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });
});
