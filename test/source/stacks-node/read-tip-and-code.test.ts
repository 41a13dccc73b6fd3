// Tests reading the tip, interfaces and sources from a node.
import { describe, expect, test } from 'vitest';
import { readInterface, readSource, readTip } from '#source/stacks-node/node-responses.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { clientOf } from '../../support/server-client.ts';
import { ADDRESS, CONTRACT, SOURCE_INVALID, sourceOf, TOKEN } from '../source-of.ts';

describe('readTip', () => {
  test('default', async () => {
    const { client, requests } = await sourceOf();
    expect(await readTip(client)).toStrictEqual({ chainId: 2147483648, height: 200 });
    expect(requests).toEqual(['/v2/info']);
  });

  const UNKNOWN = { chainId: undefined, height: undefined };
  test.each([
    [404, 'Not found', UNKNOWN],
    [200, {}, UNKNOWN],
    [200, { network_id: '1', stacks_tip_height: -1 }, UNKNOWN],
    [200, { network_id: 1, stacks_tip_height: 1.5 }, { ...UNKNOWN, chainId: 1 }],
    [200, { network_id: null, stacks_tip_height: 0 }, { ...UNKNOWN, height: 0 }],
  ])('reads status %i with %j', async (status, body, expected) => {
    expect(await readTip((await clientOf(status, body)).client)).toStrictEqual(expected);
  });

  test.each([
    [200, null, 'not-an-api'],
    [200, 7, 'not-an-api'],
    [400, {}, 'not-an-api'],
    [200, '<html></html>', 'not-an-api'],
    [503, 'starting', 'http-503'],
  ])('status %i with %j is %s', async (status, body, code) => {
    expect(await readTip((await clientOf(status, body)).client)).toMatchObject({ code });
  });
});

describe.each([
  ['readInterface', readInterface, `interface/${ADDRESS}/token`, TOKEN_INTERFACE],
  ['readSource', readSource, `source/${ADDRESS}/token?proof=0`, '(ok "ü")'],
] as const)('%s', (_, read, path, answer) => {
  test('default', async () => {
    const { client, requests } = await sourceOf(CONTRACT);
    expect(await read(client, TOKEN)).toStrictEqual(answer);
    expect(requests).toEqual([`/v2/contracts/${path}`]);
  });

  test('undefined for a contract that the node does not have', async () => {
    expect(await read((await sourceOf()).client, TOKEN)).toBeUndefined();
  });

  test('reports http-500', async () => {
    expect(await read((await clientOf(500, 'broken')).client, TOKEN)).toMatchObject({ code: 'http-500' });
  });
});

test.each([null, [], {}, { ...EMPTY_INTERFACE, maps: 1 }])('reports interface-invalid for %j', async (body) => {
  expect(await readInterface((await clientOf(200, body)).client, TOKEN)).toMatchObject({ code: 'interface-invalid' });
});

test('accepts an empty source', async () => {
  expect(await readSource((await clientOf(200, { source: '' })).client, TOKEN)).toBe('');
});

test.each([{}, { source: null }, null, []])('reports source-invalid for %j', async (body) => {
  expect(await readSource((await clientOf(200, body)).client, TOKEN)).toMatchObject(SOURCE_INVALID);
});
