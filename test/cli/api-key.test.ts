// Tests that the key of an API is sent to this API only, and that it is never printed or stored.
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { ft } from '../support/index-of-servers.ts';
import { type LoopbackServer, loopbackServer } from '../support/loopback-server.ts';
import { type CliResult, expectRefused, runWarm, statusOf } from '../support/run-cli.ts';
import { readTree } from '../support/sample.ts';
import { built, callPaths, contractPath, folderWith, GETTERS, indexFrom, listenerOf } from './canned-api.ts';

const KEY = 'key-0123456789-abcdefghij';

const env = { STXPRESS_API_KEY: KEY };
/** Returns true if the key is in a file of the folder, or in the output of a command. */
const leaks = (cwd: string, ...results: readonly CliResult[]) => {
  const printed = results.flatMap(({ stdout, stderr }) => [stdout, stderr]);
  return [...readTree(cwd).values(), ...printed].some((text) => text.includes(KEY));
};

/** Starts a server. It records the keys that it receives. */
async function keyServer(listener: RequestListener): Promise<LoopbackServer & { readonly keys: unknown[] }> {
  const keys: unknown[] = [];
  const server = await loopbackServer((request, response) => {
    keys.push(request.headers['x-api-key']);
    listener(request, response);
  });
  return { ...server, keys };
}

test('default', async () => {
  const cwd = folderWith(['one', 'two']);
  const api = await keyServer(listenerOf(['one', 'two']));
  const indexed = await runWarm(indexFrom(api.url), { cwd, env });
  expect(indexed.status).toBe(0);
  expect(api.keys).toEqual(Array.from({ length: 1 + 2 * (1 + GETTERS.length) }, () => KEY));
  const status = await runWarm(['status', '--json'], { cwd });
  expect((await built(cwd)).has(ft('two'))).toBe(true);
  expect(leaks(cwd, indexed, status)).toBe(false);
});

test('sends no key to a separate node', async () => {
  const cwd = folderWith(['token']);
  const api = await keyServer(listenerOf(['token'], { hidesAbi: true }));
  const node = await keyServer(listenerOf(['token']));
  expect(await runWarm(indexFrom(api.url, '--node-url', node.url), { cwd, env })).toMatchObject({ status: 0 });
  expect(api.requests).toEqual(['/v2/info', contractPath('token')]);
  expect(api.keys).toEqual([KEY, KEY]);
  expect(node.requests).toEqual(expect.arrayContaining(['/v2/info', ...callPaths('token')]));
  expect(node.keys).toEqual(node.requests.map(() => undefined));
  expect(await statusOf(cwd)).toMatchObject({ source: { apiUrl: api.url, nodeUrl: node.url } });
});

test('prints no part of a key that the server repeats with status 401', async () => {
  const cwd = folderWith(['token']);
  let before = 'no such key: ';
  const api = await keyServer((request, response) => {
    response.writeHead(401).end(`${before}${String(request.headers['x-api-key'])}`);
  });
  const index = () => runWarm(indexFrom(api.url, '--wait', '0'), { cwd, env });
  const refused = await index();
  expectRefused(refused, 'responded with status 401: no such key: …. Check --api-key.', 1);
  const status = await runWarm(['status', '--failures'], { cwd });
  expect(api.keys).toContain(KEY);
  expect(leaks(cwd, refused, status)).toBe(false);
  // Makes the limit of 200 characters fall inside the key.
  before = 'x'.repeat(180);
  expect((await index()).stderr).not.toContain(KEY.slice(0, 10));
});

test('stores no key that the server repeats in the response to a call', async () => {
  const cwd = folderWith(['token']);
  const listener = listenerOf(['token']);
  const api = await keyServer((request, response) => {
    if (request.url === callPaths('token')[0])
      response.writeHead(400).end(`bad key ${String(request.headers['x-api-key'])}`);
    else listener(request, response);
  });
  const indexed = await runWarm(indexFrom(api.url), { cwd, env });
  await built(cwd);
  expect(leaks(cwd, indexed)).toBe(false);
});
