import { expect, test } from 'vitest';
import { client, OPTIONS, served } from '../support/http-client.ts';
import { loopbackServer } from '../support/loopback-server.ts';

test('follows redirects and checks each target', async () => {
  const inner = await loopbackServer((_, response) => response.end('secret'));
  const { get } = await served((request, response) => {
    const step = Number(request.url?.slice(1));
    if (request.url === '/private') response.writeHead(302, { Location: inner.url }).end();
    else if (request.url === '/nowhere') response.writeHead(302, { Location: 'http://[' }).end();
    else if (step > 0) response.writeHead(302, { Location: `/${step - 1}` }).end();
    else response.end('there');
  });
  expect(await get('/5')).toMatchObject({ bytes: Buffer.from('there') });
  expect(await get('/6')).toMatchObject({ code: 'redirect-limit' });
  expect(await get('/nowhere')).toMatchObject({ code: 'redirect-invalid' });
  expect(await get('/private')).toMatchObject({ code: expect.stringMatching(/^(address|port)-refused$/) });
  expect(inner.requests).toEqual([]);
});

test('counts the time of all redirects together', async () => {
  const { get } = await served(
    (request, response) => {
      const step = Number(request.url?.slice(1));
      setTimeout(() => response.writeHead(302, { Location: `/${step + 1}` }).end(), 300);
    },
    { totalTimeoutMs: 800 },
  );
  expect(await get('/1')).toMatchObject({ code: 'timeout' });
});

test('allows a server and its subdomains at its port and at HTTPS ports', async () => {
  const refusalOf = async (server: string, url: string) => {
    const result = await client({ allowedServers: [new URL(server)] }).get(url, OPTIONS);
    return 'code' in result && result.code.endsWith('-refused') ? result.code : undefined;
  };
  for (const url of [
    'http://localhost:9/',
    'http://a.b.localhost:9/',
    'https://localhost:9/',
    'https://a.localhost:8443/',
  ])
    expect(await refusalOf('http://localhost:9', url)).toBe(undefined);
  for (const url of [
    'http://localhost:8443/',
    'http://a.localhost/',
    'http://localhost:443/',
    'http://localhost:8080/',
  ])
    expect(await refusalOf('http://localhost:9', url)).toBe('address-refused');
  expect(await refusalOf('https://localhost:9', 'https://a.localhost:8443/')).toBe('address-refused');
});

test('sends validators only to the URL that returned them, not to redirect targets', async () => {
  const conditions: unknown[] = [];
  const target = await loopbackServer((request, response) => {
    conditions.push(request.headers['if-none-match'], request.headers['if-modified-since']);
    response.setHeader('ETag', '"target"').setHeader('Last-Modified', 'Fri, 02 Jan 2026 00:00:00 GMT').end('there');
  });
  const server = await loopbackServer((request, response) => {
    conditions.push(request.headers['if-none-match'], request.headers['if-modified-since']);
    response.writeHead(302, { Location: `${target.url}/` }).end();
  });
  const known = { etag: '"first"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' };
  const response = await client({ allow: [server.host, target.host] }).get(server.url, { ...OPTIONS, known });
  expect(response).toEqual({ isModified: true, bytes: Buffer.from('there') });
  expect(conditions).toEqual([known.etag, known.lastModified, undefined, undefined]);
});

test('pauses the host that requests it, not the host that redirected there', async () => {
  const busy = await loopbackServer((_, response) => response.writeHead(429, { 'Retry-After': '86400' }).end());
  const shared = await loopbackServer((request, response) => {
    if (request.url === '/busy') response.writeHead(302, { Location: `${busy.url}/` }).end();
    else response.end('there');
  });
  const http = client({ allow: [shared.host, busy.host] });
  // The server requests a pause of a day, but the client pauses only for an hour.
  const anHour = { code: 'http-429', retryAfterSeconds: 3_600 };
  expect(await http.get(`${shared.url}/busy`, OPTIONS)).toMatchObject(anHour);
  const hostHeld = { code: 'host-held', message: expect.stringContaining(busy.host) };
  expect(await http.get(`${shared.url}/busy`, OPTIONS)).toMatchObject(hostHeld);
  expect(await http.get(`${busy.url}/other`, OPTIONS)).toMatchObject(hostHeld);
  expect(await http.get(`${shared.url}/honest`, OPTIONS)).toMatchObject({ isModified: true });
  expect(busy.requests).toEqual(['/']);
});
