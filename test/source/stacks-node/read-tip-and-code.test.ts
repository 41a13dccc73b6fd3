// The tip, interfaces and sources that a node answers.
import { describe, expect, test } from 'vitest';
import { readInterface, readSource, readTip } from '#source/stacks-node/node-answers.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { clientOf } from '../../support/json-client.ts';
import { ADDRESS, CONTRACT, sourceOf, TOKEN } from '../source-of.ts';

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
  ])('behavior: status %i with %j', async (status, body, expected) => {
    expect(await readTip((await clientOf(status, body)).client)).toStrictEqual(expected);
  });

  test.each([
    [200, null, 'source-invalid', false],
    [200, 7, 'source-invalid', false],
    [400, {}, 'source-invalid', false],
    [200, '<html></html>', 'source-invalid', true],
    [503, 'starting', 'http-503', true],
  ])('error: status %i with %j is %s', async (status, body, code, retryable) => {
    expect(await readTip((await clientOf(status, body)).client)).toMatchObject({ code, retryable });
  });
});

describe('readInterface', () => {
  test('default', async () => {
    const { client, requests } = await sourceOf(CONTRACT);
    expect(await readInterface(client, TOKEN)).toStrictEqual(TOKEN_INTERFACE);
    expect(requests).toEqual([`/v2/contracts/interface/${ADDRESS}/token`]);
  });

  test('default: undefined for a contract that the node does not have', async () => {
    expect(await readInterface((await sourceOf()).client, TOKEN)).toBeUndefined();
  });

  test.each([null, [], {}, { ...EMPTY_INTERFACE, maps: 1 }])('error: interface-invalid for %j', async (body) => {
    expect(await readInterface((await clientOf(200, body)).client, TOKEN)).toMatchObject({
      code: 'interface-invalid',
    });
  });

  test('error: http-500', async () => {
    expect(await readInterface((await clientOf(500, 'broken')).client, TOKEN)).toMatchObject({ code: 'http-500' });
  });
});

describe('readSource', () => {
  test('default', async () => {
    const { client, requests } = await sourceOf(CONTRACT);
    expect(await readSource(client, TOKEN)).toBe('(ok "ü")');
    expect(requests).toEqual([`/v2/contracts/source/${ADDRESS}/token?proof=0`]);
  });

  test('default: undefined for a contract that the node does not have', async () => {
    expect(await readSource((await sourceOf()).client, TOKEN)).toBeUndefined();
  });

  test('behavior: an empty source is one', async () => {
    expect(await readSource((await clientOf(200, { source: '' })).client, TOKEN)).toBe('');
  });

  test.each([{}, { source: null }, null, []])('error: source-invalid for %j', async (body) => {
    expect(await readSource((await clientOf(200, body)).client, TOKEN)).toMatchObject({
      code: 'source-invalid',
      message: expect.stringContaining(TOKEN),
      retryable: true,
    });
  });

  test('error: http-500', async () => {
    expect(await readSource((await clientOf(500, 'broken')).client, TOKEN)).toMatchObject({ code: 'http-500' });
  });
});
