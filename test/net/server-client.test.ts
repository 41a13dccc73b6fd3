// Tests the requests of the server client, and the reading of responses.
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { FAULTS, withFaults } from '../support/faults.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { clientOf, serverClient } from '../support/server-client.ts';

const KEY = 'key-of-nobody-else';
const HTML = '<!DOCTYPE html><html><body>Down for maintenance</body></html>';

describe('requests', () => {
  test('default', async () => {
    const server = await loopbackServer((request, response) => {
      const { 'x-api-key': key, 'user-agent': agent, accept } = request.headers;
      response.end(JSON.stringify({ method: request.method, hasKey: key === KEY, agent, accept }));
    });
    const client = serverClient(server.url, { secretHeaders: { 'x-api-key': KEY } });
    expect(await client.getJson('/v2/info?a=b')).toMatchObject({
      status: 200,
      json: { method: 'GET', hasKey: true, agent: 'stxpress', accept: 'application/json' },
    });
    expect(await client.postJson('/v2/call', {})).toMatchObject({ json: { method: 'POST', hasKey: true } });
    expect(server.requests).toEqual(['/v2/info?a=b', '/v2/call']);
  });

  test('sends a body as JSON', async () => {
    const server = await loopbackServer((request, response) => {
      response.write(`{"type":${JSON.stringify(request.headers['content-type'])},"body":`);
      request.pipe(response, { end: false }).on('unpipe', () => response.end('}'));
    });
    expect(await serverClient(server.url).postJson('/', { sender: 'ü', arguments: [] })).toMatchObject({
      json: { type: 'application/json', body: { sender: 'ü', arguments: [] } },
    });
  });

  test.each(['/chain/stacks', '/chain/stacks/'])('keeps the path of the base URL: %s', async (path) => {
    const server = await loopbackServer((_, response) => response.end('{}'));
    const client = serverClient(`${server.url}${path}`);
    await client.getJson('/v2/info');
    await client.postJson('/v2/call', {});
    expect(server.requests).toEqual(['/chain/stacks/v2/info', '/chain/stacks/v2/call']);
  });
});

describe('responses', () => {
  test.each<[number, string, unknown, string?]>([
    [200, '{"a":1}', { a: 1 }],
    [200, 'null', null],
    [404, '{"error":"none"}', { error: 'none' }],
    [200, '\uFEFF{"a":1}', { a: 1 }, '{"a":1}'],
    [404, 'No contract found', undefined],
    [404, '', undefined],
    [400, 'Execution budget exceeded', undefined],
  ])('reads status %i with %j', async (status, body, json, text = body) => {
    const { client } = await clientOf(status, body);
    expect(await client.getJson('/')).toStrictEqual({ status, json, text });
  });

  test.each([
    [200, HTML, 'an HTML page'],
    [400, HTML, 'an HTML page'],
    [404, `\n ${HTML}`, 'an HTML page'],
    [200, '{"a":', 'content that is not JSON'],
    [200, '', 'content that is not JSON'],
  ])('returns not-an-api, and source-invalid after JSON, for status %i with %j', async (status, text, content) => {
    const server = await loopbackServer((request, response) => {
      if (request.url === '/json') response.end('{}');
      else response.writeHead(status).end(text);
    });
    const client = serverClient(server.url);
    const message = `${server.url}/path returned ${content} (status ${status}).`;
    expect(await client.getJson('/path')).toMatchObject({
      code: 'not-an-api',
      message: `${message} Pass the URL of a Stacks node or API, such as https://api.hiro.so.`,
      retryable: true,
    });
    await client.getJson('/json');
    expect(await client.getJson('/path')).toMatchObject({ code: 'source-invalid', message, retryable: true });
  });

  test('returns source-invalid for a response that exceeds the default or its limit', async () => {
    const { client } = await clientOf(200, `"${'x'.repeat(4_900_000)}"`);
    expect(await client.getJson('/')).toMatchObject({ status: 200 });
    const tooLarge = { code: 'source-invalid', message: expect.stringContaining('is larger than'), retryable: true };
    expect(await client.getJson('/', { maxBytes: 4_000_000 })).toMatchObject(tooLarge);
    const { client: larger } = await clientOf(200, `"${'x'.repeat(5_000_000)}"`);
    expect(await larger.getJson('/')).toMatchObject(tooLarge);
  });

  test.each([
    [500, 'internal error', /status 500: internal error/],
    [502, HTML, /^[^<]*$/],
    [503, 'x'.repeat(10_000), /^.{200,300}$/],
    [410, 'gone', /status 410/],
    [401, 'Unauthorized', /Check --api-key\.$/],
    [403, '{"message":"no"}', /Check --api-key\.$/],
  ])('http-%i', async (status, text, message) => {
    const { client } = await clientOf(status, text);
    // These statuses concern the server or the client, not the requested resource.
    expect(await client.getJson('/')).toMatchObject({
      code: `http-${status}`,
      message: expect.stringMatching(message),
      retryable: true,
    });
  });

  test('returns http-302 with the target of a redirect, and does not follow it', async () => {
    const elsewhere = await loopbackServer((_, response) => response.end('{}'));
    const server = await loopbackServer((request, response) => {
      response.writeHead(302, request.url === '/' ? { location: `${elsewhere.url}/new` } : {}).end();
    });
    const client = serverClient(server.url);
    expect(await client.getJson('/')).toMatchObject({
      code: 'http-302',
      message: expect.stringContaining(`redirects to ${elsewhere.url}/new. Pass that URL instead.`),
      retryable: true,
    });
    expect(await client.getJson('/lost')).toMatchObject({ message: expect.stringContaining('redirects to nowhere') });
    expect(elsewhere.requests).toEqual([]);
  });

  test('hides a key that the server repeats', async () => {
    const server = await loopbackServer((request, response) => {
      const location = request.url === '/redirect' ? { location: `/?key=${KEY}` } : {};
      response.writeHead(request.url === '/redirect' ? 302 : 401, location).end(`The key\n${KEY} is not valid.`);
    });
    const client = serverClient(server.url, { secretHeaders: { 'x-api-key': KEY } });
    expect(await client.getJson('/')).toMatchObject({ message: expect.stringContaining('The key … is not valid.') });
    expect(inspect(await client.getJson('/redirect'), { depth: 10 })).not.toContain(KEY);
  });

  test.each(FAULTS)('hides the key in the failure of a server with the fault %s', async (fault) => {
    const body = JSON.stringify({ text: 'x'.repeat(1_000) });
    const faulty = withFaults((_, response) => void response.writeHead(200).end(body), {
      share: 1,
      seed: 1,
      faults: [fault],
      slowMs: 100,
    });
    const server = await loopbackServer(faulty);
    const result = await serverClient(server.url, { secretHeaders: { 'x-api-key': KEY } }).getJson('/');
    expect(result).toMatchObject({
      code: { 429: 'http-429', 500: 'http-500', html: 'not-an-api' }[fault as string] ?? 'connection-failed',
      message: expect.stringContaining(server.host),
      retryable: true,
    });
    expect(inspect(result, { depth: 10 })).not.toContain(KEY);
  });
});
