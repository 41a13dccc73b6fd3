// Tests calling getters on a node: the returned values, and the reasons for failures.
import { json } from 'node:stream/consumers';
import { Cl } from '@stacks/transactions';
import { expect, test } from 'vitest';
import type { ServerClient } from '#net/server-client.ts';
import { callGetter } from '#source/stacks-node/node-responses.ts';
import type { CallResult } from '../../support/chain-listener.ts';
import { loopbackServer } from '../../support/loopback-server.ts';
import { clientOf, DEEP, serverClient } from '../../support/server-client.ts';
import { ADDRESS, CONTRACT, SOURCE_INVALID, sourceOf, TOKEN } from '../source-of.ts';

/** Returns a client of a node that returns `callResult` for every getter of TOKEN. */
const clientReturning = async (callResult: CallResult): Promise<ServerClient> =>
  (await sourceOf({ ...CONTRACT, call: () => callResult })).client;
/** Calls `get-name` on a node that returns `callResult`. */
const readName = async (callResult: CallResult) => callGetter(await clientReturning(callResult), TOKEN, 'get-name');
/** Returns a client of a node on which every getter returns this Clarity value. */
const clientReturningValue = (clarity: string) => clientReturning({ result: `0x${Cl.serialize(Cl.parse(clarity))}` });
/** Returns the expected result of a getter that failed. */
const failed = (code: string, message: string, getter = 'get-name') => ({
  getter,
  failure: { code, message: expect.stringContaining(message) },
});

test('default', async () => {
  const client = await clientReturningValue('(ok "Coin")');
  expect(await callGetter(client, TOKEN, 'get-name')).toStrictEqual({ getter: 'get-name', value: 'Coin' });
});

test('calls with the deployer as sender, without arguments', async () => {
  const requests: unknown[] = [];
  const server = await loopbackServer(async (request, response) => {
    requests.push([request.method, request.url, request.headers['content-type'], await json(request)]);
    response.end(JSON.stringify({ okay: true, result: '0x0703' }));
  });
  await callGetter(serverClient(server.url), TOKEN, 'get-decimals');
  expect(requests).toEqual([
    [
      'POST',
      `/v2/contracts/call-read/${ADDRESS}/token/get-decimals`,
      'application/json',
      { sender: ADDRESS, arguments: [] },
    ],
  ]);
});

test.each([
  ['get-name', '(ok u"Münze 🪙")', 'Münze 🪙'],
  ['get-symbol', '(ok "")', ''],
  ['get-decimals', '(ok u0)', '0'],
  ['get-total-supply', '(ok u1000)', '1000'],
  ['get-token-uri', '(ok (some u"https://example.org"))', 'https://example.org'],
  ['get-token-uri', '(ok none)', undefined],
  ['get-name', '"without ok"', 'without ok'],
  ['get-name', 'none', undefined],
] as const)('reads %s from %s', async (getter, value, expected) => {
  expect(await callGetter(await clientReturningValue(value), TOKEN, getter)).toStrictEqual({
    getter,
    ...(expected === undefined ? {} : { value: expected }),
  });
});

test('accepts the largest number as a supply, but not as decimals', async () => {
  const largest = 2n ** 128n - 1n;
  const client = await clientReturning({ result: Cl.serialize(Cl.ok(Cl.uint(largest))) });
  expect(await callGetter(client, TOKEN, 'get-total-supply')).toMatchObject({ value: String(largest) });
  expect(await callGetter(client, TOKEN, 'get-decimals')).toMatchObject({
    failure: { code: 'getter-wrong-type', message: `get-decimals returned u${largest}.` },
  });
});

// These failures are final, since the node would return the same value again.
test.each([
  ['get-name', '(err u4)', 'getter-error', 'get-name returned (err u4).'],
  ['get-name', '(err none)', 'getter-error', '(err a value of type none)'],
  ['get-name', '(ok u1)', 'getter-wrong-type', 'get-name returned u1.'],
  ['get-symbol', '(ok 0x41)', 'getter-wrong-type', 'a value of type buffer'],
  ['get-decimals', '(ok 6)', 'getter-wrong-type', 'a value of type int'],
  ['get-total-supply', '(ok "1")', 'getter-wrong-type', 'a value of type string-ascii'],
  ['get-token-uri', '(ok (some (some "a")))', 'getter-wrong-type', 'a value of type some'],
  ['get-token-uri', '(ok (list))', 'getter-wrong-type', 'a value of type list'],
  ['get-token-uri', '(ok { a: 1 })', 'getter-wrong-type', 'a value of type tuple'],
] as const)('%s that returns %s is %s', async (getter, value, code, message) => {
  expect(await callGetter(await clientReturningValue(value), TOKEN, getter)).toStrictEqual(
    failed(code, message, getter),
  );
});

test.each([
  ['Clarity rejects the call', { cause: 'Unchecked(UndefinedFunction("get-name"))' }, 'get-name fails: Unchecked('],
  ['the node rejects it', { status: 400, text: 'Execution budget exceeded\n' }, 'fails: Execution budget exceeded'],
] as const)('reports clarity-error if %s', async (_, answer, message) => {
  expect(await readName(answer)).toStrictEqual(failed('clarity-error', message));
});

test('reports clarity-error with a shortened or missing cause', async () => {
  const long = await readName({ cause: 'x'.repeat(100_000) });
  expect(long).toMatchObject({ failure: { message: expect.stringMatching(/^get-name fails: x{300}$/) } });
  for (const body of ['{"okay":false}', `{"okay":false,"cause":${DEEP}}`]) {
    const { client } = await clientOf(200, body);
    expect(await callGetter(client, TOKEN, 'get-name')).toEqual(failed('clarity-error', 'gave no reason'));
  }
});

test('reports source-invalid for a contract that the node does not have', async () => {
  const { client } = await clientOf(200, { okay: false, cause: `Unchecked(NoSuchContract("${TOKEN}"))` });
  for (const node of [client, (await sourceOf()).client]) {
    expect(await callGetter(node, TOKEN, 'get-name')).toMatchObject(SOURCE_INVALID);
  }
});

test.each(['not hex', '0x0', '0x', '0xff', '0x070d000000ff41', '0x0703ff'])(
  'reports clarity-value-invalid for the result %j',
  async (text) => {
    expect(await readName({ result: text })).toStrictEqual(failed('clarity-value-invalid', 'Not a Clarity value'));
  },
);

test.each([{ okay: true }, { okay: true, result: 7 }, { result: '0x0703' }, { okay: 'false' }, {}, [], null, 7])(
  'reports source-invalid for %j',
  async (body) => {
    expect(await callGetter((await clientOf(200, body)).client, TOKEN, 'get-name')).toMatchObject(SOURCE_INVALID);
  },
);

test('reports http-500 is a failure of the node, not a result', async () => {
  expect(await readName({ status: 500, text: 'broken' })).toMatchObject({ code: 'http-500', retryable: true });
});
