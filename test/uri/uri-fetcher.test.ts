import { describe, expect, onTestFinished, test } from 'vitest';
import { parseDocument } from '#sip-016/parse-document.ts';
import { createUriFetcher } from '#uri/uri-fetcher.ts';
import { LIMITS } from '../support/http-limits.ts';
import { type LoopbackServer, loopbackServer } from '../support/loopback-server.ts';

const OPTIONS = { maxBytes: 1_000 };
/** An address that refuses connections, since no server listens on its port. */
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

test.each([
  ['a page of HTML', '<!DOCTYPE html><p>Not here</p>'],
  ['the error of a gateway', 'ipfs resolve -r /ipfs/Qm1: no link named "a.json" under Qm1'],
  ['the error of a gateway as JSON', '"no link named"'],
  ['an object with an error', '{"error":"no link named","code":404}'],
  ['an empty body', ''],
  ['half a document', '{"name":'],
  ['bytes', '\u0000\u00ff'],
])('tries the next gateway if one returns %s', async (_, body) => {
  const bad = await loopbackServer((_request, response) => response.setHeader('ETag', '"bad"').end(body));
  const good = await loopbackServer((_request, response) => response.setHeader('ETag', '"good"').end('{"name":"a"}'));
  const fetch = (...gateways: readonly LoopbackServer[]) =>
    fetcherOf(gateways.map(({ url }) => url)).fetch('ipfs://Qm1/a.json', { ...OPTIONS, read: parseDocument });
  expect(await fetch(bad, good)).toMatchObject({ content: { json: { name: 'a' } }, etag: '"good"' });
  expect(await fetch(bad, bad)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  expect([bad.requests.length, good.requests.length]).toEqual([3, 1]);
});

test('does not read content that was not modified', async () => {
  const gateway = await loopbackServer((request, response) =>
    response.writeHead(request.headers['if-none-match'] === '"1"' ? 304 : 500).end(),
  );
  const options = { ...OPTIONS, known: { etag: '"1"' }, read: parseDocument };
  expect(await fetcherOf([gateway.url]).fetch('ipfs://Qm1', options)).toMatchObject({ isModified: false });
});

test('returns the failure that tells most about the content', async () => {
  const gateway = async (status: number, body: string) =>
    (await loopbackServer((_, response) => response.writeHead(status).end(body))).url;
  // The failures in ascending order of the information that they give about the content.
  const gateways = [
    ['http-404', await gateway(404, '')],
    ['too-large', await gateway(200, 'x'.repeat(1_001))],
    ['connection-failed', REFUSING],
    ['html-page', await gateway(200, '<html>')],
    ['not-an-object', await gateway(200, '[]')],
  ] as const;
  const fetch = (...ipfs: readonly string[]) =>
    fetcherOf(ipfs).fetch('ipfs://Qm1', { ...OPTIONS, read: parseDocument });
  for (const [index, [code, url]] of gateways.entries())
    for (const [, lesser] of gateways.slice(0, index)) {
      expect(await fetch(url, lesser)).toMatchObject({ code });
      expect(await fetch(lesser, url)).toMatchObject({ code });
    }
});

test('finds files whose names have a number sign or a percent sign', async () => {
  const gateway = await loopbackServer((request, response) => response.end(JSON.stringify({ name: request.url })));
  const fetch = (path: string) => fetcherOf([gateway.url]).fetch(path, { ...OPTIONS, read: parseDocument });
  for (const [path, name] of [
    ['Wookz#525.json', 'Wookz%23525.json'],
    ['100%.json', '100%25.json'],
    ['a?b=c', 'a?b=c'],
  ])
    expect(await fetch(`ipfs://Qm1/${path}`)).toMatchObject({ content: { json: { name: `/ipfs/Qm1/${name}` } } });
});

test('fetches content from a gateway if the host of a URL is missing, private or wrong', async () => {
  const path = '/ipfs/QmVJo3zMQ4EGvYFCcfwGnNQzRWpnUDXkDSHoXUAcQBLwAc/a.json';
  const gateway = await loopbackServer((_, response) => response.end('{"name":"a"}'));
  const wrong = await loopbackServer((_, response) => response.end('<!DOCTYPE html><title>For sale</title>'));
  const fetcher = fetcherOf([gateway.url], [wrong.host, '127.0.0.1:9']);
  for (const host of [REFUSING, 'http://localhost:8080', wrong.url])
    expect(await fetcher.fetch(host + path, { ...OPTIONS, read: parseDocument })).toMatchObject({
      content: { json: { name: 'a' } },
    });
  expect(wrong.requests).toEqual([path]);
  expect(gateway.requests).toEqual([path, path, path]);
});

test('returns the failure most likely to succeed later, or no-gateway', async () => {
  const gateway = await loopbackServer((_, response) => response.writeHead(404).end());
  expect(await fetcherOf([gateway.url, REFUSING]).fetch('ipfs://Qm1', OPTIONS)).toMatchObject({
    code: 'connection-failed',
  });
  expect(await fetcherOf([]).fetch('ipfs://Qm1', OPTIONS)).toMatchObject({ code: 'no-gateway' });
});

test('reports address-refused for a gateway in an untrusted URL or redirect', async () => {
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

describe('a gateway that gives each content a subdomain', () => {
  const CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
  const redirecting = (locationOf: (port: number, path: string) => string) =>
    loopbackServer((request, response) => {
      const { host = '', cookie } = request.headers;
      const [name, port] = host.split(':');
      const path = request.url?.slice(`/ipfs/${CID}`.length) ?? '';
      if (name !== 'localhost') response.end(`${request.url} of ${name}, cookie ${cookie}`);
      else response.writeHead(301, { Location: locationOf(Number(port), path), 'Set-Cookie': 'a=b' }).end();
    });
  const fetchVia = async (locationOf: (port: number, path: string) => string) => {
    const gateway = await redirecting(locationOf);
    const result = await fetcherOf([`http://localhost:${gateway.port}`]).fetch(`ipfs://${CID}/a.json`, OPTIONS);
    return { ...result, requests: gateway.requests.length };
  };

  test('follows its redirects to subdomains, on this machine too', async () => {
    for (const host of [`${CID}.ipfs.localhost`, 'a.b.localhost'])
      expect(await fetchVia((port, path) => `http://${host}:${port}${path}`)).toMatchObject({
        bytes: Buffer.from(`/a.json of ${host}, cookie undefined`),
        requests: 2,
      });
  });

  test('follows its redirects to https, and checks the certificate', async () => {
    expect(await fetchVia((port) => `https://${CID}.ipfs.localhost:${port}/`)).toMatchObject({ code: 'tls-error' });
    for (const port of [443, 8443])
      expect(await fetchVia(() => `https://${CID}.ipfs.localhost:${port}/`)).not.toMatchObject({
        code: expect.stringMatching(/refused/),
      });
  });

  test('reports address-refused or port-refused for any other private host', async () => {
    const other = await loopbackServer((_, response) => response.end('secret'));
    for (const host of ['127.0.0.1', 'localhost', `${CID}.ipfs.localhost`, '[::1]', 'xlocalhost', 'localhost.example'])
      expect(await fetchVia(() => `http://${host}:${other.port}/`)).toMatchObject({ code: 'port-refused' });
    for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost:8080', `${CID}.ipfs.localhost`, '10.0.0.1'])
      expect(await fetchVia(() => `http://${host}/`)).toMatchObject({ code: 'address-refused', requests: 1 });
    expect(await fetchVia(() => 'https://localhost:9443/')).toMatchObject({ code: 'port-refused' });
    for (const host of ['xlocalhost', '127.0.0.1'])
      expect(await fetchVia((port) => `http://${host}:${port}/`)).toMatchObject({ code: 'port-refused', requests: 1 });
    const fetcher = fetcherOf([`http://localhost:${other.port}`]);
    expect(await fetcher.fetch(`http://a.localhost:${other.port}/`, OPTIONS)).toMatchObject({ code: 'port-refused' });
    expect(other.requests).toEqual([]);
  });

  test('counts requests to its subdomains as its own', async () => {
    let maxRunning = 0;
    let running = 0;
    const gateway = await loopbackServer((request, response) => {
      const isRoot = request.headers.host === `localhost:${gateway.port}`;
      const [, , cid, path] = request.url?.split('/') ?? [];
      if (isRoot)
        return response.writeHead(301, { Location: `http://${cid}.ipfs.localhost:${gateway.port}/${path}` }).end();
      maxRunning = Math.max(maxRunning, ++running);
      return setTimeout(() => running-- && response.end('there'), 20);
    });
    const fetcher = fetcherOf([`http://localhost:${gateway.port}`]);
    const cids = Array.from(
      { length: 40 },
      (_, index) => `${CID.slice(0, -2)}${String.fromCharCode(97 + (index % 20))}${index < 20 ? 'a' : 'b'}`,
    );
    const results = await Promise.all(cids.map((cid) => fetcher.fetch(`ipfs://${cid}/a`, OPTIONS)));
    expect(results.every((result) => 'isModified' in result)).toBe(true);
    expect(maxRunning).toBeGreaterThan(1);
    expect(maxRunning).toBeLessThanOrEqual(8);
  });
});

test('does not delay a gateway because of one content or a redirect', async () => {
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

test('returns the failure of the next gateway instead of waiting for a delayed one', async () => {
  const held = await loopbackServer((_, response) => response.writeHead(429, { 'Retry-After': '60' }).end());
  const fetcher = fetcherOf([held.url, REFUSING]);
  for (const path of ['Qm1', 'Qm2', 'Qm3']) await fetcher.fetch(`ipfs://${path}`, OPTIONS);
  expect(await fetcher.fetch('ipfs://Qm4', OPTIONS)).toMatchObject({ code: 'connection-failed' });
  expect(held.requests).toHaveLength(3);
});
