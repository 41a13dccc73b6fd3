import { describe, expect, onTestFinished, test } from 'vitest';
import { createUriFetcher, offlineFetcher } from '#uri/uri-fetcher.ts';
import { LIMITS } from '../support/http-limits.ts';
import { loopbackServer } from '../support/loopback-server.ts';

const OPTIONS = { maxBytes: 1_000 };
/** Nothing listens there. */
const REFUSING = 'http://127.0.0.1:9';

const fetcherOf = (ipfs: readonly string[], allowedHosts: readonly string[] = []) => {
  const fetcher = createUriFetcher({ limits: LIMITS, allowedHosts, gateways: { ipfs, arweave: [] } });
  onTestFinished(() => fetcher.close());
  return fetcher;
};

describe('createUriFetcher', () => {
  test('default', async () => {
    const gateway = await loopbackServer((_, response) => response.end('there'));
    const fetcher = fetcherOf([REFUSING, gateway.url]);
    expect(await fetcher.fetch('ipfs://Qm1/a.json', OPTIONS)).toEqual({ status: 200, bytes: Buffer.from('there') });
    expect(gateway.requests).toEqual(['/ipfs/Qm1/a.json']);
  });

  test('error: the failure that is most worth a retry, or no-gateway', async () => {
    const gateway = await loopbackServer((_, response) => response.writeHead(404).end());
    expect(await fetcherOf([gateway.url, REFUSING]).fetch('ipfs://Qm1', OPTIONS)).toMatchObject({
      code: 'connection-failed',
    });
    expect(await fetcherOf([]).fetch('ipfs://Qm1', OPTIONS)).toMatchObject({ code: 'no-gateway' });
  });

  test('error: address-refused for a gateway that a stranger names, or redirects to', async () => {
    const gateway = await loopbackServer((_, response) => response.end('secret'));
    const stranger = await loopbackServer((_, response) =>
      response.writeHead(302, { Location: `${gateway.url}/a` }).end(),
    );
    const fetcher = fetcherOf([gateway.url], [stranger.host]);
    for (const uri of [`${gateway.url}/a`, `${stranger.url}/a`]) {
      expect(await fetcher.fetch(uri, OPTIONS)).toMatchObject({
        code: expect.stringMatching(/^(address|port)-refused$/),
      });
    }
    expect(gateway.requests).toEqual([]);
  });

  test('error: host-held, for that host alone, once it asked for time', async () => {
    const busy = await loopbackServer((_, response) => response.writeHead(429, { 'Retry-After': '60' }).end());
    const other = await loopbackServer((_, response) => response.end('there'));
    const fetcher = fetcherOf([], [busy.host, other.host]);
    expect(await fetcher.fetch(`${busy.url}/1`, OPTIONS)).toMatchObject({ code: 'http-429' });
    expect(await fetcher.fetch(`${busy.url}/2`, OPTIONS)).toMatchObject({ code: 'host-held' });
    expect(await fetcher.fetch(`${other.url}/3`, OPTIONS)).toMatchObject({ status: 200 });
    expect(busy.requests).toEqual(['/1']);
  });
});

describe('offlineFetcher', () => {
  test('error: offline', async () => {
    expect(await offlineFetcher.fetch('https://example.org/', OPTIONS)).toMatchObject({
      code: 'offline',
      retryable: false,
    });
  });
});
