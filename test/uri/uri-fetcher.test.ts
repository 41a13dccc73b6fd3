import { expect, onTestFinished, test } from 'vitest';
import { createUriFetcher } from '#uri/uri-fetcher.ts';
import { LIMITS } from '../support/http-limits.ts';
import { loopbackServer } from '../support/loopback-server.ts';

const OPTIONS = { maxBytes: 1_000 };
/** Nothing listens there. */
const REFUSING = 'http://127.0.0.1:9';

const fetcherOf = (ipfs: readonly string[], allowedHosts: readonly string[] = []) => {
  const fetcher = createUriFetcher({ limits: LIMITS, allowedHosts, gateways: { ipfs, arweave: [] } });
  onTestFinished(() => fetcher[Symbol.asyncDispose]());
  return fetcher;
};

test('default', async () => {
  const gateway = await loopbackServer((_, response) => response.end('there'));
  const fetcher = fetcherOf([REFUSING, gateway.url]);
  expect(await fetcher.fetch('ipfs://Qm1/a.json', OPTIONS)).toEqual({ isModified: true, bytes: Buffer.from('there') });
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

test('behavior: a gateway is not held back for what one content asks, or a redirect leads to', async () => {
  const busy = await loopbackServer((_, response) => response.writeHead(503, { 'Retry-After': '86400' }).end());
  const gateway = await loopbackServer((request, response) => {
    if (request.url?.includes('/Qm1')) response.writeHead(429, { 'Retry-After': '86400' }).end();
    else if (request.url?.includes('/Qm2')) response.writeHead(302, { Location: busy.url }).end();
    else response.end('there');
  });
  const fetcher = fetcherOf([gateway.url], [busy.host]);
  const fetch = (path: string) => fetcher.fetch(`ipfs://${path}`, OPTIONS);
  for (const path of ['1', '2', '3', '4']) expect(await fetch(`Qm1/${path}`)).toMatchObject({ code: 'http-429' });
  expect(await fetch('Qm2/1')).toMatchObject({ code: 'http-503' });
  expect(await fetch('Qm2/2')).toMatchObject({ code: 'host-held' });
  expect(await fetch('Qm3')).toMatchObject({ isModified: true });
});

test('behavior: a gateway that is held back is no reason to wait where the next one fails by itself', async () => {
  const held = await loopbackServer((_, response) => response.writeHead(429, { 'Retry-After': '60' }).end());
  const fetcher = fetcherOf([held.url, REFUSING]);
  for (const path of ['Qm1', 'Qm2', 'Qm3']) await fetcher.fetch(`ipfs://${path}`, OPTIONS);
  expect(await fetcher.fetch('ipfs://Qm4', OPTIONS)).toMatchObject({ code: 'connection-failed' });
  expect(held.requests).toHaveLength(3);
});
