import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Failure, fail } from '#model/failure.ts';
import { PoliteHost } from '#net/polite-host.ts';

const failing = (code: Failure['code'], retryAfterSeconds?: number) => async (): Promise<Failure> => ({
  ...fail(code),
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});
const done = async () => 'done';

// How one with patience is waited for, held back and given up is in json-client.test.ts.
describe('a host that nobody waits for', () => {
  test('default', async () => {
    const host = new PoliteHost('a', { concurrency: 2 });
    let running = 0;
    let most = 0;
    const request = async () => {
      most = Math.max(most, ++running);
      await delay(5);
      running--;
      return 'done';
    };
    expect(await Promise.all(Array.from({ length: 10 }, () => host.ask(request)))).toEqual(Array(10).fill('done'));
    expect(most).toBe(2);
  });

  test('error: host-held, without a request, until the time is over', async () => {
    const host = new PoliteHost('a', { concurrency: 2 });
    // A shorter wish of a slower answer shortens nothing.
    const slower = host.ask(() => delay(50).then(failing('http-429', 0.1)));
    expect(await host.ask(failing('http-503', 1))).toMatchObject({ code: 'http-503' });
    const heldAt = performance.now();
    expect(await slower).toMatchObject({ code: 'http-429' });
    let asked = false;
    const held = await host.ask(async () => {
      asked = true;
    });
    expect(held).toMatchObject({ code: 'host-held', retryable: true });
    expect((held as unknown as Failure).retryAfterSeconds).toBeCloseTo(1 - (performance.now() - heldAt) / 1000, 1);
    expect(asked).toBe(false);
    await delay(1_000);
    expect(await host.ask(done)).toBe('done');
  });

  test('behavior: what fails holds nobody else back', async () => {
    const host = new PoliteHost('a', { concurrency: 1 });
    for (let times = 0; times < 20; times++) await host.ask(failing('timeout'));
    await host.ask(failing('http-429'));
    expect(await host.ask(done)).toBe('done');
    expect(host.downBecauseOf).toBeUndefined();
  });
});
